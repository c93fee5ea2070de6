"""Where agents keep their recordings: the usual places, those that a variable names, each once, and no others."""

import sys

import pytest

from headway.sources.places import recordings_of_this_user

USUAL = {
    "claude-code": ".claude/projects",
    "codex": ".codex/sessions",
    "gemini-cli": ".gemini/tmp",
    "qwen-code": ".qwen/projects",
    "copilot-cli": ".copilot/session-state",
    "opencode": ".local/share/opencode/opencode.db",
    "openhands": ".openhands/conversations",
    "pi": ".pi/agent/sessions",
    "cline": ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks",
    "roo": ".config/Cursor/User/globalStorage/rooveterinaryinc.roo-cline/tasks",
    "cursor": ".cursor/projects",
    "goose": ".local/share/goose/sessions",
    "windsurf": ".windsurf/transcripts",
    "zed": ".local/share/zed/threads/threads.db",
    "warp": ".local/state/warp-terminal/warp.sqlite",
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    return tmp_path


def found(home, **variables):
    return {(place.program, place.path.relative_to(home).as_posix()) for place in places(home, **variables)}


def places(home, **variables):
    return recordings_of_this_user({"HOME": str(home), **variables})


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep settings of editors elsewhere")
def test_the_usual_places_are_found(home):
    assert set() == found(home)
    for place in USUAL.values():
        (home / place).mkdir(parents=True)
    assert set(USUAL.items()) == found(home)


def test_a_folder_that_a_variable_names_takes_the_place_of_the_usual_one(home):
    (home / ".codex/sessions").mkdir(parents=True)
    (home / "elsewhere/sessions").mkdir(parents=True)
    (home / "data/opencode").mkdir(parents=True)
    (home / "data/opencode/opencode-beta.db").touch()
    variables = {"CODEX_HOME": str(home / "elsewhere"), "XDG_DATA_HOME": str(home / "data")}
    assert {("codex", "elsewhere/sessions"), ("opencode", "data/opencode/opencode-beta.db")} == found(home, **variables)


def test_a_place_with_two_names_is_told_once(home):
    (home / ".claude/projects").mkdir(parents=True)
    (home / ".config").mkdir()
    (home / ".config/claude").symlink_to(home / ".claude")
    assert [("claude-code", home / ".claude/projects")] == [(one.program, one.path) for one in places(home)]


def test_a_home_whose_name_looks_like_a_pattern(tmp_path):
    home = tmp_path / "a[b]*"
    (home / ".codex/sessions").mkdir(parents=True)
    assert {("codex", ".codex/sessions")} == found(home)


def test_a_chat_history_of_aider_in_this_folder(home):
    (home / "empty/.aider.chat.history.md").touch()
    assert {("aider", "empty/.aider.chat.history.md")} == found(home)
