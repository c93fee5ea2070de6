"""Codex CLI: `hooks.json` or `[hooks]` in `config.toml`; Codex asks its user to trust a hook before it runs.

It can be told and refused. A run cannot be stopped by an answer: after a stop every further call is refused, and with
`--interrupt` the Codex process is interrupted as its user would with Ctrl-C. Unknown keys make an answer invalid.
"""

from headway.hosts.hook.heard import AFTER, BEFORE, COMPACTED, PROMPT, SESSION_END, START, TURN_END, Heard, ToolUse
from headway.hosts.hook.host import Host, keep_going, nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_PATCH = "*** Begin Patch"
_TAIL = 200_000
"""Bytes at the end of a rollout in which the result that just came is looked for."""


class Codex(Host):
    """OpenAI's Codex CLI."""

    name = "codex"
    moments = {
        "SessionStart": START, "UserPromptSubmit": PROMPT, "PreToolUse": BEFORE, "PostToolUse": AFTER,
        "PreCompact": COMPACTED, "Stop": TURN_END, "SubagentStop": TURN_END, "SessionEnd": SESSION_END,
    }  # fmt: skip
    fields = {"prompt_id": ("turn_id",)}

    def uses(self, event: str, moment: str, data: "Mapping[str, Any]") -> tuple[ToolUse, ...]:
        """A patch that is run through the shell is announced, but no result of it ever comes: it counts as done."""
        uses = super().uses(event, moment, data)
        if moment == BEFORE and _PATCH in str(uses[0].args.get("command")):
            uses[0].response = ""
        return uses

    def result(self, use: ToolUse, heard: Heard) -> "dict[str, Any]":
        """The text comes on stdin, the exit code only stands in the rollout."""
        found = super().result(use, heard)
        return found | {"exit_code": exit_code_in_rollout(heard.transcript, use.id)}

    def answer(self, heard: Heard, action: str, message: str) -> "dict[str, Any] | None":
        """Context, or a refusal with a reason; nothing else is valid."""
        if heard.moment == BEFORE and action in ("block", "stop", "escalate"):
            return nested(heard, permissionDecision="deny", permissionDecisionReason=message)
        if heard.moment in (BEFORE, AFTER, PROMPT, START):
            return nested(heard, additionalContext=message)
        if heard.moment == TURN_END and action == "stop":
            return {"continue": False, "stopReason": message}
        return keep_going(heard, action, message)


def exit_code_in_rollout(path: str, call: str) -> int | None:
    """The exit code of a command that has just ended, from the end of the session's recording."""
    import json
    import os

    try:
        with open(path, "rb") as rollout:
            rollout.seek(max(0, os.path.getsize(path) - _TAIL))
            lines = rollout.read().splitlines()
    except (OSError, ValueError):
        return None
    for line in reversed(lines):
        if b'"exit_code"' in line and call.encode() in line:
            try:
                item = json.loads(line)["payload"]["item"]
            except (ValueError, KeyError, TypeError):
                continue
            if isinstance(item, dict) and item.get("id") == call and isinstance(item.get("exit_code"), int):
                code: int = item["exit_code"]
                return code
    return None
