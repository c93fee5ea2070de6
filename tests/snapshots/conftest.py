from pathlib import Path

import pytest

from tests.snapshots.projects import own_settings


@pytest.fixture(autouse=True)
def own_git_settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's global settings for these tests."""
    return own_settings(tmp_path_factory.mktemp("settings"), monkeypatch)
