"""OpenHands reads its hooks in two places and two spellings, and would lose or refuse them if ours used the other."""

import json

import pytest

from headway.setup import agents

from .words import install, uninstall

MINE = {"matcher": "terminal", "hooks": [{"type": "command", "command": "mine.sh"}]}
LAYOUTS = {
    "under hooks": {"hooks": {"PreToolUse": [MINE]}},
    "under hooks, its own spelling": {"hooks": {"pre_tool_use": [MINE], "session_end": [MINE]}},
    "both spellings": {"hooks": {"pre_tool_use": [MINE], "Stop": [MINE]}},
    "at the top": {"PreToolUse": [MINE]},
    "at the top, its own spelling": {"pre_tool_use": [MINE], "session_end": [MINE]},
}
ASKED = {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"}


def agent():
    return agents()["openhands"]


def read_as_openhands(path):
    """The hooks by event, as its `HookConfig` takes them: what stands under `hooks` hides the rest of the file."""
    data = json.loads(path.read_text())
    hooks = data.get("hooks", data)
    names = ["".join(word[:1].upper() + word[1:] for word in name.split("_")) for name in hooks]
    assert len(names) == len(set(names)), "an event in two spellings is refused"
    return dict(zip(names, hooks.values(), strict=True))


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_ours_stand_beside_theirs_and_go_without_a_trace(layout, indent, tmp_path):
    path = tmp_path / "hooks.json"
    path.write_text(json.dumps(LAYOUTS[layout], indent=indent) + "\n")
    before, theirs = path.read_bytes(), read_as_openhands(path)
    form = agent().form(path, "headway hook --agent openhands")

    install(path, form)
    once = path.read_bytes()
    install(path, form)

    found = read_as_openhands(path)
    assert once == path.read_bytes() and ["headway hook --agent openhands"] == form.commands(path.read_text())
    assert theirs == {event: entries[:1] for event, entries in found.items() if MINE in entries}
    assert {event for event, entries in found.items() if entries[-1] == agent().entry("headway hook --agent openhands")} == ASKED  # fmt: skip
    uninstall(path, form)
    assert before == path.read_bytes()


def test_a_file_that_was_changed_since_keeps_the_change(tmp_path):
    path = tmp_path / "hooks.json"
    path.write_text(json.dumps({"pre_tool_use": [MINE]}))
    form = agent().form(path, "headway hook --agent openhands")
    install(path, form)
    path.write_text(path.read_text().replace("mine.sh", "other.sh"))

    uninstall(path, form)

    assert {"pre_tool_use": [json.loads(json.dumps(MINE).replace("mine.sh", "other.sh"))]} == json.loads(
        path.read_text()
    )


def test_the_end_of_a_session_is_not_asked_for():
    """With a hook for it the command line of OpenHands 1.16.0 fails at its end, and leaves its terminals running."""
    assert ASKED == set(agent().events)


def test_the_folder_that_openhands_is_told_of_is_used(monkeypatch, tmp_path):
    monkeypatch.setenv("OH_PERSISTENCE_DIR", str(tmp_path))
    assert tmp_path / "hooks.json" == agent().user_file()


def test_a_projects_own_file_is_told_of_as_what_hides_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("OH_PERSISTENCE_DIR", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    openhands, users = agent(), agent().user_file()
    assert [] == openhands.obstacles(users)

    projects = openhands.project_file(tmp_path)
    projects.parent.mkdir()
    hidden = [(f"OpenHands does not read it here, because {projects} exists", "headway install openhands --project")]
    for content in ("{half", "{}"):
        projects.write_text(content)
        assert hidden == openhands.obstacles(users)

    install(projects, openhands.form(projects, "headway hook --agent openhands"))
    assert [] == openhands.obstacles(users) == openhands.obstacles(projects)
