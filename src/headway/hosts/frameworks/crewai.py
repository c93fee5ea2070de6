"""CrewAI: hooks around model and tool calls, for all crews and agents of the process."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Unpack
from uuid import uuid4

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require
from headway.hosts.stopped import RunStopped as AnyRunStopped

require("crewai", "crewai", "1.15.20", "2")

from crewai.hooks.dispatch import HookAborted, InterceptionPoint, register, unregister

_running: ContextVar[tuple[tuple[str, str, str | None], ...]] = ContextVar("headway_running", default=())
"""(tool, call, what to answer in its place) of the running calls; they are nested if agents delegate."""


class RunStopped(HookAborted, AnyRunStopped):
    """Headway ended the run: `reason` says why, `decision` has all of it."""

    def __init__(self, conversation: Conversation) -> None:
        super().__init__(conversation.last_words, source="headway")  # type: ignore[call-arg]
        self.decision = conversation.stopped or self.decision


class Headway:
    """Watches every agent at every task; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)
        self._hooks: dict[InterceptionPoint, Callable[[Any], Any]] = {
            InterceptionPoint.PRE_MODEL_CALL: self._before_model,
            InterceptionPoint.POST_MODEL_CALL: self._after_model,
            InterceptionPoint.PRE_TOOL_CALL: self._before_tool,
            InterceptionPoint.POST_TOOL_CALL: self._after_tool,
        }

    def install(self) -> "Headway":
        """Start watching. Agents take their hooks when they first work, so call this before."""
        for point, hook in self._hooks.items():
            register(point, hook)
        return self

    def uninstall(self) -> None:
        """Stop watching; agents that have already worked keep their hooks."""
        for point, hook in self._hooks.items():
            unregister(point, hook)

    def _before_model(self, context: Any) -> None:
        if context.agent is None:  # a model that is asked outside of any agent
            return
        self._note_request(context)
        if (conversation := self._of(context)).stopped is not None:
            raise RunStopped(conversation)

    @harmless
    def _note_request(self, context: Any) -> None:
        conversation = self._of(context)
        if context.iterations == 0:
            conversation.user_spoke(context.task.description if context.task else "")
        _note_usage(conversation, context.llm)
        if advice := conversation.before_model():
            context.messages.append({"role": "user", "content": advice})

    @harmless
    def _after_model(self, context: Any) -> None:
        if context.agent is not None and isinstance(context.response, str):
            self._of(context).agent_spoke(context.response.partition("\nAction:")[0])

    @harmless
    def _before_tool(self, context: Any) -> bool | None:
        call = uuid4().hex
        refusal = self._of(context).called(context.tool_name, context.tool_input, call)
        _running.set((*_running.get(), (context.tool_name, call, refusal)))
        return False if refusal else None

    @harmless
    def _after_tool(self, context: Any) -> str | None:
        conversation, running = self._of(context), _running.get()
        while running and running[-1][0] != context.tool_name:  # the end of this one was not reported
            running = running[:-1]
        if not running:
            return None
        (_, call, refusal), rest = running[-1], running[:-1]
        _running.set(rest)
        if refusal:
            return refusal
        conversation.returned(call, context.tool_result)
        advice = conversation.advice()
        return f"{context.tool_result}\n\n{advice}" if advice else None

    def _of(self, context: Any) -> Conversation:
        """The conversation of an agent at one task, which it begins with an empty memory."""
        return self.conversations.of(*(getattr(one, "id", None) for one in (context.crew, context.task, context.agent)))


def _note_usage(conversation: Conversation, model: Any) -> None:
    """Count what the model has used since this agent's last request, including requests of agents it delegated to."""
    if not hasattr(model, "get_token_usage_summary"):
        return
    total = model.get_token_usage_summary()
    before, conversation.read_up_to = conversation.read_up_to, [total.prompt_tokens, total.completion_tokens]
    if before is not None:
        used_in, used_out = (now - then for now, then in zip(conversation.read_up_to, before, strict=True))
        conversation.used(max(0, used_in), max(0, used_out), model=getattr(model, "model", None))
