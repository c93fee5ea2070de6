"""What agent programs are called: one name each, however a hook, a trace or a person says it."""

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
