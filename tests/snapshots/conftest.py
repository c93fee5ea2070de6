from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_git_settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's global settings for these tests: a name, and nothing of the machine's."""
    settings = tmp_path_factory.mktemp("settings") / "gitconfig"
    settings.write_text("[user]\n\tname = A Person\n\temail = person@example.invalid\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return settings
