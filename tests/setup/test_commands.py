"""`headway install` and `headway uninstall`, as a person runs them."""

import json
from pathlib import Path

import pytest

from headway.hosts.hook.recognise import HOSTS, host_called
from headway.setup import agents
from headway.setup.change import commands_in
from tests import command
from tests.setup.words import everything


def headway(*arguments, cwd=None):
    return command.headway(*arguments, folder=cwd or Path.cwd(), text=True)


@pytest.fixture
def settings(home):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{\n  "model": "opus"  // the big one\n}\n')
    return path


def test_a_dry_run_only_shows(settings, home):
    before = everything(home)
    done = headway("install", "claude-code", "--dry-run")

    assert 0 == done.returncode and f"--- {settings}\n+++ {settings}\n" in done.stdout
    assert '-  "model": "opus"  // the big one\n+  "model": "opus",  // the big one\n' in done.stdout
    assert before == everything(home)


def test_there_and_back(settings, home):
    before = everything(home)
    done = headway("install", "claude-code")
    assert 0 == done.returncode and f"the hook is now in {settings}" in done.stdout
    assert f"Backup of the previous file: {settings}.headway-backup" in done.stdout
    assert "the hook was already in" in headway("install", "claude-code").stdout
    assert "nothing would change" in headway("install", "claude-code", "--dry-run").stdout
    assert f"+++ {settings}" in headway("uninstall", "claude-code", "--dry-run").stdout

    assert "and the file is as it was before" in headway("uninstall", "claude-code").stdout
    assert before == everything(home)
    assert "no Headway hook found in" in headway("uninstall", "claude-code").stdout


def test_settings_that_do_not_parse_are_named_with_the_line(settings):
    settings.write_text("{\n  model: 1\n}\n")
    done = headway("install", "claude-code")
    assert 2 == done.returncode
    assert f'Error: {settings}: line 2, column 3: expected a name in "quotes"' in done.stderr


def test_settings_that_cannot_be_read_do_not_keep_the_other_agents_from_theirs(home):
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text("{broken")

    done = headway("install", "gemini", "cursor", "qwen")
    assert 2 == done.returncode
    assert f"Error: {home}/.gemini/settings.json: line 1" in done.stderr
    assert all(
        f"the hook is now in {home}/{file}" in done.stdout for file in (".cursor/hooks.json", ".qwen/settings.json")
    )

    done = headway("uninstall", "gemini", "cursor", "qwen")
    assert 2 == done.returncode
    assert f"Error: {home}/.gemini/settings.json: line 1" in done.stderr
    assert 2 == done.stdout.count("the hook was removed from")
    assert "{broken" == (home / ".gemini" / "settings.json").read_text()


def test_an_unknown_agent_is_answered_with_the_known_ones():
    done = headway("install", "123")
    assert 2 == done.returncode and "claude-code, cline, codex, copilot" in done.stderr


def test_an_agent_whose_name_is_misspelt_is_answered_with_the_closest_one():
    done = headway("install", "clippy")
    assert 2 == done.returncode and "no agent 'clippy'; did you mean 'cline'?" in done.stderr


@pytest.mark.parametrize(
    ("agent", "mode"),
    [*((agent, "enforce") for agent in sorted(agents())), ("claude-code", "observe"), ("claude-code", "nudge")],
)
def test_the_mode_is_written_told_kept_and_known_to_doctor(home, agent, mode):
    done = headway("install", agent, "--mode", mode)

    assert 0 == done.returncode and f"Mode: {mode}. Headway " in done.stdout
    assert {"observe", "nudge", "enforce"} - {mode} == {
        other for other in ("observe", "nudge", "enforce") if f"`--mode {other}` " in done.stdout
    }
    path, form = agents()[agent].place(None)
    lines = commands_in(path, form)
    assert lines and all(f" --mode {mode}" in line and line in agents()[agent].own_lines(path) for line in lines)
    again = headway("install", agent)
    assert f"Mode: {mode}." in again.stdout and "already in" in again.stdout, "it is kept"
    assert 0 == headway("uninstall", agent).returncode
    assert "Mode: nudge." in headway("install", agent).stdout


def test_doctor_runs_a_hook_with_a_mode_and_finds_it_up_to_date(home):
    headway("install", "claude-code", "--mode", "observe")
    said = headway("doctor", "claude-code").stdout
    assert "hook --agent claude-code --mode observe` reported an invented loop" in said
    assert "different Headway" not in said


def test_a_setting_that_outranks_the_mode_is_told(home, tmp_path):
    (tmp_path / "headway.toml").write_text('[policy]\nmode = "observe"\n')
    done = headway("install", "claude-code", "--mode", "enforce", cwd=tmp_path)
    assert f"policy.mode = observe outranks that ({tmp_path / 'headway.toml'})" in done.stdout


def test_only_codex_can_be_interrupted(home):
    assert 2 == headway("install", "gemini", "--interrupt").returncode
    assert 0 == headway("install", "codex", "--interrupt").returncode
    hooks = json.loads((home / ".codex" / "hooks.json").read_text())["hooks"]
    assert hooks["PreToolUse"][0]["hooks"][0]["command"].endswith("headway hook --agent codex --interrupt || true")


def test_into_a_project(tmp_path):
    done = headway("install", "gemini", "--project", cwd=tmp_path)
    assert 0 == done.returncode and (tmp_path / ".gemini" / "settings.json").exists()
    assert 0 == headway("uninstall", "gemini", "--project", cwd=tmp_path).returncode
    assert not (tmp_path / ".gemini").exists()


def test_every_host_of_the_hook_can_be_installed_and_hears_all_that_is_asked_for():
    assert set(HOSTS) == set(agents())
    for name, agent in agents().items():
        assert set(agent.events) <= set(host_called(name).moments), name


@pytest.mark.parametrize("name", ["opencode", "kilo", "pi", "cline"])
def test_a_plugin_knows_the_names_of_the_hook(name):
    _, form = agents()[name].place(None)
    plugin = form.installed("")
    assert all(f'"{event}"' in plugin for event in host_called(name).moments)
    assert 1 == len(form.commands(plugin)) and f"{name}_event: name" in plugin
    assert [f"`headway {verb} {name}`" in plugin for verb in ("install", "uninstall")] == [True, True]
