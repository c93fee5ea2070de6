"""Gemini CLI: hooks in `settings.json`, with its own event names and without call ids.

It can be nudged after a tool, refused before one, and stopped. After a failed tool it drops the context that a hook
adds, but it passes on the reason of a denial, so the answer is a denial with the error and our message. It can ask its
user about a call, but without a terminal it waits forever, so an escalation ends the run. It announces a compression
before every request to the model, whether or not anything is compressed, so that event is ignored.

Its events do not say which agent makes a call. Sub-agents have their own recordings, `chats/SESSION/AGENT.jsonl` beside
the main one, and an answer of the model is written there just before its first call.
"""

import os

from headway.hosts.abilities import Abilities
from headway.hosts.hook.event import AFTER, BEFORE, PROMPT, SESSION_END, START, TURN_END, HookEvent, Response, ToolUse
from headway.hosts.hook.host import Host, nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_DELEGATES, _REPORTS = "invoke_agent", "complete_task"
"""The tool that starts a sub-agent, which only the main agent has, and the one that ends a sub-agent."""
_TAIL = 100_000
"""Bytes at the end of a recording in which the model's latest answer is searched."""


class GeminiCli(Host):
    """Google's Gemini CLI."""

    name = "gemini"
    moments = {
        "SessionStart": START, "BeforeAgent": PROMPT, "BeforeTool": BEFORE, "AfterTool": AFTER, "AfterAgent": TURN_END,
        "SessionEnd": SESSION_END,
    }  # fmt: skip
    silent = ("BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress")
    usage_mark = b'"tokens"'
    shows_remarks = True
    can = Abilities((AFTER, PROMPT, START), stop=True, hold=True)
    fields = {"message": ("prompt_response",)}

    def event_from(self, data: "Mapping[str, Any]") -> HookEvent | None:
        """Read an event. A call belongs to the agent whose recording was written last, a result to its caller."""
        if data.get("tool_name") == _REPORTS:
            return self._end_of_subagent(data)
        hook_event = super().event_from(data)
        if hook_event is not None and hook_event.moment in (BEFORE, AFTER) and hook_event.uses[0].tool != _DELEGATES:
            hook_event.agent = calling_agent(hook_event)
            hook_event.agent_is_guess = hook_event.moment == AFTER
        return hook_event

    def _end_of_subagent(self, data: "Mapping[str, Any]") -> HookEvent | None:
        """Read the end of a sub-agent. It is never refused, even after a stop."""
        if data.get("hook_event_name") != "BeforeTool":
            return None
        hook_event = super().event_from({**data, "hook_event_name": "AfterAgent"})
        if hook_event is not None:
            hook_event.agent = calling_agent(hook_event)
        return hook_event

    def result(self, use: ToolUse, hook_event: HookEvent) -> "dict[str, Any]":
        """What the model sees; an error of the tool is in another field."""
        result = llm_result(use)
        return result | {"output": _without_process(result["output"])}

    def transcript_of(self, hook_event: HookEvent) -> str:
        """A sub-agent has a file of its own, in the folder of the session that started it."""
        path, agent = hook_event.transcript, os.path.basename(hook_event.agent)
        return os.path.join(_folder_of_subagents(hook_event), f"{agent}.jsonl") if agent and path else path

    def usage_in(self, record: "Mapping[str, Any]", agent: str) -> Response | None:
        """The tokens of an answer, whose record is written again when its calls have returned."""
        tokens = record.get("tokens")
        if record.get("type") != "gemini" or not tokens:
            return None
        whole = (tokens.get("input") or 0) + (tokens.get("tool") or 0)
        wrote = (tokens.get("output") or 0) + (tokens.get("thoughts") or 0)
        return Response(str(record.get("id")), record.get("model"), whole, wrote, tokens.get("cached"), 0)

    def answer(self, hook_event: HookEvent, action: str, message: str) -> "dict[str, Any] | None":
        """Context after a tool, a refusal before one, or the end of the run. The user sees it too."""
        if hook_event.moment == TURN_END and hook_event.agent:
            return None
        seen = {"systemMessage": message}
        if action == "stop" or (hook_event.moment == BEFORE and action == "escalate"):
            refusal = {"decision": "deny", "reason": message} if hook_event.moment == BEFORE else {}
            return {"continue": False, "stopReason": message, **refusal, **seen}
        if hook_event.moment == BEFORE:
            return {"decision": "deny", "reason": message, **seen} if action == "block" else None
        if hook_event.moment == AFTER and (error := "".join(map(_error_in, hook_event.uses))):
            return {"decision": "deny", "reason": f"{error}\n\n{message}", **seen}
        if hook_event.moment in self.can.tell:
            return nested(hook_event, additionalContext=message) | seen
        keeps_going = hook_event.moment == TURN_END and action == "nudge"
        return {"decision": "deny", "reason": message, **seen} if keeps_going else None


def calling_agent(hook_event: HookEvent) -> str:
    """The sub-agent whose recording was written last before this event; empty for the main agent."""
    folder = _folder_of_subagents(hook_event)
    try:
        written = {os.path.join(folder, name): _written(os.path.join(folder, name)) for name in os.listdir(folder)}
        main = _written(hook_event.transcript)
    except OSError:  # no sub-agent so far
        return ""
    later = [path for path, when in written.items() if when > main and path.endswith(".jsonl")]
    if len(later) > 1:
        later.sort(key=lambda path: _answered(path, hook_event.at))
    return os.path.basename(later[-1]).removesuffix(".jsonl") if later else ""


def _folder_of_subagents(hook_event: HookEvent) -> str:
    return os.path.join(os.path.dirname(hook_event.transcript), os.path.basename(hook_event.session))


def _written(path: str) -> int:
    return os.stat(path).st_mtime_ns


def _answered(path: str, before: float | None) -> float:
    """When the model last answered the agent of this recording, before the time of an event."""
    import json
    from datetime import datetime

    with open(path, "rb") as recording:
        recording.seek(max(0, os.path.getsize(path) - _TAIL))
        lines = recording.read().splitlines()
    for line in reversed(lines):
        try:
            said = json.loads(line)
            when = datetime.fromisoformat(said["timestamp"]).timestamp() if said["type"] == "gemini" else None
        except (ValueError, KeyError, TypeError):  # the first line may be cut, and some have no time
            continue
        if when is not None and (before is None or when <= before):
            return when
    return 0.0


def _without_process(text: str) -> str:
    """The text without the process number that Gemini CLI adds, which always differs."""
    before, found, after = text.rpartition("\nProcess Group PGID: ")
    number, _, rest = after.partition("\n")
    return f"{before}\n{rest}" if found and number.strip().isdigit() else text


def _error_in(use: ToolUse) -> str:
    """What the model sees of a failed tool; empty if it did not fail."""
    from headway.tools.envelope import plain_text

    error = use.response.get("error") if isinstance(use.response, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return plain_text(message)


def llm_result(use: ToolUse) -> "dict[str, Any]":
    """A result as `{llmContent, returnDisplay, error?}`."""
    from headway.tools.envelope import plain_text

    response = use.response
    if not isinstance(response, dict):
        return {"output": plain_text(response), "failed": use.failed}
    error = response.get("error")
    text = plain_text(response.get("llmContent")) or plain_text(error)
    return {"output": text, "failed": True if error else use.failed}
