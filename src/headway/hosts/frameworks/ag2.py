"""AG2: a middleware, which the framework creates for each turn."""

from collections.abc import Sequence
from copy import copy
from typing import Any, Unpack

from headway.hosts.frameworks.conversation import Conversation, as_text
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("ag2", "ag2", "1.1", "2")

from ag2.events import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextInput,
    ToolCallEvent,
    ToolErrorEvent,
    ToolResult,
    ToolResultEvent,
)
from ag2.middleware import BaseMiddleware


class Headway:
    """Watches the conversations of an agent; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)

    def __call__(self, event: Any, context: Any) -> BaseMiddleware:
        """The middleware of one turn."""
        return _Turn(event, context, self.conversations.of(context.stream.id))


class _Turn(BaseMiddleware):
    """Watches one turn of a conversation."""

    def __init__(self, event: Any, context: Any, conversation: Conversation) -> None:
        super().__init__(event, context)
        self._conversation = conversation

    async def on_turn(self, call_next: Any, event: Any, context: Any) -> Any:
        """A turn begins with a message of the user."""
        self._conversation.user_spoke([getattr(part, "content", "") for part in getattr(event, "parts", ())])
        return await call_next(event, context)

    async def on_llm_call(self, call_next: Any, events: Sequence[Any], context: Any) -> Any:
        """Answer in the model's place when the run is over; otherwise deliver what could not be added to a result."""
        advice = self._conversation.before_model()
        if (stopped := self._conversation.stopped) is not None:
            message = ModelMessage(self._conversation.last_words, metadata={"headway": stopped.reason})
            await context.send(message)
            return ModelResponse(message)
        response = await call_next([*events, ModelRequest([TextInput(advice)])] if advice else events, context)
        self._note_response(response)
        return response

    async def on_tool_execution(self, call_next: Any, event: ToolCallEvent, context: Any) -> Any:
        """Watch a call, or answer in its place."""
        if refusal := self._conversation.called(event.name, event.arguments, event.id):
            return ToolResultEvent.from_call(event, refusal)
        result = await call_next(event, context)
        self._note_result(result)
        return result

    @harmless
    def _note_response(self, response: ModelResponse) -> None:
        used = response.usage
        self._conversation.used(int(used.prompt_tokens or 0), int(used.completion_tokens or 0))
        self._conversation.agent_spoke(response.content or "")

    @harmless
    def _note_result(self, event: Any) -> None:
        """Record a result and append the nudge, if any."""
        if isinstance(event, ToolErrorEvent):  # its text is a traceback: the same error could read differently
            self._conversation.returned(event.parent_id, repr(event.error), failed=True)
        elif isinstance(event, ToolResultEvent):
            self._conversation.returned(event.parent_id, _said(event.result))
            if advice := self._conversation.advice():
                event.result = copy(event.result)  # a tool may return the same object again
                event.result.parts = [*event.result.parts, TextInput(advice)]


def _said(result: ToolResult) -> str:
    return "\n".join(as_text(getattr(part, "content", None)) or str(part) for part in result.parts)
