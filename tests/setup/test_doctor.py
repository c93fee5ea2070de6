"""The doctor tells from looking: it runs what the settings name, and says what is missing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from headway.setup import agents
from headway.setup.agents.codex import Codex
from headway.setup.command import hook_arguments
from headway.setup.json_hooks import JsonHooks
from headway.setup.rehearsal import rehearse
from tests import command
from tests.setup.words import install
from tests.slow import slow


def headway(*arguments, cwd=None):
    return command.headway(*arguments, folder=cwd or Path.cwd(), text=True)


def doctor(*arguments):
    """The exit code, and what was found, by what it is about."""
    done = headway("doctor", *arguments, "--format", "json")
    document = json.loads(done.stdout)
    assert document["works"] == (done.returncode == 0)
    found = {}
    for check in document["checks"]:
        found.setdefault(check["about"], []).append((check["result"], check["text"]))
    return done.returncode, found


COMMON = ("claude-code", "codex", "opencode")
OTHERS = sorted(agents().keys() - {*COMMON})


@pytest.mark.parametrize("agent", [*COMMON, *slow(*OTHERS)])
def test_the_installed_command_is_told_of_a_loop_and_speaks_up(agent, home):
    check = rehearse(agents()[agent], hook_arguments(agent))
    assert "ok" == check.result, check.text
    assert "reported an invented loop" in check.text
    assert [] == list(home.iterdir()), "nothing is kept of a rehearsal"


def test_it_works(home):
    headway("install", "claude-code")
    code, found = doctor()
    texts = [text for _, text in found["claude-code"]]

    assert 0 == code
    assert f"the hook is in {home}/.claude/settings.json" in texts
    assert any("reported an invented loop" in text for text in texts)
    (about_sqlite,) = [text for _, text in found["headway"] if text.startswith("SQLite 3.")]
    assert "write-ahead log" not in about_sqlite, "plain words"


def test_no_agent_has_the_hook():
    code, found = doctor()
    assert 1 == code
    assert ("problem", "no agent on this machine has the hook") in found["headway"]


def test_an_agent_that_was_named_does_not_have_the_hook():
    headway("install", "claude-code")
    code, found = doctor("gemini")
    assert 1 == code and [("problem", "Gemini CLI does not have the hook")] == found["gemini"]


def test_settings_that_name_an_old_path(home):
    path, _ = agents()["claude-code"].place(None)
    install(path, JsonHooks({"Stop": {"hooks": [{"type": "command", "command": "/gone/bin/headway hook"}]}}))
    code, found = doctor()

    assert 1 == code
    assert ("problem", "the settings call /gone/bin/headway, which is missing or cannot be run") in found["claude-code"]
    assert any("a different Headway" in text for _, text in found["claude-code"])


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("claude-code", '{"disableAllHooks": true}', "disableAllHooks disables all hooks"),
        ("qwen", '{"disableAllHooks": true}', "disableAllHooks disables all hooks"),
        ("gemini", '{"hooksConfig": {"enabled": false}}', "hooksConfig.enabled disables all hooks"),
    ],
)
def test_hooks_that_are_switched_off(name, content, told, home):
    path, form = agents()[name].place(None)
    path.parent.mkdir(parents=True)
    path.write_text(content)
    install(path, form)
    code, found = doctor(name)
    assert 1 == code and ("problem", f"{path}: {told}") in found[name]


def test_codex_asks_its_user_to_trust_hooks(home):
    """Keys and file as Codex 0.166.0 writes them when its user chooses "Trust all and continue"."""
    path, form = Codex().place(None)
    path.parent.mkdir(parents=True)
    path.write_text('{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}')
    install(path, form)
    assert ["8 of Headway's hooks there are not trusted yet, and Codex skips them silently"] == [text for text, _ in Codex().obstacles(path)]  # fmt: skip

    places = {event: 1 if event == "stop" else 0 for event in ("session_start", "user_prompt_submit", "pre_tool_use", "post_tool_use", "pre_compact", "stop", "subagent_stop", "session_end")}  # fmt: skip
    states = [
        f'[hooks.state."{path}:{event}:{place}:0"]\ntrusted_hash = "sha256:0"\n' for event, place in places.items()
    ]
    config = path.with_name("config.toml")
    config.write_text("\n".join(states))
    assert [] == Codex().obstacles(path)

    config.write_text("\n".join(states).replace("trusted_hash", "enabled = false\ntrusted_hash", 1))
    assert ["1 of Headway's hooks there are disabled"] == [text for text, _ in Codex().obstacles(path)]


def test_strange_hooks_of_others_do_not_disturb_the_doctor(home):
    path, form = Codex().place(None)
    path.parent.mkdir(parents=True)
    path.write_text('{"hooks": {"Stop": [1, {"hooks": 2}, {"hooks": [3, {"command": 4}]}]}}')
    install(path, form)
    assert ["8 of Headway's hooks"] == [text[:20] for text, _ in Codex().obstacles(path)]


def test_it_is_heard_twice(home, tmp_path):
    headway("install", "gemini")
    headway("install", "gemini", "--project", cwd=tmp_path)
    done = headway("doctor", "gemini", cwd=tmp_path)
    assert "the hook is installed twice, in" in done.stdout


def test_outdated_settings_that_are_read_only_are_noted(home):
    path, _ = agents()["claude-code"].place(None)
    install(path, JsonHooks({"Stop": {"hooks": [{"type": "command", "command": "headway hook"}]}}))
    path.chmod(0o444)
    _, found = doctor("claude-code")
    assert ("note", f"{path} was written by a different Headway than the one that is running") in found["claude-code"]


def test_a_fault_inside_headway_is_found(home, tmp_path, monkeypatch):
    headway("install", "claude-code")
    (home / ".config" / "headway").mkdir(parents=True)
    (home / ".config" / "headway" / "config.toml").write_text("[policy]\nno_such_setting = 1\n")
    code, found = doctor()
    assert 1 == code
    assert any(result == "problem" and "failed inside Headway" in text and "no_such_setting" in text for result, text in found["claude-code"])  # fmt: skip


def test_faults_of_the_past_are_shown(home):
    subprocess.run([Path(sys.executable).parent / "headway", "hook", "--agent", "emacs"], input=b"{}", check=True)
    _, found = doctor()
    assert any(result == "note" and "fault: " in text for result, text in found["headway"])


def test_events_that_were_not_understood_are_shown_however_many_faults_came_after(home):
    hook = [Path(sys.executable).parent / "headway", "hook", "--agent"]
    subprocess.run([*hook, "claude-code"], input=b'{"hook_event_name": "Novel", "session_id": "s"}', check=True)
    for number in range(4):
        subprocess.run([*hook, f"unknown-{number}"], input=b"{}", check=True)
    _, found = doctor()
    texts = [text for result, text in found["headway"] if result == "note"]
    assert any("not understood: claude-code sent an event called Novel" in text for text in texts)
    assert 3 == sum("fault: " in text for text in texts)


@pytest.mark.skipif(os.name == "nt", reason="permissions are of another kind there")
def test_a_place_for_the_memory_that_is_no_folder(home, monkeypatch):
    (home / "file").write_text("")
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(home / "file"))
    code, found = doctor()
    assert 1 == code and ("problem", f"{home / 'file'} cannot be written") in found["headway"]


def test_settings_that_cannot_be_read_are_noted(home):
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text("{")
    _, found = doctor()
    assert any("line 1, column 2" in text for _, text in found["gemini"])
