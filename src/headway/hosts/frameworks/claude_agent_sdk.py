"""Claude Agent SDK: hooks, and the usage in its messages."""

from collections.abc import AsyncIterable, AsyncIterator, Mapping
from typing import Any, Unpack

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require
from headway.hosts.hook.agents.claude_code import shown
from headway.tools.senders import sender_of

require("claude-agent-sdk", "claude-agent-sdk", "0.2.150", "1")

from claude_agent_sdk import AssistantMessage, HookMatcher, ResultMessage

_EVENTS = (
    "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop", "SubagentStop",
)  # fmt: skip
_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Headway:
    """Watches the sessions that run with its `hooks()`; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)

    def hooks(self, yours: Mapping[str, list[HookMatcher]] | None = None) -> dict[Any, list[HookMatcher]]:
        """What to give to `ClaudeAgentOptions(hooks=…)`, together with hooks of your own."""
        all_hooks = {event: list(matchers) for event, matchers in (yours or {}).items()}
        for event in _EVENTS:
            all_hooks.setdefault(event, []).append(HookMatcher(hooks=[self._hook]))
        return all_hooks

    def of(self, session_id: str, agent_id: str | None = None) -> Conversation:
        """The conversation of a session, or of a sub-agent in it."""
        return self.conversations.of(session_id, agent_id)

    async def listen(self, messages: AsyncIterable[Any]) -> AsyncIterator[Any]:
        """The same messages; the usage in them counts against the budgets."""
        last: dict[str, Any] = {}
        async for message in messages:
            self._note(message, last)
            yield message

    async def _hook(self, data: Any, tool_use_id: str | None, context: Any) -> Any:
        return self._answer(data) or {}

    @harmless
    def _answer(self, data: Mapping[str, Any]) -> dict[str, Any] | None:
        event, conversation = data["hook_event_name"], self.of(data["session_id"], data.get("agent_id"))
        if event in ("Stop", "SubagentStop"):
            conversation.agent_spoke(data.get("last_assistant_message"))
            return None
        if event == "UserPromptSubmit":
            sender = sender_of("claude-code", data["prompt"], source=data.get("source"))
            if sender is not None:
                conversation.user_spoke(data["prompt"], sender)
            return _told(event, conversation.before_model())
        if event == "PreToolUse":
            return _before(conversation, data)
        if event == "PostToolBatch":
            _note_invalid(conversation, data["tool_calls"])
            return _after(event, conversation, conversation.before_model())
        failed = event == "PostToolUseFailure"
        output = data.get("error", "") if failed else shown(data.get("tool_response"))
        conversation.returned(data["tool_use_id"], output, failed)
        return _after(event, conversation, conversation.advice())

    @harmless
    def _note(self, message: Any, last: dict[str, Any]) -> None:
        if isinstance(message, AssistantMessage) and message.session_id and message.message_id != last.get("message"):
            last["message"] = message.message_id  # one answer comes in several messages, each with the same figures
            used, conversation = message.usage or {}, self.of(message.session_id)
            last.setdefault("before", conversation.monitor.session.spending.cost_usd)
            _, written, cached = parts = [used.get(kind) or 0 for kind in _INPUT]
            conversation.used(
                sum(parts), used.get("output_tokens"), model=message.model, cached=cached, written=written
            )
        elif isinstance(message, ResultMessage):  # the cost is that of all turns so far
            conversation = self.of(message.session_id)
            spent = conversation.monitor.session.spending.cost_usd
            counted = spent - last.setdefault("before", spent)
            conversation.used(cost_usd=max(0.0, (message.total_cost_usd or 0.0) - counted))


def _before(conversation: Conversation, data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Let a call run, or refuse it. A stop also refuses it, because the program would run this call before it ends."""
    conversation.read_up_to = [*(conversation.read_up_to or ()), data["tool_use_id"]]
    refusal = conversation.called(data["tool_name"], data["tool_input"], data["tool_use_id"])
    if refusal is None:
        return None
    denied = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": refusal}
    return {"hookSpecificOutput": denied, **_end(conversation)}


def _after(event: str, conversation: Conversation, advice: str | None) -> dict[str, Any]:
    return _end(conversation) or _told(event, advice)


def _end(conversation: Conversation) -> dict[str, Any]:
    return {"continue_": False, "stopReason": conversation.last_words} if conversation.stopped else {}


def _told(event: str, advice: str | None) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": advice}} if advice else {}


def _note_invalid(conversation: Conversation, calls: list[dict[str, Any]]) -> None:
    """Record calls with invalid input (an edit whose text is not in the file): they come only after their batch."""
    seen, conversation.read_up_to = conversation.read_up_to or (), None
    for call in calls:
        if call["tool_use_id"] not in seen:
            conversation.called(call["tool_name"], call["tool_input"], call["tool_use_id"])
            conversation.returned(call["tool_use_id"], shown(call.get("tool_response")), failed=True)
