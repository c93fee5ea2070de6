"""The doctor looks at every place a setting can come from, in the program's own order, and says ✗ if no hook can run."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from headway.cli import run
from headway.config.fingerprint import user_folder
from headway.setup import agents
from headway.setup.agents.claude_code import ClaudeCode
from headway.setup.installed import look_at
from tests.setup.words import install

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def installed(name):
    path, form = agents()[name].place(None)
    install(path, form)
    return path


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def problems(name, project):
    """What keeps the hook of an agent from running, without running anything."""
    seen = look_at(agents()[name], project)
    return [check.text for check in seen.checks(must_work=True) if check.result == "problem"]


OFF = [
    ("claude-code", ".claude/settings.json", {"disableAllHooks": True}, "disableAllHooks disables all hooks"),
    ("claude-code", ".claude/settings.local.json", {"disableAllHooks": True}, "disableAllHooks disables all hooks"),
    ("gemini", ".gemini/settings.json", {"hooksConfig": {"enabled": False}}, "hooksConfig.enabled disables all hooks"),
    ("gemini", ".gemini/settings.json", {"hooksConfig": {"disabled": ["headway"]}}, 'hooksConfig.disabled has "headway"'),
    ("qwen", ".qwen/settings.json", {"disableAllHooks": True}, "disableAllHooks disables all hooks"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "file", "content", "told"), OFF, ids=lambda part: str(part)[:40])
def test_a_project_that_switches_hooks_off(name, file, content, told, home, project, capsys):
    installed(name)
    assert [] == problems(name, project)
    path = write(project / file, content)

    assert [f"{path}: {told}"] == problems(name, project)
    assert 1 == run(["doctor", name])
    assert f"✗ {path}: {told}" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "file", "content", "told"), OFF, ids=lambda part: str(part)[:40])
def test_the_users_own_settings_switch_hooks_off(name, file, content, told, home, project):
    path = installed(name)
    path.write_text(json.dumps(json.loads(path.read_text()) | content))
    assert [f"{path}: {told}"] == problems(name, project)


def test_the_stronger_file_holds(home, project):
    path = installed("claude-code")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"disableAllHooks": True}))
    write(project / ".claude" / "settings.local.json", {"disableAllHooks": False})
    assert [] == problems("claude-code", project)


@pytest.mark.parametrize("name", ["gemini", "qwen"])
def test_the_settings_of_the_machine_hold_over_all_others(name, home, project, monkeypatch, tmp_path):
    installed(name)
    off = {"gemini": {"hooksConfig": {"enabled": False}}, "qwen": {"disableAllHooks": True}}[name]
    machine = write(tmp_path / "machine.json", off)
    monkeypatch.setenv({"gemini": "GEMINI_CLI", "qwen": "QWEN_CODE"}[name] + "_SYSTEM_SETTINGS_PATH", str(machine))
    assert [True] == [text.startswith(f"{machine}: ") for text in problems(name, project)]


def test_codex_without_its_feature(home, project):
    path = installed("codex")
    config = write(path.with_name("config.toml"), "[features]\nhooks = false\n")
    assert [f"{path}: features.hooks in {config} disables all hooks"] == problems("codex", project)


@pytest.mark.parametrize("name", [name for name, agent in agents().items() if agent.events])
def test_an_event_without_which_nothing_is_noticed(name, home, project):
    agent = agents()[name]
    path = installed(name)
    content = json.loads(path.read_text())
    hooks = content["hooks"]
    missing = next(event for event in hooks if event.lower().startswith(("posttool", "aftertool")))
    del hooks[missing]
    path.write_text(json.dumps(content))
    told = f"{agent.title} does not call the hook for {missing}, so loops are not detected"
    assert told in problems(name, project)


def test_broken_settings_are_a_problem_where_the_hook_must_work(home, project):
    installed("gemini")
    path = write(project / ".gemini" / "settings.json", "{ broken")
    assert [True] == [text.startswith(f"{path}: line 1, column 3: expected") for text in problems("gemini", project)]


@pytest.mark.parametrize(
    ("extra", "told"),
    [
        ("  // mine\n", "line 2: a comment, which is not allowed in strict JSON"),
        ('  "list": [\n1,\n],\n', "line 3: a comma after the last item, which is not allowed in strict JSON"),
        ('  "model": 5,\n', 'line 2: "model" must be a text in "quotes"'),
        ('  "permissions": {"allow": "x"},\n', 'line 2: "permissions.allow" must be a list, […]'),
    ],
)
def test_a_file_that_claude_code_ignores_as_a_whole(extra, told, home, project, capsys):
    path = installed("claude-code")
    path.write_text(path.read_text().replace("{\n", "{\n" + extra, 1))
    assert 1 == run(["doctor", "claude-code"])
    said = capsys.readouterr().out
    assert f"✗ {path}: {told}; Claude Code ignores the whole file" in said
    assert f"✓ the hook is in {path}" not in said
    assert 0 == run(["install", "claude-code"])
    assert f"Warning: {path}: {told}; Claude Code ignores the whole file" in capsys.readouterr().out


def test_claude_code_only_drops_a_wrong_item_of_a_list(home, project):
    path = installed("claude-code")
    path.write_text(path.read_text().replace("{", '{"permissions": {"deny": [1]},', 1))
    assert [] == problems("claude-code", project)


def test_gemini_reads_comments(home, project):
    path = installed("gemini")
    path.write_text("// mine\n" + path.read_text())
    assert [] == problems("gemini", project)


@pytest.mark.parametrize("text", ["{ broken", "{} // mine", '{"model": 5, "disableAllHooks": true}'])
def test_a_file_that_claude_code_skips_is_a_note_where_the_hook_works_all_the_same(text, home, project, capsys):
    installed("claude-code")
    path = write(project / ".claude" / "settings.local.json", text)
    assert 0 == run(["doctor", "claude-code"])
    said = capsys.readouterr().out
    assert f"· {path}: " in said and "Claude Code skips this file; the hook in another file still works" in said


def test_the_administrators_folder_of_settings_is_read(home, project, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[ClaudeCode.__module__], "_managed_folder", lambda: tmp_path / "etc")
    installed("claude-code")
    off = write(tmp_path / "etc" / "managed-settings.d" / "10-x.json", {"disableAllHooks": True})
    assert [f"{off}: disableAllHooks disables all hooks"] == problems("claude-code", project)
    write(off, {"allowManagedHooksOnly": True})
    assert [f"{off}: allowManagedHooksOnly disables your hooks"] == problems("claude-code", project)


def test_broken_settings_of_the_user_end_with_1(home, project, capsys):
    write(home / ".claude" / "settings.json", '{"hooks": ')
    assert 1 == run(["doctor", "claude-code"])
    assert "✗ " in capsys.readouterr().out


def test_mistakes_in_the_projects_own_settings(home, project, capsys):
    installed("claude-code")
    path = write(project / "headway.toml", "[detectors.exact_cycel]\nlimit = 3\n")
    assert 1 == run(["doctor", "claude-code"])
    told = capsys.readouterr().out
    assert "✗ Headway's settings are invalid, so the hook ignores the project's file" in told
    assert str(path) in told and "did you mean 'exact_cycle'" in told
    assert "→ correct it; then `headway config` shows the effective settings" in told
    assert 2 == run(["config"]), "as long as it is not corrected"


def test_mistakes_in_the_users_own_settings(home, project, capsys):
    installed("claude-code")
    path = write(Path(user_folder(os.environ)) / "headway" / "config.toml", "[detectors.exact_cycel]\nlimit = 3\n")
    assert 1 == run(["doctor", "claude-code"])
    told = capsys.readouterr().out
    assert "✗ Headway's settings are invalid, so the defaults are used" in told and str(path) in told
    capsys.readouterr()
    assert 0 == run(["install", "claude-code"])
    assert f"Warning: Headway's settings are invalid: {path}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "setting", "told"),
    [
        ((), None, "✓ mode: nudge"),
        (("--mode", "enforce"), None, "✓ mode: enforce"),
        (("--mode", "enforce"), "enforce", "✓ mode: enforce"),
        (("--mode", "enforce"), "observe", "· mode: observe in this folder, set by policy.mode ("),
    ],
)
def test_the_mode_in_this_folder(home, project, capsys, option, setting, told):
    assert 0 == run(["install", "claude-code", *option])
    if setting:
        write(project / "headway.toml", f'[policy]\nmode = "{setting}"\n')
    run(["doctor", "claude-code"])
    assert told in capsys.readouterr().out


@pytest.fixture
def plugin(home):
    """As `claude plugin install headway@headway` leaves it."""
    folder = home / ".claude" / "plugins" / "cache" / "headway"
    shutil.copytree(ROOT / "plugins" / "claude-code", folder)
    places = {"headway@headway": [{"scope": "user", "installPath": str(folder)}]}
    write(home / ".claude" / "plugins" / "installed_plugins.json", {"version": 2, "plugins": places})
    return write(
        home / ".claude" / "settings.json", {"enabledPlugins": {"headway@headway": True, "other@headway": True}}
    )


def test_a_plugin_is_enough(plugin, project, monkeypatch, capsys):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert 0 == run(["doctor", "claude-code"])
    told = capsys.readouterr().out
    assert f"✓ {plugin} enables headway@headway, a plugin with the hook" in told and "reported an invented loop" in told


def _gone(folder):
    shutil.rmtree(folder)


def _broken(folder):
    (folder / "hooks" / "hooks.json").write_text("{broken")


def _half(folder):
    hooks = json.loads((folder / "hooks" / "hooks.json").read_text())
    del hooks["hooks"]["PostToolBatch"]
    write(folder / "hooks" / "hooks.json", hooks)


def _foreign(folder):
    theirs = {"type": "command", "command": "touch ran"}
    hooks = json.loads((folder / "hooks" / "hooks.json").read_text())
    hooks["hooks"]["SessionStart"].append({"hooks": [theirs]})
    write(folder / "hooks" / "hooks.json", hooks)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_gone, "does not work: its folder {} does not exist"),
        (_broken, "does not work: {}/hooks/hooks.json: no readable hooks found"),
        (_half, "does not work: the plugin in {} has no hook for PostToolBatch"),
        (_foreign, "is not Headway's plugin: {} has other hooks"),
    ],
)
def test_a_plugin_that_does_not_work_or_is_not_ours(change, told, plugin, home, project, capsys):
    folder = home / ".claude" / "plugins" / "cache" / "headway"
    change(folder)
    assert 1 == run(["doctor", "claude-code"])
    said = capsys.readouterr().out
    assert f"✗ {plugin} enables headway@headway, which {told.format(folder)}" in said
    assert "✗ Claude Code does not have the hook" in said


def test_a_plugin_of_another_marketplace_beside_ours_is_left_alone(plugin, home, project):
    write(plugin, {"enabledPlugins": {"headway@other": True, "headway@headway": True}})
    seen = look_at(agents()["claude-code"], project)
    assert seen.plugin and "headway@headway" == seen.plugin.name


def test_a_plugin_with_our_lines_and_another_script_is_not_called_ours(plugin, home, project):
    (home / ".claude" / "plugins" / "cache" / "headway" / "hooks" / "headway.sh").write_text("touch ran\n")
    checks = list(look_at(agents()["claude-code"], project).checks(must_work=True))
    assert ["note"] == [check.result for check in checks]
    assert "is not the script of this Headway's plugin" in checks[0].text


def test_a_plugin_that_was_switched_off_again_is_none(plugin, project):
    write(project / ".claude" / "settings.json", {"enabledPlugins": {"headway@headway": False}})
    assert not look_at(agents()["claude-code"], project).is_there


def test_plugin_and_install_are_one_too_many(plugin, project):
    path = installed("claude-code")
    checks = list(look_at(agents()["claude-code"], project).checks(must_work=True))
    (double,) = [check for check in checks if "installed twice" in check.text]
    assert f"in {path} and a plugin" in double.text and "or remove the plugin" in double.fix


@pytest.mark.parametrize(
    ("script", "by_name", "told"),
    [
        ("#!/bin/sh\necho another project\n", True, "✗ the `headway` on your PATH, {}, belongs to another project"),
        ("#!/bin/sh\necho another project\n", False, "· the `headway` on your PATH, {}, belongs to another project"),
        ("#!/usr/bin/python\nfrom headway.cli import main\n", False, "· the `headway` on your PATH is {}, a different installation"),
    ],
)  # fmt: skip
def test_another_headway_on_the_path(script, by_name, told, home, project, monkeypatch, tmp_path, capsys):
    """`headway` on the package index is another project."""
    other = write(tmp_path / "bin" / "headway", script)
    other.chmod(0o755)
    if by_name:
        run(["install", "gemini", "--project"])
    else:
        installed("gemini")
    monkeypatch.setenv("PATH", f"{other.parent}{os.pathsep}{os.environ['PATH']}")
    code = run(["doctor", "gemini"])
    shown = capsys.readouterr().out
    assert told.format(other) in shown
    assert code == int(by_name)
    assert by_name != ("reported an invented loop" in shown), "another project's program is not run"
