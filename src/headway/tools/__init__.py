"""What tool calls mean: every agent's tools, and shell commands, as one small vocabulary.

`meaning` interprets a call, `shell` a command line, `outcome` a result. The known names are data, in
`vocabulary.toml` (agents' tools) and `shell/programs.toml` (shell programs). `program_name` gives an agent program one
name, however a hook, a trace or a person spells it.
"""

_OTHER_NAMES = {
    "claude": "claude-code",
    "codex_cli_rs": "codex",
    "codex_exec": "codex",
    "codex-cli": "codex",
    "copilot": "copilot-cli",
    "github-copilot": "copilot-cli",
    "gemini": "gemini-cli",
    "qwen": "qwen-code",
}


def program_name(name: str) -> str:
    """The one name of a program; an unknown name is returned unchanged."""
    return _OTHER_NAMES.get(name.lower(), name)
