"""Fixtures of several tests of probes."""

import pytest

from headway.probes import measure
from tests.probes.projects import BROKEN, HEALTHY, shop


@pytest.fixture(scope="session")
def healthy(tmp_path_factory):
    """A healthy project, measured once: its folder and the readings."""
    folder = shop(tmp_path_factory.mktemp("healthy"), HEALTHY)
    return folder, measure(folder)


@pytest.fixture(scope="session")
def broken(tmp_path_factory):
    """A broken project, measured once: its folder and the readings."""
    folder = shop(tmp_path_factory.mktemp("broken"), BROKEN)
    return folder, measure(folder)
