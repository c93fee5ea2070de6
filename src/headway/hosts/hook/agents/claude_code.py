"""Claude Code: hooks in `settings.json` or in a plugin.

It can be nudged, refused and stopped. `continue: false` alone would let the tool run once more, so a stop before a call
also refuses it. `PostToolBatch` reports the results of all calls of an answer as the model sees them, including calls
that were denied or had invalid input, which no other event reports. So two events are enough for a step. Results of
single calls are understood too, for installations with more events.
"""

from headway.hosts import as_arguments
from headway.hosts.abilities import Abilities
from headway.hosts.hook.event import (
    AFTER,
    BATCH,
    BEFORE,
    COMPACTED,
    NEWS,
    PROMPT,
    SESSION_END,
    START,
    TASK,
    TURN_END,
    WAITING,
    HookEvent,
    Response,
    ToolUse,
)  # fmt: skip
from headway.hosts.hook.host import Host, keep_going, nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_INVALID, _END_OF_IT = "<tool_use_error>", "</tool_use_error>"
_NOT_RUN = (
    r"PreToolUse:\S+ hook error: |Claude requested permissions? to "
    r"|Permission to use [\s\S]{0,5000}? has been denied|Permission for this action (?:was|has been) denied"
    r"|This (?:\w+ )?command (?:requires approval|contains multiple operations\. The following parts require approval)"
    r"|[^\n]* needs approval\. (?:The path is (?:in|out)side the working directories|Allowing )"
    r"|Cannot (?:write to|call) [^\n]* while in plan mode\.|Auto mode is unavailable: "
    r"|The user doesn't want to (?:proceed|take)|Headway asks the user|Tool use is not allowed during compaction"
)
"""The beginning of the result of a denied call: by a rule, a mode, a person or a hook."""
_OF_A_DENIAL = ("hook error", "ermission", "approval", " mode", "doesn't want", "Headway asks", "not allowed during")
"""Each denial contains one of these. Most results contain none, so the pattern is not compiled for them."""
_QUESTIONS = ("permission_prompt", "elicitation_dialog")
"""Types of notifications that ask a person something."""
_NO_OUTPUT = "(Bash completed with no output)"
_BULKY = {"originalFile", "structuredPatch", "oldString", "newString", "content", "prompt"}
"""Fields of a result that repeat the call, or the file before the change."""


class ClaudeCode(Host):
    """Anthropic's Claude Code."""

    name = "claude-code"
    moments = {
        "SessionStart": START, "UserPromptSubmit": PROMPT, "PreToolUse": BEFORE, "PostToolUse": AFTER,
        "PostToolUseFailure": AFTER, "PostToolBatch": BATCH, "PreCompact": COMPACTED, "Stop": TURN_END,
        "SubagentStart": TASK, "SubagentStop": TURN_END, "SessionEnd": SESSION_END, "Notification": WAITING,
    }  # fmt: skip
    asks = ("AskUserQuestion", "ExitPlanMode")
    failures = ("PostToolUseFailure",)
    usage_mark = b'"usage"'
    shows_remarks = True
    can = Abilities((BEFORE, AFTER, BATCH, PROMPT, NEWS, START), stop=True, hold=True, ask=True)

    def is_meaningful(self, moment: str, data: "Mapping[str, Any]") -> bool:
        """Only notifications that ask a person something. One also comes a minute after each turn."""
        if moment != WAITING:
            return super().is_meaningful(moment, data)
        kind = data.get("notification_type")
        return kind in _QUESTIONS or (kind is None and "permission" in self.text(data, "notice"))

    def uses(self, event: str, moment: str, data: "Mapping[str, Any]") -> tuple[ToolUse, ...]:
        """A batch reports all its calls at once, as the model sees them."""
        calls = data.get("tool_calls")
        if moment != BATCH or not isinstance(calls, list):
            uses = super().uses(event, moment, data)
        else:
            uses = tuple(
                ToolUse(
                    self.text(call, "call"),
                    self.text(call, "tool"),
                    as_arguments(self.value(call, "args")),
                    response=self.value(call, "response"),
                )
                for call in calls
                if isinstance(call, dict)
            )
        for use in uses:
            use.args = _as_announced(use.args, self.text(data, "cwd"))
        return uses

    def result(self, use: ToolUse, hook_event: HookEvent) -> "dict[str, Any]":
        """A successful result is structured; a failed one is the text that the model sees."""
        if hook_event.moment == BATCH:
            text = _in_batch(use.response)
            denied = _was_denied(text)
            invalid = text.startswith(_INVALID)
            text = text.removeprefix(_INVALID).removesuffix(_END_OF_IT)
            return {
                "output": "" if text == _NO_OUTPUT else text,
                "failed": True if invalid or denied else None,
                "denied": denied,
            }
        from headway.tools.envelope import plain_text
        from headway.tools.hits import hits_in

        if use.failed:
            return {"output": plain_text(use.response), "failed": True}
        hits = hits_in(use.response) if isinstance(use.response, dict) else None
        return {"output": shown(use.response), "failed": False, "hits": hits}

    def transcript_of(self, hook_event: HookEvent) -> str:
        """A sub-agent has a file of its own, in the folder of the session that started it."""
        path, agent = hook_event.transcript, hook_event.agent
        if not agent:
            return path
        is_id = agent.isascii() and agent.replace("-", "").replace("_", "").isalnum()
        return f"{path.removesuffix('.jsonl')}/subagents/agent-{agent}.jsonl" if path and is_id else ""

    def usage_in(self, record: "Mapping[str, Any]", agent: str) -> Response | None:
        """The usage of an answer. Older versions write those of sub-agents between those of the main agent."""
        message, usage = record.get("message") or {}, (record.get("message") or {}).get("usage")
        is_other = bool(record.get("isSidechain")) and not agent
        if record.get("type") != "assistant" or not usage or is_other or message.get("model") == "<synthetic>":
            return None
        cached, written = usage.get("cache_read_input_tokens") or 0, usage.get("cache_creation_input_tokens") or 0
        whole = (usage.get("input_tokens") or 0) + cached + written
        id = f"{message.get('id')} {record.get('requestId')}"
        return Response(id, message.get("model"), whole, usage.get("output_tokens"), cached, written)

    def answer(self, hook_event: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
        """Context for the model, a refusal, or the end of the run. The user sees the same text."""
        if action == "stop":
            refusal = _refusal(hook_event, message) if hook_event.moment == BEFORE else {}
            return {"continue": False, "stopReason": message, **refusal}
        if hook_event.moment == BEFORE and action == "block":
            return {"systemMessage": message, **_refusal(hook_event, message)}
        if hook_event.moment == BEFORE and action == "escalate":
            return nested(hook_event, permissionDecision="ask", permissionDecisionReason=message)
        if hook_event.moment in self.can.tell:
            return {"systemMessage": message, **nested(hook_event, additionalContext=message)}
        return keep_going(hook_event, action, message)


def _refusal(hook_event: HookEvent, message: str) -> "dict[str, Any]":
    return nested(hook_event, permissionDecision="deny", permissionDecisionReason=message)


def _as_announced(args: "Mapping[str, Any]", folder: str) -> "Mapping[str, Any]":
    """The arguments in one form: before a call they have defaults and absolute paths, after it they do not."""
    args = {name: value for name, value in args.items() if not (name == "replace_all" and value is False)}
    path = args.get("file_path")
    if isinstance(path, str) and path and folder and not path.startswith(("/", "~")) and path[1:2] != ":":
        args["file_path"] = f"{folder.rstrip('/')}/{path.removeprefix('./')}"
    return args


def _in_batch(response: "Any") -> str:
    """A result as the model sees it; for what is not text, such as an image, a digest."""
    from headway.tools.envelope import plain_text

    if not isinstance(response, list):
        return plain_text(response)
    return "\n".join(plain_text(block) or _numbered(block) for block in response)


def _numbered(block: "Any") -> str:
    import json
    from zlib import crc32

    return f"{block.get('type', 'block') if isinstance(block, dict) else 'block'} {crc32(json.dumps(block).encode())}"


def _was_denied(text: str) -> bool:
    if not any(words in text for words in _OF_A_DENIAL):
        return False
    import re

    return re.match(_NOT_RUN, text) is not None


def shown(response: "Any") -> str:
    """The text of a structured result: what it printed, read or found, without repeated input."""
    from headway.tools.envelope import plain_text

    if not isinstance(response, dict):
        return plain_text(response)
    if isinstance(response.get("file"), dict):
        return plain_text(response["file"])
    if "stdout" in response:
        return "\n".join(
            text for text in (response.get("stdout"), response.get("stderr")) if isinstance(text, str) and text
        )
    rest = {name: value for name, value in response.items() if name not in _BULKY and "uration" not in name}
    found = response.get("content") if "filenames" in response or "mode" in response else None
    import json

    return "\n".join(filter(None, [found if isinstance(found, str) else "", json.dumps(rest, sort_keys=True)]))
