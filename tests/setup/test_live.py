"""`headway doctor --live`, with a small program in place of an agent: what it is given, asked, and judged by."""

import json
import os
import shutil
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from headway.cli import run
from headway.setup import agents
from headway.setup.installed import look_at
from headway.setup.live.copies import copy_settings
from headway.setup.live.scripted_model import ScriptedModel
from headway.setup.live.trial import try_live
from headway.setup.live.wire import WORD, ScriptedCall
from tests.setup.words import everything, install

STAND_IN = f"""#!{sys.executable}
import json, os, pathlib, subprocess, sys, urllib.request

def ask():
    request = urllib.request.Request(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", b'{{"tools": [1]}}')
    urllib.request.build_opener(urllib.request.ProxyHandler({{}})).open(request).read()

def tell(event):
    hooks = settings.get("hooks", {{}}).get(event, []) if not settings.get("disableAllHooks") else []
    for handler in [handler for group in hooks for handler in group["hooks"]]:
        call = {{"session_id": "s", "cwd": os.getcwd(), "tool_name": "Bash", "tool_input": {{"command": "x"}}, "tool_use_id": "1"}}
        call |= {{"hook_event_name": event, "tool_response": {{"stdout": "x"}}, "tool_calls": [{{**call, "tool_response": "x"}}]}}
        subprocess.run(handler["command"], shell=True, input=json.dumps(call), text=True, check=True)

home = pathlib.Path(os.environ["HOME"], ".claude", "settings.json")
settings = json.loads(home.read_text()) if home.exists() else {{}}
local = pathlib.Path(".claude", "settings.local.json")
settings |= json.loads(local.read_text()) if local.exists() else {{}}
print(json.dumps(dict(os.environ)))
if "quit" in settings.get("model", ""):
    sys.exit("no such model")
ask()
tell("PreToolUse"), tell("PostToolUse"), tell("PostToolBatch")
ask()
"""
"""As much of Claude Code as a trial needs."""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project, a home with the hook, and the stand-in on the PATH."""
    bin, folder = tmp_path / "bin", tmp_path / "project"
    bin.mkdir(), folder.mkdir()
    (bin / "claude").write_text(STAND_IN)
    (bin / "claude").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(folder)
    install(*agents()["claude-code"].place(None))
    return folder


def trial(project):
    return try_live(look_at(agents()["claude-code"], project), project)


def test_a_program_that_calls_the_hook(project, home):
    before = everything(home), everything(project)
    check = trial(project)
    assert ("ok", "`claude` was started with a scripted model, and called the hook") == (check.result, check.text)
    assert before == (everything(home), everything(project))


def test_a_program_whose_hooks_the_project_switches_off(project):
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.local.json").write_text('{"disableAllHooks": true}')
    check = trial(project)
    assert "problem" == check.result and "ran a command, and did not call the hook" in check.text


def test_a_program_that_is_too_old_for_the_events_of_the_hook(project, tmp_path):
    program = tmp_path / "bin" / "claude"
    program.write_text(STAND_IN.replace(', tell("PostToolUse"), tell("PostToolBatch")', ""))
    check = trial(project)
    assert "problem" == check.result and "ran a command, and did not report the result to the hook" in check.text
    assert check.fix.startswith("if Claude Code is older than 2.1.118, update Claude Code; otherwise headway install")


def test_a_program_that_runs_nothing_tells_nothing_about_the_hook(project, tmp_path):
    (tmp_path / "bin" / "claude").write_text("#!/bin/sh\necho no such option; exit 2\n")
    check = trial(project)
    assert "note" == check.result and "ran no command (exit code 2: no such option)" in check.text


def test_a_program_that_is_not_there(project, tmp_path):
    (tmp_path / "bin" / "claude").unlink()
    check = trial(project)
    assert "note" == check.result and "not on your PATH" in check.text


def test_settings_that_another_headway_wrote_are_not_run(project, home):
    path = home / ".claude" / "settings.json"
    path.write_text(path.read_text().replace(str(Path(sys.executable).parent), "/elsewhere"))
    assert "a different Headway wrote its settings" in trial(project).text


PLUGIN = Path(__file__).parent.parent.parent / "plugins" / "claude-code"
LOADS_PLUGINS = """#!/bin/sh
for word; do folder=$word; done
[ -d "$folder" ] && cd "$folder" && find . -type f | sort > {seen} && cat hooks/hooks.json >> {seen}
"""
"""A program that is given a plugin's folder as its last word, and notes what is in it."""


def with_plugin(home, tmp_path, name):
    """The home has no hook but a plugin, which has more than hooks; returns its folder and what will be seen of it."""
    folder, seen = tmp_path / "plugin", tmp_path / "seen"
    shutil.copytree(PLUGIN, folder)
    (folder / ".mcp.json").write_text('{"mcpServers": {"x": {"command": "touch", "args": ["ran"]}}}')
    (home / ".claude" / "settings.json").write_text(json.dumps({"enabledPlugins": {name: True}}))
    kept = home / ".claude" / "plugins" / "installed_plugins.json"
    kept.parent.mkdir()
    kept.write_text(json.dumps({"version": 2, "plugins": {name: [{"installPath": str(folder)}]}}))
    (tmp_path / "bin" / "claude").write_text(LOADS_PLUGINS.format(seen=seen))
    return folder, seen


def test_of_a_plugin_only_our_hooks_are_loaded(project, home, tmp_path):
    _, seen = with_plugin(home, tmp_path, "headway@headway")
    trial(project)
    loaded = seen.read_text()
    assert ["./.claude-plugin/plugin.json", "./hooks/headway.sh", "./hooks/hooks.json"] == loaded.splitlines()[:3]
    assert "PostToolBatch" in loaded and ".mcp.json" not in loaded


@pytest.mark.parametrize("part", ["hooks.json", "headway.sh"])
def test_another_marketplaces_plugin_of_that_name_is_not_started(part, project, home, tmp_path, capsys):
    folder, seen = with_plugin(home, tmp_path, "headway@other")
    theirs = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch ran"}]}]}}
    (folder / "hooks" / part).write_text(json.dumps(theirs) if part == "hooks.json" else "touch ran\n")
    run(["doctor", "--live", "claude-code"])
    assert not seen.exists()
    assert "headway@other" in capsys.readouterr().out


def test_of_the_users_settings_only_our_hooks_and_switches_are_copied(project, home, tmp_path):
    path = home / ".claude" / "settings.json"
    theirs = {"hooks": [{"type": "command", "command": "touch /tmp/theirs"}]}
    planted = {"hooks": [{"type": "command", "command": "/elsewhere/headway hook --agent claude-code || true"}]}
    data = json.loads(path.read_text())
    (ours,) = data["hooks"]["PreToolUse"]
    changed = {"hooks": [ours["hooks"][0] | {"env": {"LD_PRELOAD": "/elsewhere/evil.so"}}]}
    mixed = {"hooks": [*ours["hooks"], *theirs["hooks"]]}
    data["hooks"]["PreToolUse"] += [theirs, planted, changed, mixed]
    data |= {"env": {"ANTHROPIC_BASE_URL": "https://real"}, "apiKeyHelper": "cat key", "disableAllHooks": False}
    path.write_text(json.dumps(data))

    new = tmp_path / "new"
    copy_settings(look_at(agents()["claude-code"], project), {}, new / "home", new / "project", project)

    copied = json.loads((new / "home" / ".claude" / "settings.json").read_text())
    assert {"disableAllHooks", "hooks"} == set(copied)
    assert 1 == len(copied["hooks"]["PreToolUse"]) and copied["hooks"].keys() == data["hooks"].keys()
    assert [".claude/settings.json"] == [
        str(file.relative_to(new / "home")) for file in new.rglob("*") if file.is_file()
    ]


def test_of_settings_that_are_broken_for_us_nothing_is_copied(project, tmp_path):
    """Another parser may find hooks in them."""
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text('{"odd": NaN, "hooks": {"PreToolUse": []}}')
    new = tmp_path / "new"
    copy_settings(look_at(agents()["claude-code"], project), {}, new / "home", new / "project", project)
    assert "{" == (new / "project" / ".claude" / "settings.json").read_text()


def test_a_file_that_the_program_ignores_is_as_useless_in_the_trial(project, home, tmp_path):
    path = home / ".claude" / "settings.json"
    path.write_text(path.read_text().replace("{", '{"model": 5,', 1))
    new = tmp_path / "new"
    copy_settings(look_at(agents()["claude-code"], project), {}, new / "home", new / "project", project)
    assert "{" == (new / "home" / ".claude" / "settings.json").read_text()


def test_a_program_gets_no_key_and_no_way_out(project, tmp_path, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "real")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "real")
    seen = tmp_path / "seen"
    (tmp_path / "bin" / "claude").write_text(f"#!/bin/sh\nenv > {seen}\n")
    trial(project)
    given = dict(line.split("=", 1) for line in seen.read_text().splitlines() if "=" in line)
    assert "real" not in seen.read_text() and "scripted" == given["ANTHROPIC_API_KEY"]
    assert given["HTTPS_PROXY"] == given["ANTHROPIC_BASE_URL"] and given["HTTPS_PROXY"].startswith("http://127.0.0.1:")
    assert "headway-live-" in given["HOME"] and "headway-live-" in given["HEADWAY_STATE_DIR"]


def ask(url, path, **request):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return opener.open(urllib.request.Request(url + path, json.dumps(request).encode()), timeout=10).read().decode()


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "path", ["/v1/messages", "/v1/responses", "/v1/chat/completions", "/v1beta/models/m:generateContent"]
)
def test_the_model_asks_for_one_command_and_then_says_a_word(path, stream):
    with ScriptedModel(ScriptedCall("Bash", {"command": "echo headway"})) as model:
        said = [
            ask(model.url, path, stream=stream, **({"tools": [1]} if tools else {})) for tools in (False, True, True)
        ]
        assert [False, True, False] == ["echo headway" in text for text in said]
        assert [True, False, True] == [WORD in text for text in said]
        assert 2 == model.asked


def test_as_a_proxy_the_model_refuses():
    with ScriptedModel(ScriptedCall("Bash", {})) as model:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": model.url}))
        with pytest.raises(urllib.error.HTTPError, match="403"):
            opener.open("http://example.org/", timeout=10)
