"""Haystack: a hook of the Agent, called before each request to the model and before tools run."""

from typing import Any, Self, Unpack, cast
from uuid import uuid4
from weakref import WeakValueDictionary

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("haystack", "haystack-ai", "3.2", "4")

from haystack import default_to_dict
from haystack.components.agents.state import State, replace_values
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.hooks import Hook

NOT_DATA = ("on_decision", "detectors", "store")
"""Options that cannot be serialised with the hook."""
_known: WeakValueDictionary[str, "Headway"] = WeakValueDictionary()
"""Hooks by name, so that a loaded Agent gets the same hook at both points."""


class Headway:
    """Watches the runs of an Agent; takes what `Monitor` takes."""

    def __init__(self, *, name: str | None = None, **options: Unpack[Options]) -> None:
        self.name = name or uuid4().hex
        self._options = options
        self.conversations = Conversations(**options)
        _known[self.name] = self

    def hooks(self, yours: dict[str, list[Hook]] | None = None) -> dict[str, list[Hook]]:
        """What the Agent takes; hooks of your own are kept, and run first."""
        hooks = {point: list(list_of) for point, list_of in (yours or {}).items()}
        for point in ("before_llm", "before_tool"):
            hooks.setdefault(point, []).append(self)
        return hooks

    @harmless
    def run(self, state: State) -> None:
        """Process what is new in the conversation: calls that are about to run, or results for the model."""
        messages: list[ChatMessage] = state.data.get("messages") or []
        if not messages:
            return
        conversation = self._of(state, messages)
        if messages[-1].tool_calls:
            self._before_tools(conversation, state, messages)
        else:
            self._before_model(conversation, state, messages)

    def to_dict(self) -> dict[str, Any]:
        """The hook as data. Callbacks, detectors and a store have to be passed again."""
        kept = {name: value for name, value in self._options.items() if name not in NOT_DATA}
        return cast("dict[str, Any]", default_to_dict(self, name=self.name, **kept))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The hook of this name, or a new one."""
        known = _known.get(data["init_parameters"]["name"])
        return known if isinstance(known, cls) else cls(**data["init_parameters"])

    def _before_tools(self, conversation: Conversation, state: State, messages: list[ChatMessage]) -> None:
        """Note the calls; those that are refused are answered, and the others are left for the Agent to run."""
        answer = messages[-1]
        used = answer.meta.get("usage") or {}
        conversation.used(used.get("prompt_tokens"), used.get("completion_tokens"), model=answer.meta.get("model"))
        conversation.agent_spoke(answer.text or "")
        refused: list[tuple[ToolCall, str]] = []
        for call in answer.tool_calls:
            if refusal := conversation.called(call.tool_name, call.arguments, _id(call)):
                refused.append((call, refusal))
        if refused:
            state.set("messages", [*messages[:-1], *_answered(answer, refused)], handler_override=replace_values)

    def _before_model(self, conversation: Conversation, state: State, messages: list[ChatMessage]) -> None:
        """Record the results, then nudge or stop."""
        for message in reversed(messages):
            if not message.tool_call_results:
                break
            for result in message.tool_call_results:
                conversation.returned(_id(result.origin), result.result, failed=True if result.error else None)
        advice = conversation.before_model()
        if conversation.stopped is not None:
            state.set("messages", [ChatMessage.from_assistant(conversation.last_words)])
            state.set("stop_run", f"headway: {conversation.stopped.reason}")
        elif advice:
            state.set("messages", [ChatMessage.from_user(advice)])

    def _of(self, state: State, messages: list[ChatMessage]) -> Conversation:
        """A run is a conversation, unless its `hook_context` names one under "conversation"."""
        context = state.data.get("hook_context") or {}
        run = vars(state).setdefault("_headway", uuid4().hex)
        conversation = self.conversations.of(context.get("conversation") or run)
        if conversation.read_up_to != run:
            conversation.read_up_to = run
            conversation.user_spoke(next((m.text for m in reversed(messages) if m.is_from("user")), "") or "")
        return conversation


def _answered(answer: ChatMessage, refused: list[tuple[ToolCall, str]]) -> list[ChatMessage]:
    """The model's answer in parts: each refused call with its refusal, then what is left to run."""
    parts = []
    for call, refusal in refused:
        parts.append(ChatMessage.from_assistant(tool_calls=[call]))
        parts.append(ChatMessage.from_tool(tool_result=refusal, origin=call, error=True))
    left = [call for call in answer.tool_calls if all(call is not other for other, _ in refused)]
    return [*parts, ChatMessage.from_assistant(answer.text, meta=answer.meta, tool_calls=left)] if left else parts


def _id(call: ToolCall) -> str:
    return call.id or f"{call.tool_name} {call.arguments}"
