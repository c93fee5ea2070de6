"""Fixtures of several tests of probes."""

import sys

import pytest

from headway.probes import measure
from tests.probes.projects import BROKEN, HEALTHY, done, shop


@pytest.fixture(scope="session")
def healthy(tmp_path_factory):
    """A healthy project, measured once: its folder and the readings."""
    folder = shop(tmp_path_factory.mktemp("healthy"), HEALTHY)
    return folder, measure(folder)


@pytest.fixture(scope="session")
def covered(healthy, tmp_path_factory):
    """What coverage.py has recorded of the healthy project, of which it can write reports."""
    data = tmp_path_factory.mktemp("covered") / "data"
    run = [sys.executable, "-m", "coverage", "run", f"--data-file={data}", "--source=shop"]
    done(*run, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder=healthy[0])
    return data


@pytest.fixture(scope="session")
def broken(tmp_path_factory):
    """A broken project, measured once: its folder and the readings."""
    folder = shop(tmp_path_factory.mktemp("broken"), BROKEN)
    return folder, measure(folder)
