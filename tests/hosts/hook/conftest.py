"""Every test has its own state folder; the machine's is not used."""

import os

import pytest


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    folder = tmp_path / "state"
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(folder))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # an installed program has its bytecode
    for name in [name for name in os.environ if name.startswith("HEADWAY_") and "__" in name]:
        monkeypatch.delenv(name)
    return folder
