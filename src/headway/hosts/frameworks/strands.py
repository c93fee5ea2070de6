"""Strands Agents: a provider of hooks."""

from typing import Any, Unpack
from weakref import WeakKeyDictionary

from headway.hosts.frameworks.conversation import Conversation, as_text
from headway.hosts.frameworks.conversations import check_options
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("strands", "strands-agents", "1.50", "2")

from strands import Agent
from strands.hooks import (
    AfterModelCallEvent,
    AfterToolCallEvent,
    BeforeInvocationEvent,
    BeforeModelCallEvent,
    BeforeToolCallEvent,
    HookProvider,
    HookRegistry,
)


class Headway(HookProvider):
    """Watches the agents it is passed to, each separately; takes what `Monitor` takes.

    A store needs a name for the `conversation` too.
    """

    def __init__(self, *, conversation: str = "", **options: Unpack[Options]) -> None:
        check_options(options, conversation)
        self._conversation, self._options = conversation, options
        self._known: WeakKeyDictionary[Agent, Conversation] = WeakKeyDictionary()

    def register_hooks(self, registry: HookRegistry, **kwargs: Any) -> None:
        """Register for the events that matter here."""
        registry.add_callback(BeforeInvocationEvent, self._begin)
        registry.add_callback(BeforeModelCallEvent, self._before_model)
        registry.add_callback(AfterModelCallEvent, self._after_model)
        registry.add_callback(BeforeToolCallEvent, self._before_tool)
        registry.add_callback(AfterToolCallEvent, self._after_tool)

    def of(self, agent: Agent) -> Conversation:
        """The conversation of an agent, which has one as long as it exists."""
        found = self._known.get(agent)
        if found is None:
            found = self._known.setdefault(
                agent, Conversation(conversation=self._conversation, agent=agent.name, **self._options)
            )
        return found

    @harmless
    def _begin(self, event: BeforeInvocationEvent) -> None:
        self.of(event.agent).user_spoke([message["content"] for message in event.messages or ()])

    @harmless
    def _before_model(self, event: BeforeModelCallEvent) -> None:
        conversation = self.of(event.agent)
        advice = conversation.before_model()
        if conversation.stopped is not None:
            event.cancel = conversation.last_words
            event.invocation_state.setdefault("request_state", {})["headway"] = conversation.stopped.reason
        elif advice and event.agent.messages:  # advice that could not be added to a tool result
            event.agent.messages[-1]["content"].append({"text": advice})

    @harmless
    def _after_model(self, event: AfterModelCallEvent) -> None:
        if event.stop_response is None or event.retry:
            return
        conversation, message = self.of(event.agent), event.stop_response.message
        used = (message.get("metadata") or {}).get("usage") or {}
        conversation.used(
            used.get("inputTokens"),
            used.get("outputTokens"),
            model=(event.agent.model.get_config() or {}).get("model_id"),
            cached=used.get("cacheReadInputTokens"),
            written=used.get("cacheWriteInputTokens"),
        )
        if conversation.stopped is None:  # otherwise this is our own last message
            conversation.agent_spoke(message["content"])

    @harmless
    def _before_tool(self, event: BeforeToolCallEvent) -> None:
        use = event.tool_use
        refusal = self.of(event.agent).called(use["name"], use["input"], use["toolUseId"])
        if refusal:
            event.cancel_tool = refusal

    @harmless
    def _after_tool(self, event: AfterToolCallEvent) -> None:
        conversation, result = self.of(event.agent), event.result
        failed = True if result.get("status") == "error" else None
        output = as_text(result["content"]) or result["content"]
        conversation.returned(event.tool_use["toolUseId"], output, failed)
        if advice := conversation.advice():
            event.result = {**result, "content": [*result["content"], {"text": advice}]}
