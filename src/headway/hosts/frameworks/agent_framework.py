"""Microsoft Agent Framework: middleware for the agent, its model requests and its function calls."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from typing import Any, Unpack
from uuid import uuid4

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("agent-framework", "agent-framework-core", "1.10", "2")

from agent_framework import (
    AgentContext,
    AgentMiddleware,
    ChatContext,
    ChatMiddleware,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationContext,
    FunctionMiddleware,
    Message,
    ResponseStream,
)

Next = Callable[[], Awaitable[None]]
_current: ContextVar[Conversation] = ContextVar("headway_conversation")
"""The conversation of the current run; functions run in their own tasks, so a sub-agent sets only its own."""


class Headway:
    """Watches agents; takes what `Monitor` takes. Give its `middleware` to as many agents as you like."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)
        self.middleware = [_Runs(self.conversations), _Requests(), _Calls()]


class _Runs(AgentMiddleware):
    """A run begins with a message of the user."""

    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations

    async def process(self, context: AgentContext, call_next: Next) -> None:
        self._begin(context)
        await call_next()

    @harmless
    def _begin(self, context: AgentContext) -> None:
        session = context.session.session_id if context.session else uuid4()
        conversation = self._conversations.of(session, context.agent.name or context.agent.id)
        conversation.user_spoke([message.text for message in context.messages])
        _current.set(conversation)


class _Requests(ChatMiddleware):
    """Answers in the model's place when the run is over; otherwise delivers what could not be added to a result."""

    async def process(self, context: ChatContext, call_next: Next) -> None:
        if last_words := self._before(context):
            context.result = last_words
            return
        await call_next()
        if isinstance(context.result, ChatResponse):
            self._after(context.result)

    @harmless
    def _before(self, context: ChatContext) -> Any:
        conversation = _current.get()
        advice = conversation.before_model()
        if conversation.stopped is not None:
            return _last_words(conversation, context.stream)
        if advice:
            context.messages = [*context.messages, Message("user", [advice])]
        if context.stream:
            context.stream_result_hooks.append(self._after)
        return None

    @harmless
    def _after(self, response: ChatResponse) -> None:
        conversation, used = _current.get(), response.usage_details or {}
        model = getattr(response, "model_id", None) or getattr(response, "model", None)
        conversation.used(used.get("input_token_count"), used.get("output_token_count"), model=model)
        conversation.agent_spoke(response.text)


class _Calls(FunctionMiddleware):
    """Watches a call, or answers in its place."""

    async def process(self, context: FunctionInvocationContext, call_next: Next) -> None:
        if refusal := self._called(context):
            context.result = refusal
            return
        try:
            await call_next()
        except Exception as error:
            self._returned(context, repr(error), failed=True)
            raise
        self._returned(context, context.result)

    @harmless
    def _called(self, context: FunctionInvocationContext) -> str | None:
        arguments = context.arguments if isinstance(context.arguments, dict) else dict(context.arguments or {})
        return _current.get().called(context.function.name, arguments, _id(context))

    @harmless
    def _returned(self, context: FunctionInvocationContext, result: Any, failed: bool | None = None) -> None:
        conversation = _current.get()
        parts = result if isinstance(result, list) else [result]
        output = "\n".join(getattr(part, "text", None) or str(part) for part in parts)
        conversation.returned(_id(context), output, failed)
        if failed is None and isinstance(result, (list, str)) and (advice := conversation.advice()):
            content = [Content.from_text(result)] if isinstance(result, str) else result
            context.result = [*content, Content.from_text(advice)]


def _id(context: FunctionInvocationContext) -> str:
    return str(context.metadata.get("call_id") or id(context))


def _last_words(conversation: Conversation, stream: bool) -> Any:
    said, reason = conversation.last_words, {"headway": conversation.stopped.reason if conversation.stopped else ""}
    if not stream:
        return ChatResponse(messages=[Message("assistant", [said])], additional_properties=reason)

    async def updates() -> AsyncIterator[ChatResponseUpdate]:
        yield ChatResponseUpdate(contents=[Content.from_text(said)], role="assistant", additional_properties=reason)

    return ResponseStream(updates(), finalizer=ChatResponse.from_updates)
