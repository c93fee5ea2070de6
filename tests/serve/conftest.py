"""Every test has a state folder and a service of its own, in this process unless the test is about processes."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.serve.running import Running


@pytest.fixture(autouse=True)
def state(monkeypatch):
    """A folder with a short path: that of a socket may have 100 bytes."""
    folder = Path(tempfile.mkdtemp(prefix="hw"))
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(folder / "state"))
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # an installed program has its bytecode
    for name in [name for name in os.environ if name.startswith("HEADWAY_") and "__" in name]:
        monkeypatch.delenv(name)
    yield folder / "state"
    shutil.rmtree(folder)


@pytest.fixture
def client(state):
    with Running(state) as running:
        yield running
