"""What several tests of probes share."""

import sys

import pytest

from headway.probes import measure
from tests.probes.projects import BROKEN, HEALTHY, shop


@pytest.fixture(autouse=True, scope="session")
def this_environment():
    """Projects without an environment of their own are measured with the tools that run these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VIRTUAL_ENV", sys.prefix)
        yield


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
