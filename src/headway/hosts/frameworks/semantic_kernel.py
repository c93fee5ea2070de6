"""Semantic Kernel: a filter around the functions that a model calls."""

from collections.abc import Awaitable, Callable
from typing import Any, Unpack
from uuid import uuid4
from weakref import ref

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import CONVERSATIONS, Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require
from headway.rolling.bounded import put

require("semantic-kernel", "semantic-kernel", "1.45", "2")

from semantic_kernel.filters import AutoFunctionInvocationContext
from semantic_kernel.functions import FunctionResult


class Headway:
    """Watches the conversations of a kernel, as an "auto_function_invocation" filter; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)
        self._names: dict[int, tuple[Any, str]] = {}
        """Names of chat histories, by their `id()` as long as they exist."""

    async def __call__(
        self,
        context: AutoFunctionInvocationContext,
        next: Callable[[AutoFunctionInvocationContext], Awaitable[None]],
    ) -> None:
        """Watch a call, or answer in its place; a stop ends the loop of calls."""
        conversation = self._of(context.chat_history)
        call, refusal = uuid4().hex, None
        if conversation is not None:
            answers = sum(message.role.value == "assistant" for message in context.chat_history.messages)
            refusal = conversation.called(context.function.name, dict(context.arguments), call, str(answers))
        if conversation is None or refusal is None:
            await next(context)
        if conversation is not None:
            self._note_result(conversation, context, call, refusal)

    @harmless
    def _note_result(
        self, conversation: Conversation, context: AutoFunctionInvocationContext, call: str, refusal: str | None
    ) -> None:
        """Note a result and append the nudge, if any; say why a call did not run."""
        said = refusal
        if refusal is None:
            value = None if context.function_result is None else context.function_result.value
            conversation.returned(call, value)
            advice = conversation.advice()
            said = None if advice is None else f"{value}\n\n{advice}"
        if said is not None:
            context.function_result = FunctionResult(function=context.function.metadata, value=said)
        if conversation.stopped is not None:
            context.terminate = True

    @harmless
    def _of(self, history: Any) -> Conversation:
        """A chat history is a conversation, and a message of the user begins a turn."""
        known = self._names.get(id(history))
        if known is None or known[0]() is not history:
            known = ref(history), uuid4().hex
            put(self._names, id(history), known, CONVERSATIONS)
        conversation = self.conversations.of(known[1])
        spoken = [message for message in history.messages if message.role.value == "user"]
        if len(spoken) != conversation.read_up_to:
            conversation.read_up_to = len(spoken)
            conversation.user_spoke(spoken[-1].content if spoken else "")
        return conversation
