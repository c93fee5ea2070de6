"""Gemini CLI: hooks in `settings.json`, with event names of its own and no ids of calls.

It can be told after a tool, refused before one, and stopped. It announces a compression before every request to the
model, whether or not anything is compressed, so that event means nothing.
"""

from headway.hosts.hook.heard import AFTER, BEFORE, PROMPT, SESSION_END, START, TURN_END, Heard, ToolUse
from headway.hosts.hook.host import Host, nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class GeminiCli(Host):
    """Google's Gemini CLI."""

    name = "gemini"
    moments = {
        "SessionStart": START, "BeforeAgent": PROMPT, "BeforeTool": BEFORE, "AfterTool": AFTER, "AfterAgent": TURN_END,
        "SessionEnd": SESSION_END,
    }  # fmt: skip
    silent = ("BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress")
    fields = {"message": ("prompt_response",)}

    def result(self, use: ToolUse, heard: Heard) -> "dict[str, Any]":
        """What the model sees; an error of the tool itself stands beside it."""
        return llm_result(use)

    def answer(self, heard: Heard, action: str, message: str) -> "dict[str, Any] | None":
        """Context after a tool, a refusal before one, or the end of the run."""
        if action == "stop":
            refusal = {"decision": "deny", "reason": message} if heard.moment == BEFORE else {}
            return {"continue": False, "stopReason": message, **refusal}
        if heard.moment == BEFORE:
            return {"decision": "deny", "reason": message} if action in ("block", "escalate") else None
        if heard.moment in (AFTER, PROMPT, START):
            return nested(heard, additionalContext=message)
        return {"decision": "deny", "reason": message} if heard.moment == TURN_END and action == "nudge" else None


def llm_result(use: ToolUse) -> "dict[str, Any]":
    """A result as `{llmContent, returnDisplay, error?}`."""
    from headway.tools.envelope import plain_text

    response = use.response
    if not isinstance(response, dict):
        return {"output": plain_text(response), "failed": use.failed}
    error = response.get("error")
    text = plain_text(response.get("llmContent")) or plain_text(error)
    return {"output": text, "failed": True if error else use.failed}
