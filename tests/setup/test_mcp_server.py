"""`headway install … --mcp`: Headway's MCP server beside the servers of the user."""

import json
import tomllib

import pytest

from headway.setup.agents.claude_code import ClaudeCode
from headway.setup.agents.codex import Codex
from headway.setup.form import UnfitError
from headway.setup.mcp_server import JsonServer, TomlServer
from tests.setup.test_commands import headway
from tests.setup.words import everything

OTHER = {"command": "uvx", "args": ["mcp-server-fetch"]}
JSON = [
    None,
    "{}\n",
    '{"numStartups": 7, "mcpServers": {}}',
    '{\n  "numStartups": 7,\n  "mcpServers": {\n    "fetch": {"command": "uvx", "args": ["mcp-server-fetch"]}\n  },\n  "last": [1, 2]\n}\n',
    '{\r\n\t"mcpServers": {"fetch": {"command": "uvx"}}\r\n}\r\n',
]
TOML = [
    None,
    'model = "gpt-5"\n',
    '# mine\n[mcp_servers.fetch]\ncommand = "uvx"  # fast\nargs = ["mcp-server-fetch"]',
    '[mcp_servers]\r\nfetch = {command = "uvx"}\r\n',
    '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "notify-send hi"\n',
]


def written(path, old):
    path.parent.mkdir(exist_ok=True)
    if old is not None:
        path.write_bytes(old.encode())


@pytest.mark.parametrize("old", JSON)
@pytest.mark.parametrize("project", [False, True])
def test_claude_code_there_and_back(home, monkeypatch, old, project):
    monkeypatch.chdir(home)
    path, options = (home / ".mcp.json", ["--project"]) if project else (home / ".claude.json", [])
    written(path, old)
    before = everything(home)
    done = headway("install", "claude-code", "--mcp", *options)
    assert 0 == done.returncode and f"the MCP server is now in {path}" in done.stdout
    servers = json.loads(path.read_text())["mcpServers"]
    ours = servers.pop("headway")
    assert (
        "stdio" == ours["type"]
        and ours["command"].endswith("headway")
        and ["mcp", "--agent", "claude-code"] == ours["args"]
    )
    assert ("headway" == ours["command"]) == project, "settings that are shared name no path"
    assert (json.loads(old) if old else {}).get("mcpServers", {}) == servers, "those of the user stay"
    once = everything(home)
    assert f"the MCP server was already in {path}" in headway("install", "claude-code", "--mcp", *options).stdout
    headway("install", "claude-code", *options)
    assert once == everything(home), "installing again changes nothing"
    done = headway("uninstall", "claude-code", *options)
    assert 0 == done.returncode and f"the MCP server was removed from {path}" in done.stdout
    assert before == everything(home)


@pytest.mark.parametrize("old", TOML)
@pytest.mark.parametrize("project", [False, True])
def test_codex_there_and_back(home, monkeypatch, old, project):
    monkeypatch.chdir(home)
    path, options = home / ".codex" / "config.toml", ["--project"] if project else []
    written(path, old)
    before = everything(home)
    done = headway("install", "codex", "--mcp", *options)
    assert 0 == done.returncode and f"the MCP server is now in {path}" in done.stdout
    servers = tomllib.loads(path.read_bytes().decode())["mcp_servers"]
    ours = servers.pop("headway")
    assert ours["command"].endswith("headway") and ["mcp", "--agent", "codex"] == ours["args"]
    assert "HEADWAY_STATE_DIR" in ours["env_vars"]
    assert (tomllib.loads(old) if old else {}).get("mcp_servers", {}) == servers
    once = everything(home)
    assert f"the MCP server was already in {path}" in headway("install", "codex", "--mcp", *options).stdout
    assert once == everything(home)
    assert 0 == headway("uninstall", "codex", *options).returncode
    assert before == everything(home)


def test_a_dry_run_shows_both_files_and_changes_nothing(home):
    before = everything(home)
    shown = headway("install", "claude-code", "--mcp", "--dry-run").stdout
    assert '"PreToolUse"' in shown and '"mcpServers"' in shown and before == everything(home)


def test_the_folder_of_claude_code_can_be_elsewhere(home, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "elsewhere"))
    assert home / "elsewhere" / ".claude.json" == ClaudeCode().server_place(None)[0]


def test_what_the_program_changes_meanwhile_stays(home):
    path = home / ".claude.json"
    written(path, '{"numStartups": 1}')
    headway("install", "claude-code", "--mcp")
    data = json.loads(path.read_text()) | {"numStartups": 2}
    path.write_text(json.dumps(data, indent=2))
    headway("uninstall", "claude-code")
    assert {"numStartups": 2} == json.loads(path.read_text())


def test_a_table_that_codex_adds_inside_of_the_block_stays(home):
    _, form = Codex().server_place(None)
    text = form.installed('model = "gpt-5"\n').replace(
        TomlServer.end, f'[projects."/x"]\ntrust_level = "trusted"\n{TomlServer.end}'
    )
    assert {"model": "gpt-5", "projects": {"/x": {"trust_level": "trusted"}}} == tomllib.loads(form.removed(text, None))


@pytest.mark.parametrize("entry", [OTHER, {"command": "/bin/headway", "args": ["serve"]}, {"url": "http://x"}, 7])
def test_a_server_of_another_with_the_same_name_is_left_alone(home, entry):
    with pytest.raises(UnfitError, match="another MCP server called `headway`"):
        ClaudeCode().server_place(None)[1].installed(json.dumps({"mcpServers": {"headway": entry}}))
    text = json.dumps({"mcpServers": {"headway": entry}})
    assert [] == ClaudeCode().server_place(None)[1].commands(text)


def test_a_toml_server_of_another_with_the_same_name_is_left_alone(home):
    with pytest.raises(UnfitError, match="another MCP server called `headway`"):
        Codex().server_place(None)[1].installed('[mcp_servers.headway]\ncommand = "other"\n')


@pytest.mark.parametrize("text", ["[]", '{"mcpServers": []}', '{"mcpServers": 1}', "{"])
def test_a_file_of_another_form_is_refused(text):
    with pytest.raises(UnfitError):
        JsonServer({"command": "headway", "args": ["mcp"]}).installed(text)


def test_other_agents_have_no_such_option():
    done = headway("install", "gemini", "codex", "--mcp")
    assert 2 == done.returncode and "--mcp works with claude-code and codex only, not with gemini" in done.stderr
