"""AutoGen: a termination condition for the team, which also watches its agents from inside."""

from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, TypeVar, Unpack

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations, check_options
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("autogen", "autogen-agentchat", "0.7", "1")

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.base import TerminatedException, TerminationCondition
from autogen_agentchat.messages import BaseChatMessage, StopMessage, ToolCallExecutionEvent, ToolCallRequestEvent
from autogen_core.models import UserMessage
from autogen_core.tools import TextResultContent, ToolResult

Agent = TypeVar("Agent", bound=AssistantAgent)
_current: ContextVar[Conversation] = ContextVar("headway_conversation")
"""The agent that asked its model last in this task: a workbench may be shared, and does not get the caller."""


class Headway(TerminationCondition):
    """Ends the run of a team; takes what `Monitor` takes. Agents passed to `watch` are also nudged, and calls refused.

    A store needs a name for the `conversation` too.
    """

    def __init__(self, *, conversation: str = "", **options: Unpack[Options]) -> None:
        check_options(options, conversation)
        self.conversations = Conversations(**options)
        self._conversation = conversation
        self._agents: dict[str, bool] = {}  # by name: watched from inside?
        self._stop: StopMessage | None = None

    def watch(self, agent: Agent) -> Agent:
        """The same agent; from now on it gets nudges, and its calls may be refused."""
        conversation = self.of(agent.name)
        self._agents[agent.name] = True
        _watch_context(agent.model_context, conversation)
        for workbench in agent._workbench:
            _watch_workbench(workbench)
        return agent

    def of(self, agent: str) -> Conversation:
        """What is known of an agent of the team."""
        self._agents.setdefault(agent, False)
        return self.conversations.of(self._conversation, agent)

    @property
    def terminated(self) -> bool:
        """Has this condition ended the run?"""
        return self._stop is not None

    async def __call__(self, messages: Sequence[Any]) -> StopMessage | None:
        """Note what happened, and end the run if an agent has to be stopped."""
        if self._stop is not None:
            raise TerminatedException("Headway has already ended this run.")
        self._note(messages)
        for conversation in map(self.of, self._agents):
            if conversation.stopped is not None:
                self._stop = StopMessage(content=conversation.last_words, source="headway")
        return self._stop

    async def reset(self) -> None:
        """Prepare for the next run: a stop applies to one run."""
        self._stop = None
        for conversation in map(self.of, self._agents):
            conversation.resume()

    async def save_state(self) -> Mapping[str, Any]:
        """The state of the agents as plain data: save it with the state of the team."""
        return {agent: b64encode(self.of(agent).saved()).decode() for agent in self._agents}

    async def load_state(self, state: Mapping[str, Any]) -> None:
        """Restore what `save_state` returned."""
        for agent, saved in state.items():
            self.of(agent).restore(b64decode(saved))

    @harmless
    def _note(self, messages: Sequence[Any]) -> None:
        for message in messages:
            if message.source == "user" and isinstance(message, BaseChatMessage):
                for conversation in map(self.of, self._agents):
                    conversation.user_spoke(message.to_text())
            else:
                self._note_agent(self.of(message.source), message)

    def _note_agent(self, conversation: Conversation, message: Any) -> None:
        if used := message.models_usage:
            conversation.used(used.prompt_tokens, used.completion_tokens)
        if isinstance(message, BaseChatMessage):
            conversation.agent_spoke(message.to_text())
        elif isinstance(message, ToolCallRequestEvent) and not self._agents[message.source]:
            for call in message.content:
                conversation.called(call.name, call.arguments, call.id, batch=message.id)
        elif isinstance(message, ToolCallExecutionEvent) and not self._agents[message.source]:
            for result in message.content:
                conversation.returned(result.call_id, result.content, result.is_error or None)


HeadwayTermination = Headway
"""The old name."""


def _watch_context(context: Any, conversation: Conversation) -> None:
    """Add nudges to the messages of an agent, which are read before each request to its model."""
    get_messages = context.get_messages

    async def with_advice() -> list[Any]:
        _current.set(conversation)
        if advice := conversation.before_model():
            await context.add_message(UserMessage(content=advice, source="headway"))
        return list(await get_messages())

    context.get_messages = with_advice


def _watch_workbench(workbench: Any) -> None:
    """Watch a workbench: all calls of an agent go through it."""
    if hasattr(workbench, "_headway"):
        return
    call_tool: Any = workbench.call_tool
    stream: Any = getattr(workbench, "call_tool_stream", None)

    async def watched(name: str, arguments: Any = None, cancellation_token: Any = None, call_id: Any = None) -> Any:
        if refusal := _called(name, arguments, call_id):
            return refusal
        return _returned(await call_tool(name, arguments, cancellation_token, call_id), call_id)

    async def watched_stream(
        name: str, arguments: Any = None, cancellation_token: Any = None, call_id: Any = None
    ) -> AsyncIterator[Any]:
        if refusal := _called(name, arguments, call_id):
            yield refusal
            return
        async for event in stream(name, arguments, cancellation_token, call_id):
            yield _returned(event, call_id) if isinstance(event, ToolResult) else event

    workbench._headway, workbench.call_tool = True, watched
    if stream is not None:
        workbench.call_tool_stream = watched_stream


@harmless
def _called(name: str, arguments: Any, call: str | None) -> ToolResult | None:
    refusal = _current.get().called(name, arguments, call or name)
    return ToolResult(name=name, result=[TextResultContent(content=refusal)], is_error=True) if refusal else None


def _returned(result: ToolResult, call: str | None) -> ToolResult:
    return _noted(result, call) or result


@harmless
def _noted(result: ToolResult, call: str | None) -> ToolResult | None:
    conversation = _current.get()
    conversation.returned(call or result.name, result.to_text(), result.is_error or None)
    advice = conversation.advice()
    return result.model_copy(update={"result": [*result.result, TextResultContent(content=advice)]}) if advice else None
