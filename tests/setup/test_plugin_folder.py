"""The plugin folder for Claude Code says the same as `headway install claude-code`."""

import json
from pathlib import Path

import headway
from headway.setup import agents

ROOT = Path(__file__).parent.parent.parent
PLUGIN = ROOT / "plugins" / "claude-code"


def test_the_plugin_has_the_hooks_that_install_writes(tmp_path):
    _, form = agents()["claude-code"].place(tmp_path)  # settings that are shared name no path either
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())
    assert json.loads(form.installed(""))["hooks"] == hooks["hooks"]


def test_the_plugin_is_of_this_version_and_in_the_marketplace():
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    assert headway.__version__ == manifest["version"]
    (listed,) = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())["plugins"]
    assert (manifest["name"], PLUGIN) == (listed["name"], (ROOT / listed["source"]).resolve())
    assert (ROOT / "LICENSE").read_bytes() == (PLUGIN / "LICENSE").read_bytes()
