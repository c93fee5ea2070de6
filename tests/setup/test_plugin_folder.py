"""The plugin folder for Claude Code does what `headway install claude-code` does, and finds Headway by itself."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

import headway
from headway.setup import agents
from headway.setup.claude_plugin import LINES, SCRIPT_DIGEST

ROOT = Path(__file__).parent.parent.parent
PLUGIN = ROOT / "plugins" / "claude-code"
EVENT = {"session_id": "s1", "cwd": "/p", "hook_event_name": "SessionStart", "source": "startup"}


def test_the_plugin_asks_for_the_events_that_install_asks_for():
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
    assert set(agents()["claude-code"].events) == set(hooks)
    lines = {event: handler["command"] for event, ((group,)) in hooks.items() for handler in group["hooks"]}
    start = lines.pop("SessionStart")
    assert {'sh "${CLAUDE_PLUGIN_ROOT}/hooks/headway.sh"'} == set(lines.values())
    assert start == 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/headway.sh" start'
    assert set(LINES) == {start, *lines.values()}


def test_the_doctor_knows_the_script_of_the_plugin():
    assert SCRIPT_DIGEST == sha256((PLUGIN / "hooks" / "headway.sh").read_bytes()).hexdigest()


def test_the_plugin_is_of_this_version_and_in_the_marketplace():
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    assert headway.__version__ == manifest["version"]
    (listed,) = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())["plugins"]
    assert (manifest["name"], PLUGIN) == (listed["name"], (ROOT / listed["source"]).resolve())
    assert (ROOT / "LICENSE").read_bytes() == (PLUGIN / "LICENSE").read_bytes()


@pytest.fixture
def bin(tmp_path):
    """A folder for programs; beside it the PATH has the shell's own only."""
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


def program(bin, name, body):
    (bin / name).write_text(f"#!/bin/sh\n{body}\n")
    (bin / name).chmod(0o755)


def hook(tmp_path, bin, *arguments, data="data"):
    """One call of the plugin's script, as Claude Code makes it."""
    environment = {"PATH": f"{bin}:/usr/bin:/bin", "HOME": str(tmp_path), "CLAUDE_PLUGIN_DATA": str(tmp_path / data)}
    return subprocess.run(
        ["sh", PLUGIN / "hooks" / "headway.sh", *arguments], input=json.dumps(EVENT), capture_output=True, text=True,
        env=environment, check=True, timeout=60,
    )  # fmt: skip


OURS = f'exec {Path(sys.executable).parent / "headway"} "$@"'
COUNTED = 'echo "$*" >> "$(dirname "$0")/calls"'


def calls(bin):
    return (bin / "calls").read_text().splitlines() if (bin / "calls").exists() else []


@pytest.mark.parametrize("other", [None, "echo another project; exit 0", "exit 3"], ids=["none", "another", "failing"])
def test_without_headway_it_says_so_once_and_starts_nothing_after_that(other, bin, tmp_path):
    if other:
        program(bin, "headway", f"{COUNTED}\n{other}")
    first = hook(tmp_path, bin, "start")
    asked = calls(bin)
    later = [hook(tmp_path, bin) for _ in range(3)]

    assert "uv tool install headway-agents" in json.loads(first.stdout)["systemMessage"]
    assert ["hook --help"] * bool(other) == asked == calls(bin)
    assert {("", "")} == {(one.stdout, one.stderr) for one in later} and "" == first.stderr


def test_headway_on_the_path_is_called(bin, tmp_path):
    program(bin, "headway", f"{COUNTED}\n{OURS}")
    assert "" == hook(tmp_path, bin, "start").stdout
    hook(tmp_path, bin)
    assert ["hook --help", *["hook --agent claude-code"] * 2] == calls(bin)


def test_otherwise_uvx_brings_it(bin, tmp_path):
    program(bin, "uvx", f"{COUNTED}\nshift 4\n{OURS}")
    assert "" == hook(tmp_path, bin, "start").stdout
    hook(tmp_path, bin)
    assert "--quiet --from headway-agents headway hook --agent claude-code" == calls(bin)[-1]


def test_a_headway_that_is_gone_since_disturbs_nobody(bin, tmp_path):
    program(bin, "headway", OURS)
    hook(tmp_path, bin, "start")
    (bin / "headway").unlink()
    assert ("", "") == (hook(tmp_path, bin).stdout, hook(tmp_path, bin).stderr)


@pytest.mark.parametrize(
    "words", [["status"], ["allow"], ["mute", "exact_cycle"], ["stop", "3f2a"], ["scan", "/"], ["status; touch", "x"]]
)
def test_the_slash_commands_run_five_commands_and_no_other(words, bin, tmp_path):
    program(bin, "headway", COUNTED)
    done = subprocess.run(
        ["sh", PLUGIN / "hooks" / "command.sh", *words], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={"PATH": f"{bin}:{os.defpath}", "HOME": str(tmp_path)}, timeout=60,
    )  # fmt: skip
    known = words[0] in ("status", "allow", "mute", "stop", "off")
    assert known == (calls(bin) == [" ".join(words)]) and known != ("Usage" in done.stdout)


def test_there_is_a_slash_command_for_each():
    pages = {page.stem: page.read_text() for page in (PLUGIN / "commands").glob("*.md")}
    assert {"status", "allow", "mute", "stop", "off"} == set(pages)
    assert all(f'/hooks/command.sh" {name} $ARGUMENTS`' in page for name, page in pages.items())
    assert all("disable-model-invocation: true" in page for page in pages.values()), "only a person may allow"
    allowed = 'allowed-tools: Bash(sh "${CLAUDE_PLUGIN_ROOT}/hooks/command.sh":*)\n'
    assert all(allowed in page for page in pages.values()), "no other command is allowed with it"
