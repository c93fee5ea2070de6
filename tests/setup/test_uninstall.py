"""Installing and uninstalling leave no trace: whatever a settings file looked like, it is so again, to the byte."""

import json
from pathlib import Path

import pytest

from headway.setup import SetupError, agents, installing, uninstalling
from headway.setup.json_hooks import JsonHooks
from headway.setup.jsonc import parse
from tests.setup.words import BEFORE, THEIRS, claude, everything, install, is_contained, uninstall

WHOLE = ("cline", "copilot", "kilo", "opencode", "pi")
"""Agents that get a file of their own."""
EDITED = [agent for agent in agents().values() if agent.name not in WHOLE]
OWN = [agent for agent in agents().values() if agent.name in WHOLE]


@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
@pytest.mark.parametrize("agent", EDITED, ids=lambda agent: agent.name)
def test_after_uninstalling_everything_is_as_before(agent, before, home):
    path, form = agent.place(None)
    if before is not None:
        path.parent.mkdir(parents=True)
        path.write_bytes(before.encode())
    files = everything(home)

    install(path, form)
    assert form.commands(path.read_text("utf-8-sig")), "nothing was installed"
    uninstall(path, form)

    assert files == everything(home)
    assert before is not None or not path.parent.exists()


@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
@pytest.mark.parametrize("agent", EDITED, ids=lambda agent: agent.name)
def test_all_of_the_users_own_stays(agent, before, home):
    path, form = agent.place(None)
    path.parent.mkdir(parents=True)
    path.write_bytes((before or "").encode())
    install(path, form)
    text = path.read_bytes().decode("utf-8-sig")
    had = parse((before or "").lstrip("\ufeff")).data if (before or "").strip("\ufeff\n") else {}
    have = parse(text).data

    assert had == {**have, "hooks": had.get("hooks")} if "hooks" in had else had.items() <= have.items()
    for event in agent.events:
        *theirs, ours = have["hooks"][event]
        assert had.get("hooks", {}).get(event, []) == theirs
        assert f"headway hook --agent {agent.name}" in json.dumps(ours)
    assert is_contained(before or "", path.read_bytes().decode())
    assert ("\r\n" in (before or "")) == ("\r\n" in text)
    assert "\r\n" not in text or "\n" not in text.replace("\r\n", "")


@pytest.mark.parametrize("agent", agents().values(), ids=lambda agent: agent.name)
def test_installing_twice_changes_nothing_more(agent, home):
    path, form = agent.place(None)
    install(path, form)
    files = everything(home)

    again = installing(path, form)

    assert not again.is_needed and again.new_backup is None
    again.apply()
    assert files == everything(home)


@pytest.mark.parametrize("agent", OWN, ids=lambda agent: agent.name)
def test_a_file_of_our_own_comes_and_goes(agent, home):
    path, form = agent.place(None)
    install(path, form)
    assert form.commands(path.read_text())
    uninstall(path, form)
    assert [] == list(home.iterdir())


@pytest.mark.parametrize("agent", agents().values(), ids=lambda agent: agent.name)
def test_folders_that_were_there_before_stay_although_they_are_empty(agent, home):
    path, form = agent.place(None)
    for folder in [one for one in path.parents if home in one.parents][::-1]:
        folder.mkdir()
        install(path, form)
        uninstall(path, form)
        assert folder.is_dir() and [] == list(folder.iterdir())


def test_folders_of_several_agents_are_told_apart(home):
    (home / ".copilot").mkdir()
    places = [agents()[name].place(None) for name in ("copilot", "cursor", "qwen")]
    for path, form in places:
        install(path, form)
    (home / ".qwen" / "mine").write_text("")
    for path, form in places:
        uninstall(path, form)

    assert {".copilot", ".qwen", ".local"} == {one.name for one in home.iterdir()}
    assert [] == list((home / ".copilot").iterdir()) and ["mine"] == [one.name for one in (home / ".qwen").iterdir()]


def test_a_memory_that_cannot_be_written_keeps_nobody_from_installing(home, monkeypatch):
    (home / "file").write_text("")
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(home / "file" / "state"))
    path, form = agents()["cursor"].place(None)
    install(path, form)
    uninstall(path, form)

    assert not path.exists() and path.parent.is_dir()


@pytest.mark.parametrize("agent", OWN, ids=lambda agent: agent.name)
def test_a_file_of_somebody_else_with_our_name_is_left_alone(agent, home):
    path, form = agent.place(None)
    path.parent.mkdir(parents=True)
    path.write_text("export const Mine = 1\n")
    with pytest.raises(SetupError, match=r"headway\.\w+: line 1: Headway did not write this file"):
        installing(path, form)


@pytest.mark.parametrize("agent", agents().values(), ids=lambda agent: agent.name)
def test_settings_of_a_project_name_no_path_of_this_machine(agent, tmp_path):
    project = tmp_path / "project"
    path, form = agent.place(project)
    install(path, form)

    assert project in path.parents
    assert str(Path.home()) not in path.read_text()
    assert [f"headway hook --agent {agent.name}"] == [c.removesuffix(" || true").removeprefix("& ").removesuffix("; exit 0") for c in form.commands(path.read_text())][:1]  # fmt: skip
    uninstall(path, form)
    assert not path.parent.exists()


def test_an_older_installation_is_replaced(home):
    path, form = claude('{\n  "hooks": {\n    "Stop": [%s]\n  }\n}\n' % THEIRS)
    files = everything(home)
    old = JsonHooks({"Stop": {"hooks": [{"type": "command", "command": "/old/bin/headway hook --agent claude-code"}]}})
    install(path, old)
    change = install(path, form)

    assert "/old/bin" not in path.read_text() and change.new_backup is None
    assert form.commands(path.read_text())
    uninstall(path, form)
    assert files == everything(home)


def test_an_event_that_is_no_longer_asked_for_leaves_nothing_behind(home):
    path, form = claude('{\n  "model": "opus"\n}\n')
    files = everything(home)
    old = {"hooks": [{"type": "command", "command": "headway hook"}]}
    install(path, JsonHooks({"NoLongerThere": old, "Stop": old}))
    install(path, form)

    assert "NoLongerThere" not in path.read_text()
    uninstall(path, form)
    assert files == everything(home)


def test_uninstalling_what_another_version_installed(home):
    path, form = claude('{"hooks": {"Stop": [%s]}, "x": 1}' % THEIRS)
    files = everything(home)
    install(path, JsonHooks({"NoLongerThere": {"hooks": [{"type": "command", "command": "headway hook"}]}}))
    uninstall(path, form)
    assert files == everything(home)


def test_what_the_user_changed_since_stays(home):
    path, form = claude('{\n  "model": "opus"\n}\n')
    install(path, form)
    text = path.read_text().replace('"opus"', '"sonnet"').replace('"Stop": [', f'"Stop": [\n      {THEIRS},')
    path.write_text(text)
    change = uninstall(path, form)

    assert {"model": "sonnet", "hooks": {"Stop": [json.loads(THEIRS)]}} == json.loads(path.read_text())
    assert change.old_backup is not None and b"opus" in change.old_backup.read_bytes()


def test_brackets_stay_where_the_user_had_them_also_when_something_else_was_changed(home):
    before = '{\n  "hooks": {"Stop": [%s], "PreToolUse": []},\n  "model": "opus"}\n' % THEIRS
    path, form = claude(before)
    install(path, form)
    path.write_text(path.read_text().replace("opus", "sonnet"))
    uninstall(path, form)
    assert before.replace("opus", "sonnet") == path.read_text()


def test_entries_that_the_user_added_after_ours_stay_as_they_are(home):
    path, form = claude('{\n  "hooks": {\n    "Stop": [%s]\n  }\n}\n' % THEIRS)
    install(path, form)
    ours = '"Stop": [%s,\n' % THEIRS
    assert ours in path.read_text()
    path.write_text(path.read_text().replace("\n    ]", ",\n      %s // mine\n    ]" % THEIRS, 1))
    uninstall(path, form)
    assert '{\n  "hooks": {\n    "Stop": [%s,\n      %s // mine\n    ]\n  }\n}\n' % (THEIRS, THEIRS) == path.read_text()


def test_a_later_installation_keeps_older_backups(home):
    path, form = claude('{"model": "opus"}')
    install(path, form)
    path.write_text(path.read_text().replace("opus", "sonnet"))
    uninstall(path, form)
    install(path, form)
    change = uninstall(path, form)

    assert b'{"model": "sonnet"}' == path.read_bytes()
    assert change.spent_backup == path.with_name("settings.json.headway-backup-2")
    assert b'{"model": "opus"}' == path.with_name("settings.json.headway-backup").read_bytes()


def test_a_handler_in_a_group_of_somebody_else_is_taken_out_of_it(home):
    both = '{"hooks": [{"type": "command", "command": "theirs"}, {"type": "command", "command": "headway hook"}]}'
    path, form = claude('{"hooks": {"Stop": [%s]}}' % both)
    uninstall(path, form)
    assert {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}} == json.loads(path.read_text())


def test_nothing_to_uninstall(home):
    path, form = claude('{"hooks": {"Stop": [%s]}}' % THEIRS)
    assert uninstalling(path, form) is None
    path.unlink()
    assert uninstalling(path, form) is None


def test_a_linked_file_stays_a_link_with_its_permissions(home, tmp_path):
    dotfiles = tmp_path / "dotfiles" / "claude.json"
    dotfiles.parent.mkdir()
    dotfiles.write_text('{"model": "opus"}')
    dotfiles.chmod(0o600)
    path, form = agents()["claude-code"].place(None)
    path.parent.mkdir()
    path.symlink_to(dotfiles)

    install(path, form)
    assert path.is_symlink() and "headway" in dotfiles.read_text() and 0o600 == dotfiles.stat().st_mode & 0o777
    uninstall(path, form)
    assert path.is_symlink() and '{"model": "opus"}' == dotfiles.read_text()


def test_the_diff_shows_what_will_be(home):
    path, form = claude('{\n  "model": "opus"\n}\n')
    diff = installing(path, form).diff()
    assert f"--- {path}" in diff and '-  "model": "opus"\n+  "model": "opus",\n+  "hooks": {' in diff
    assert "headway" not in path.read_text()
