"""Claude Code: `hooks` in `settings.json`."""

from pathlib import Path

from headway.setup.agent import Agent, home_of


class ClaudeCode(Agent):
    """Failed edits and unknown tools are only told in `PostToolBatch`."""

    name = "claude-code"
    title = "Claude Code"
    program = "claude"
    events = (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "PreCompact",
        "Stop",
        "SubagentStop",
        "SessionEnd",
    )

    def user_file(self) -> Path:
        """`~/.claude/settings.json`."""
        return home_of("CLAUDE_CONFIG_DIR", ".claude") / "settings.json"

    def project_file(self, folder: Path) -> Path:
        """The project's `.claude/settings.json`."""
        return folder / ".claude" / "settings.json"
