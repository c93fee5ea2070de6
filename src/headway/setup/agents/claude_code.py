"""Claude Code: `hooks` in `settings.json`."""

from pathlib import Path

from headway.setup.agent import Agent, home_of, switched_off


class ClaudeCode(Agent):
    """`PostToolBatch` tells the results of all calls, so that no event is needed for each of them."""

    name = "claude-code"
    title = "Claude Code"
    program = "claude"
    events = (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolBatch",
        "PreCompact",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "SessionEnd",
    )

    def user_file(self) -> Path:
        """`~/.claude/settings.json`."""
        return home_of("CLAUDE_CONFIG_DIR", ".claude") / "settings.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.claude/settings.json`."""
        return folder / ".claude" / "settings.json"

    def obstacles(self, path: Path) -> list[tuple[str, str]]:
        """All hooks can be switched off at once."""
        return switched_off(path, "disableAllHooks", True)
