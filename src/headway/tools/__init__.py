"""What tool calls mean: every agent's tools, and shell commands, as one small vocabulary.

`meaning` reads a call, `shell` a command line, `outcome` what came back. The names they know are data, in
`vocabulary.toml` (agents' tools) and `shell/programs.toml` (shell programs). An agent program has one name, however a
hook, a trace or a person says it: `program_name`.
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
    """The one name of a program; one that is not known keeps its own."""
    return _OTHER_NAMES.get(name.lower(), name)
