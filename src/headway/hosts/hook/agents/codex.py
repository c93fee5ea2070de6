"""Codex CLI: `hooks.json` or `[hooks]` in `config.toml`. Codex asks its user to trust a hook before it runs.

It can be nudged and refused. An answer cannot stop a run: after a stop every further call is refused, and with
`--interrupt` a `codex exec` gets the signal of Ctrl-C. Unknown keys make an answer invalid.

A failed patch is announced and never reported, and a patch through the shell is not reported on success either. Its
result is in the rollout, the recording that Codex writes, before the next event.
"""

from headway.hosts.abilities import Abilities
from headway.hosts.hook.event import (
    AFTER,
    BEFORE,
    COMPACTED,
    PROMPT,
    SESSION_END,
    START,
    TURN_END,
    HookEvent,
    Response,
    ToolUse,
)
from headway.hosts.hook.host import Host, keep_going, nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from headway.core.call import Call

_PATCHES = "apply_patch"
_PATCH = "*** Begin Patch"
_FAILED = "apply_patch verification failed"
_WAITS = (0.05, 0.15, 0.3)
"""Seconds to wait in turn while Codex may still be writing about a patch."""
_TAIL = 200_000
"""Bytes at the end of a rollout in which the latest result is searched."""


class Codex(Host):
    """OpenAI's Codex CLI."""

    name = "codex"
    moments = {
        "SessionStart": START, "UserPromptSubmit": PROMPT, "PreToolUse": BEFORE, "PostToolUse": AFTER,
        "PreCompact": COMPACTED, "Stop": TURN_END, "SubagentStop": TURN_END, "SessionEnd": SESSION_END,
    }  # fmt: skip
    usage_mark = b'"token_count"'
    can = Abilities((BEFORE, AFTER, PROMPT, START), hold=True)
    fields = {"prompt_id": ("turn_id",)}

    def may_go_unreported(self, use: ToolUse) -> bool:
        """Only patches may."""
        return use.tool == _PATCHES or _PATCH in str(use.args.get("command"))

    def unreported(self, call: "Call", hook_event: HookEvent, is_over: bool) -> "dict[str, Any] | None":
        """The result of a patch in the rollout; if there is none, a patch of its own tool has failed."""
        found = patch_in_rollout(hook_event.transcript, call.id, call.at)
        if found is None and hook_event.moment == BEFORE and not is_over:
            found = _found_soon(hook_event.transcript, call)
        if found is None and is_over:
            return {"failed": call.tool_name == _PATCHES}
        return found

    def result(self, use: ToolUse, hook_event: HookEvent) -> "dict[str, Any]":
        """The text comes on stdin; the exit code is only in the rollout."""
        found = super().result(use, hook_event)
        return found | {"exit_code": exit_code_in_rollout(hook_event.transcript, use.id)}

    def usage_in(self, record: "Mapping[str, Any]", agent: str) -> Response | None:
        """What the last answer used. A record with the same total as before is about the same answer."""
        info = (record.get("payload") or {}).get("info") or {}
        total, last = info.get("total_token_usage"), info.get("last_token_usage")
        if not total or not last:
            return None
        id = f"{total.get('input_tokens')} {total.get('output_tokens')}"
        return Response(
            id, None, last.get("input_tokens"), last.get("output_tokens"), last.get("cached_input_tokens"), 0
        )

    def answer(self, hook_event: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
        """Context, or a refusal with a reason; nothing else is valid."""
        if hook_event.moment == BEFORE and action != "nudge":
            return nested(hook_event, permissionDecision="deny", permissionDecisionReason=message)
        if hook_event.moment in self.can.tell:
            return nested(hook_event, additionalContext=message)
        if hook_event.moment == TURN_END and action == "stop":
            return {"continue": False, "stopReason": message}
        return keep_going(hook_event, action, message)


def exit_code_in_rollout(path: str, call: str) -> int | None:
    """The exit code of a command that has just ended, from the end of the rollout."""
    for _, payload in _records(path, b'"exit_code"', call.encode()):
        item = payload.get("item")
        if isinstance(item, dict) and item.get("id") == call and isinstance(item.get("exit_code"), int):
            code: int = item["exit_code"]
            return code
    return None


def patch_in_rollout(path: str, call: str, at: float | None) -> "dict[str, Any] | None":
    """The result of a patch, from the end of the rollout; None if it is not there.

    A script (`exec`) calls tools with ids that occur nowhere else. There a patch failed if no file change is recorded
    under its id and the script that was running when it was announced (`at`) has ended.
    """
    from headway.tools.envelope import plain_text

    for _, payload in _records(path, b'"FileChange"', call.encode()):
        item = payload.get("item")
        if isinstance(item, dict) and item.get("id") == call:
            return {"output": plain_text(item.get("stdout")), "failed": item.get("status") != "completed"}
    for written, payload in _records(path, b'_call_output"'):
        is_script = call.startswith("exec-") and written is not None and at is not None and written > at
        if is_script or payload.get("call_id") == call:
            text = plain_text(payload.get("output"))
            return {"output": text[max(0, text.find(_FAILED)) :], "failed": True}
    return None


def _found_soon(path: str, call: "Call") -> "dict[str, Any] | None":
    """The same, with retries: on a busy machine Codex may still be writing when it runs the next hook."""
    import os
    import time

    for wait in _WAITS if os.path.exists(path) else ():
        time.sleep(wait)
        found = patch_in_rollout(path, call.id, call.at)
        if found is not None:
            return found
    return None


def _records(path: str, *marks: bytes) -> "Iterator[tuple[float | None, dict[str, Any]]]":
    """The latest records of a rollout that contain all marks, latest first, each with its time."""
    import json
    import os
    from datetime import datetime

    try:
        with open(path, "rb") as rollout:
            rollout.seek(max(0, os.path.getsize(path) - _TAIL))
            lines = rollout.read().splitlines()
    except (OSError, ValueError):
        return
    for line in reversed(lines):
        if all(mark in line for mark in marks):
            try:
                record = json.loads(line)
                written = datetime.fromisoformat(record["timestamp"]).timestamp() if "timestamp" in record else None
                payload = record["payload"]
            except (ValueError, KeyError, TypeError):
                continue
            if isinstance(payload, dict):
                yield written, payload
