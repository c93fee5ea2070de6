"""LangChain 1.x agents, and LangGraph graphs with a ToolNode."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated, Any, Unpack

from headway.hosts.frameworks.conversation import Conversation, Question
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.handoffs import Handoffs
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require
from headway.hosts.frameworks.state import Kept

require("langchain", "langchain", "1.3", "2")

from langchain.agents.middleware import (
    AgentMiddleware,
    AgentState,
    ExtendedModelResponse,
    ModelRequest,
    ModelResponse,
)
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.graph import END
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command, interrupt

from headway.hosts.frameworks.langchain_messages import (
    id_of,
    messages_in,
    note_turn,
    note_usage,
    receivers_of,
    said_by,
    users_words,
    with_advice,
)

Result = Any
"""What a tool call returns: a ToolMessage, or a Command."""
CHECKPOINTER = "checkpointer"
"""Name of the store that a graph has already."""
CONFIG_KEY_CHECKPOINTER = "__pregel_checkpointer"
"""Where a running graph has its checkpointer. Without one it cannot be interrupted."""
MESSAGES = 10_000
"""Number of messages to remember, to recognise runs without a thread."""


def _newer(one: Kept | tuple[()], other: Kept) -> Kept:
    """The newest of the states that parallel calls return, which includes all of them; LangGraph begins with ()."""
    return other if not one or other[0] >= one[0] else one


class KeptState(AgentState, total=False):  # type: ignore[call-arg]
    """The state of an agent, including Headway's."""

    headway: Annotated[Kept, PrivateStateAttr, _newer]  # LangGraph looks for the reducer at the end


class Headway(AgentMiddleware):
    """Watches the tool calls of an agent. A nudge is added to the tool's result; a stop is the agent's last message.

    Takes what `Monitor` takes. In a LangGraph graph of your own, give its two methods to the ToolNode. With
    `store="checkpointer"` Headway's state is stored in the state of the agent, and so with its thread.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        super().__init__()
        self._is_kept = options.get("store") == CHECKPOINTER
        if self._is_kept:
            options["store"] = None
            self.state_schema = KeptState
        self.conversations = Conversations(**options)
        self.handoffs = Handoffs(**options)
        self._runs: OrderedDict[str, str] = OrderedDict()
        """Runs without a thread, by the ids of their messages: any of them may be replaced by a summary."""

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Result]) -> Result:
        """Watch one call."""
        if refusal := self._refusal(request):
            return refusal
        try:
            result = handler(request)
        except Exception as error:
            self._raised(request, error)
            raise
        return self._returned(request, result) or result

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Result]]
    ) -> Result:
        """Watch one call, in an event loop."""
        if refusal := self._refusal(request):
            return refusal
        try:
            result = await handler(request)
        except Exception as error:
            self._raised(request, error)
            raise
        return self._returned(request, result) or result

    def wrap_model_call(self, request: ModelRequest, handler: Callable[[ModelRequest], ModelResponse]) -> Any:
        """Stop, or deliver what could not be added to a tool result; then record the model's answer and usage."""
        prepared = self._before_model(request) or request
        if not isinstance(prepared, ModelRequest):
            return prepared
        response = handler(prepared)
        return self._after_model(request, response) or response

    async def awrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[ModelResponse]]
    ) -> Any:
        """Do the same in an event loop."""
        prepared = self._before_model(request) or request
        if not isinstance(prepared, ModelRequest):
            return prepared
        response = await handler(prepared)
        return self._after_model(request, response) or response

    def then(self, node: str) -> Callable[[Any], str]:
        """The edge after a ToolNode of your own: on to this node, or to the end when the run was stopped."""

        def route(state: Any) -> str:
            return str(END) if self._is_over(state) else node

        return route

    @harmless
    def _is_over(self, state: Any) -> bool:
        return self._of(state).stopped is not None

    def _refusal(self, request: ToolCallRequest) -> Result:
        """What to answer in place of a call. If a person has to be asked, the graph is interrupted here."""
        refusal = self._called(request)
        if not isinstance(refusal, Question):
            return refusal
        call = request.tool_call
        return self._answered(request, interrupt({"headway": str(refusal), "tool": call["name"], "args": call["args"]}))

    @harmless
    def _answered(self, request: ToolCallRequest, answer: object) -> Result:
        conversation = self._of(request.state)
        kind = answer.get("type") if isinstance(answer, dict) else answer
        refusal = conversation.answered(id_of(request.tool_call), kind is True or kind in ("approve", "yes"))
        return self._in_place(request, conversation, refusal)

    @harmless
    def _called(self, request: ToolCallRequest) -> Result:
        call = request.tool_call
        messages = messages_in(request.state)
        conversation = self._of(request.state)
        note_turn(conversation, messages)
        batch = messages[-1].id if messages else None
        can_ask = get_config().get("configurable", {}).get(CONFIG_KEY_CHECKPOINTER) is not None
        refusal = conversation.called(call["name"], call["args"], id_of(call), batch=batch, can_ask=can_ask)
        return refusal if isinstance(refusal, Question) else self._in_place(request, conversation, refusal)

    def _in_place(self, request: ToolCallRequest, conversation: Conversation, refusal: str | None) -> Result:
        if refusal is None:
            return None
        call = request.tool_call
        message = ToolMessage(refusal, name=call["name"], tool_call_id=call["id"], status="error")
        return self._with_state(conversation, message)

    @harmless
    def _returned(self, request: ToolCallRequest, result: Result) -> Result:
        """Record the result and return it with the nudge, if any."""
        conversation = self._of(request.state)
        if not isinstance(result, ToolMessage):  # a Command changes the graph's state, and may hold anything
            receivers = receivers_of(result)
            said = f"Went to {', '.join(receivers)}." if receivers else said_by(result)
            conversation.returned(id_of(request.tool_call), said)
            self._note_handoffs(request, conversation, receivers)
            return self._with_state(conversation, result)
        conversation.returned(id_of(request.tool_call), result.text, failed=True if result.status == "error" else None)
        advice = conversation.advice()
        told = result.model_copy(update={"content": with_advice(result.content, advice)}) if advice else result
        return self._with_state(conversation, told)

    @harmless
    def _raised(self, request: ToolCallRequest, error: Exception) -> None:
        if not isinstance(error, GraphBubbleUp):  # an interrupt asks a person; the call comes again afterwards
            self._of(request.state).returned(id_of(request.tool_call), repr(error), failed=True)

    @harmless
    def _before_model(self, request: ModelRequest) -> Any:
        """Our last message in place of an answer, or the request with what could not be added to a tool result."""
        conversation, messages = self._of(request.state), messages_in(request.state)
        note_turn(conversation, messages)
        if whole := self.handoffs.of(conversation.id):
            self.handoffs.user_spoke(conversation.id, users_words(messages))
        for one in (conversation, whole):
            if one is not None and one.stopped is not None:
                said = AIMessage(one.last_words, response_metadata={"headway": one.stopped.reason})
                return self._kept(conversation, ModelResponse(result=[said])) or said
        advice = "\n".join(filter(None, (conversation.before_model(), whole.advice() if whole else None)))
        return request.override(messages=[*request.messages, HumanMessage(advice)]) if advice else None

    @harmless
    def _after_model(self, request: ModelRequest, response: ModelResponse) -> ExtendedModelResponse | None:
        conversation = self._of(request.state)
        for message in response.result:
            if isinstance(message, AIMessage):
                note_usage(conversation, message)
                conversation.agent_spoke(message.text)
        return self._kept(conversation, response)

    def _kept(self, conversation: Conversation, response: ModelResponse) -> ExtendedModelResponse | None:
        """The response with Headway's state, if the checkpointer stores it."""
        return ExtendedModelResponse(response, Command(update=_update(conversation))) if self._is_kept else None

    def _with_state(self, conversation: Conversation, result: Result) -> Result:
        """A result with Headway's state, if the checkpointer stores it; a Command may be for another graph."""
        if not self._is_kept:
            return result
        if isinstance(result, ToolMessage):
            return Command(update={"messages": [result], **_update(conversation)})
        if isinstance(result, Command) and result.graph is None and isinstance(result.update, dict):
            return replace(result, update={**result.update, **_update(conversation)})
        return result

    def _note_handoffs(self, request: ToolCallRequest, conversation: Conversation, receivers: list[str]) -> None:
        """A Command that goes to another node hands over to it; the agent is the node that its graph is in."""
        if receivers:
            giver = conversation.agent.rpartition("|")[2].partition(":")[0]
            work, asked = conversation.take_work(id_of(request.tool_call)), users_words(messages_in(request.state))
            for receiver in receivers:
                self.handoffs.note(conversation.id, giver, receiver, work, asked)

    def _of(self, state: Any) -> Conversation:
        """The conversation, which is the thread or, without one, the run; and the agent in it.

        A sub-agent that a tool calls runs below the tool's namespace, so each of its runs is a separate agent.
        """
        place = get_config().get("configurable", {})
        thread, namespace = place.get("thread_id"), str(place.get("checkpoint_ns", ""))
        conversation = self.conversations.of(thread or self._run(messages_in(state)), namespace.rpartition("|")[0])
        if self._is_kept and isinstance(state, dict):
            conversation.follow(state.get("headway") or (0, b""))
        return conversation

    def _run(self, messages: list[Any]) -> str:
        """The name of a run without a thread: the id of its first message, even after that was summarised."""
        if not messages:
            return "without messages"
        first, last = str(messages[0].id), str(messages[-1].id)
        name = self._runs.get(first)
        if name is None:
            known = (self._runs.get(str(message.id)) for message in reversed(messages))
            name = self._runs[first] = next(filter(None, known), first)
        if last not in self._runs:
            self._runs[last] = name
            self._runs.move_to_end(first)
            while len(self._runs) > MESSAGES:
                self._runs.popitem(last=False)
        return name


HeadwayMiddleware = Headway
"""The old name."""


def _update(conversation: Conversation) -> dict[str, Kept]:
    return {"headway": conversation.keep()}
