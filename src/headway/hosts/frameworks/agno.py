"""Agno: a hook around every tool call, which also sees the messages of the run so far."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from inspect import isawaitable
from typing import Any, Unpack
from uuid import uuid4

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require
from headway.hosts.stopped import RunStopped as AnyRunStopped

require("agno", "agno", "3.1", "4")

from agno.exceptions import AgentRunException, StopAgentRun
from agno.models.message import Message
from agno.tools.function import ToolResult


class RunStopped(StopAgentRun, AnyRunStopped):
    """Headway ended the run: `decision` has the reason. Agno catches it and ends the run with its message."""

    def __init__(self, conversation: Conversation) -> None:
        said = Message(role="assistant", content=conversation.last_words)
        StopAgentRun.__init__(self, conversation.last_words, agent_message=said)
        self.decision = conversation.stopped or self.decision


class Headway:
    """Watches the runs of agents and teams, as one of their `tool_hooks`; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)
        self.__name__ = "Headway"

    def __call__(
        self,
        function_name: str,
        function_call: Callable[..., Any],
        arguments: dict[str, Any],
        run_context: Any = None,
        agent: Any = None,
        team: Any = None,
    ) -> Any:
        """Watch a call, or answer in its place. In an async run, the result is awaited."""
        conversation = self.conversations.of(run_context.session_id, getattr(agent or team, "name", None) or "")
        call, batch = uuid4().hex, self._read(conversation, run_context)
        refusal = conversation.called(function_name, arguments, call, batch)
        if conversation.stopped is not None:
            raise RunStopped(conversation)
        if refusal is not None:
            return refusal
        try:
            result = function_call(**arguments)
        except AgentRunException:
            raise
        except Exception as error:
            conversation.returned(call, str(error) or repr(error), failed=True)
            raise
        return _awaited(conversation, call, result) if isawaitable(result) else _returned(conversation, call, result)

    @harmless
    def _read(self, conversation: Conversation, run_context: Any) -> str:
        """Note what was said and used since the last call; the name of the batch that this call is in."""
        messages = run_context.messages or []
        run, count = conversation.read_up_to or ("", 0)
        if run != run_context.run_id:
            asked = [one for one in messages if one.role == "user" and not one.from_history]
            conversation.user_spoke(asked[-1].content if asked else "")
            count = next((n for n, one in enumerate(messages) if asked and one is asked[-1]), 0)
        for message in messages[count:]:
            if message.role == "assistant":
                used = message.metrics
                conversation.used(used.input_tokens, used.output_tokens, used.cost)
                conversation.agent_spoke(message.content or "")
        conversation.read_up_to = run_context.run_id, len(messages)
        return f"{run_context.run_id} {len(messages)}"


async def _awaited(conversation: Conversation, call: str, result: Awaitable[Any]) -> Any:
    try:
        given = await result
    except AgentRunException:
        raise
    except Exception as error:
        conversation.returned(call, str(error) or repr(error), failed=True)
        raise
    return _returned(conversation, call, given)


def _returned(conversation: Conversation, call: str, result: Any) -> Any:
    """The result with a nudge, if any. Agno shows the model any other object as its text."""
    if isinstance(result, (Iterator, AsyncIterator)):
        return result
    is_own = isinstance(result, ToolResult)
    conversation.returned(call, result.content if is_own else result)
    advice = conversation.advice()
    if advice is None:
        return result
    if is_own:
        return result.model_copy(update={"content": f"{result.content}\n\n{advice}"})
    return f"{result}\n\n{advice}"
