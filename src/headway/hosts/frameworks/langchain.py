"""LangChain 1.x agents, and LangGraph graphs with a ToolNode."""

from collections.abc import Awaitable, Callable
from typing import Any, Unpack

from headway.hosts.frameworks.conversation import Conversation, Conversations, as_text
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("langchain", "langchain", "1.3", "2")

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.graph import END
from langgraph.prebuilt.tool_node import ToolCallRequest

Result = Any
"""What a tool call gives: a ToolMessage, or a Command."""


class HeadwayMiddleware(AgentMiddleware):
    """Watches the tool calls of an agent. A nudge is added to the tool's result; a stop is the agent's last message.

    Takes what `Monitor` takes. In a LangGraph graph of your own, give its two methods to the ToolNode.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        super().__init__()
        self.conversations = Conversations(**options)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Result]) -> Result:
        """Watch one call."""
        if refusal := self._called(request):
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
        if refusal := self._called(request):
            return refusal
        try:
            result = await handler(request)
        except Exception as error:
            self._raised(request, error)
            raise
        return self._returned(request, result) or result

    def wrap_model_call(self, request: ModelRequest, handler: Callable[[ModelRequest], ModelResponse]) -> Any:
        """Stop, or say what the tool results could not carry; then note what the model said and used."""
        prepared = self._before_model(request) or request
        if isinstance(prepared, AIMessage):
            return prepared
        response = handler(prepared)
        self._after_model(request, response)
        return response

    async def awrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[ModelResponse]]
    ) -> Any:
        """Do the same in an event loop."""
        prepared = self._before_model(request) or request
        if isinstance(prepared, AIMessage):
            return prepared
        response = await handler(prepared)
        self._after_model(request, response)
        return response

    def then(self, node: str) -> Callable[[Any], str]:
        """The edge after a ToolNode of your own: on to this node, or to the end when the run was stopped."""

        def route(state: Any) -> str:
            return str(END) if self._is_over(state) else node

        return route

    @harmless
    def _is_over(self, state: Any) -> bool:
        return self._of(state).stopped is not None

    @harmless
    def _called(self, request: ToolCallRequest) -> ToolMessage | None:
        call = request.tool_call
        messages = _messages(request.state)
        conversation = self._of(request.state)
        _note_turn(conversation, messages)
        refusal = conversation.called(call["name"], call["args"], _id(call), batch=messages[-1].id)
        if refusal is None:
            return None
        return ToolMessage(refusal, name=call["name"], tool_call_id=call["id"], status="error")

    @harmless
    def _returned(self, request: ToolCallRequest, result: Result) -> Result:
        """Record the result and return it with the nudge, if any."""
        conversation = self._of(request.state)
        if not isinstance(result, ToolMessage):  # a Command changes the graph's state, and may hold anything
            conversation.returned(_id(request.tool_call), _said(result))
            return result
        conversation.returned(_id(request.tool_call), result.text, failed=True if result.status == "error" else None)
        advice = conversation.advice()
        return result.model_copy(update={"content": _with(result.content, advice)}) if advice else result

    @harmless
    def _raised(self, request: ToolCallRequest, error: Exception) -> None:
        if not isinstance(error, GraphBubbleUp):  # an interrupt asks a person; the call comes again afterwards
            self._of(request.state).returned(_id(request.tool_call), repr(error), failed=True)

    @harmless
    def _before_model(self, request: ModelRequest) -> AIMessage | ModelRequest | None:
        """Our last words in place of an answer, or the request with what no tool result could carry."""
        conversation = self._of(request.state)
        _note_turn(conversation, _messages(request.state))
        if conversation.stopped is not None:
            return AIMessage(conversation.last_words, response_metadata={"headway": conversation.stopped.reason})
        advice = conversation.before_model()
        return request.override(messages=[*request.messages, HumanMessage(advice)]) if advice else None

    @harmless
    def _after_model(self, request: ModelRequest, response: ModelResponse) -> None:
        conversation = self._of(request.state)
        for message in response.result:
            if isinstance(message, AIMessage):
                usage = message.usage_metadata or {"input_tokens": 0, "output_tokens": 0}
                conversation.used(usage["input_tokens"], usage["output_tokens"])
                conversation.agent_spoke(message.text)

    def _of(self, state: Any) -> Conversation:
        """The conversation is the thread, or, where nothing is kept, the run, known by its first message.

        A sub-agent that is called by a tool runs below the tool's namespace, so each of its runs is an agent apart.
        """
        place = get_config().get("configurable", {})
        thread, namespace = place.get("thread_id"), str(place.get("checkpoint_ns", ""))
        return self.conversations.of(thread or _messages(state)[0].id, namespace.rpartition("|")[0])


def _messages(state: Any) -> list[Any]:
    messages: list[Any] = state["messages"] if isinstance(state, dict) else getattr(state, "messages", state)
    return messages


def _note_turn(conversation: Conversation, messages: list[Any]) -> None:
    """A message of the user that came since we looked last is a new turn."""
    for message in reversed(messages):
        if message.id == conversation.read_up_to:
            break
        if isinstance(message, HumanMessage):
            conversation.user_spoke(message.text)
            break
    conversation.read_up_to = messages[-1].id


def _id(call: Any) -> str:
    return str(call["id"] or call["name"])


def _said(command: Any) -> str:
    """The messages that a Command brings, or, without any, whatever else it changes."""
    update = getattr(command, "update", None)
    messages = update.get("messages", ()) if isinstance(update, dict) else ()
    return as_text(messages) or str(update)


def _with(content: str | list[Any], advice: str) -> str | list[Any]:
    if isinstance(content, str):
        return f"{content}\n\n{advice}"
    return [*content, {"type": "text", "text": advice}]
