"""DSPy: a watched `dspy.ReAct`. DSPy's callbacks can change nothing, and ReAct swallows what a tool raises."""

from contextvars import ContextVar
from functools import wraps
from inspect import isawaitable, iscoroutinefunction
from typing import Any, Self, Unpack
from uuid import uuid4

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require
from headway.hosts.stopped import RunStopped as AnyRunStopped

require("dspy", "dspy", "3.3", "4")

import dspy

_current: ContextVar[Conversation | None] = ContextVar("headway_conversation", default=None)
"""The conversation of the program that is being called."""


class RunStopped(RuntimeError, AnyRunStopped):
    """Headway ended the run: `decision` has the reason."""

    def __init__(self, conversation: Conversation) -> None:
        RuntimeError.__init__(self, conversation.last_words)
        self.decision = conversation.stopped or self.decision


class Headway:
    """Watches the calls of agents that it creates; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)

    def ReAct(self, signature: Any, tools: list[Any], max_iters: int = 20) -> dspy.ReAct:  # noqa: N802 - as DSPy says
        """A `dspy.ReAct` that is watched."""
        given = [tool if isinstance(tool, dspy.Tool) else dspy.Tool(tool) for tool in tools]
        program = _WatchedReAct(signature, [_watched(tool) for tool in given], max_iters)
        program.headway = self
        return program

    def __deepcopy__(self, memo: Any) -> Self:
        """Optimizers copy programs; all copies are watched by the same Headway."""
        return self


class _WatchedReAct(dspy.ReAct):
    """Each call is a conversation of its own: ReAct remembers nothing of earlier ones."""

    headway: Headway

    def forward(self, **inputs: Any) -> Any:
        before = _current.set(self._begun(inputs))
        try:
            return super().forward(**inputs)
        finally:
            _current.reset(before)

    async def aforward(self, **inputs: Any) -> Any:
        before = _current.set(self._begun(inputs))
        try:
            return await super().aforward(**inputs)
        finally:
            _current.reset(before)

    def _call_with_potential_trajectory_truncation(self, module: Any, trajectory: Any, **inputs: Any) -> Any:
        """Ask the model, unless the run is over."""
        _before_model()
        answer = super()._call_with_potential_trajectory_truncation(module, trajectory, **inputs)
        _note_answer(module, answer)
        return answer

    async def _async_call_with_potential_trajectory_truncation(
        self, module: Any, trajectory: Any, **inputs: Any
    ) -> Any:
        """The same, async."""
        _before_model()
        answer = await super()._async_call_with_potential_trajectory_truncation(module, trajectory, **inputs)
        _note_answer(module, answer)
        return answer

    @harmless
    def _begun(self, inputs: dict[str, Any]) -> Conversation:
        conversation = self.headway.conversations.of(uuid4().hex)
        conversation.user_spoke("\n".join(f"{name}: {value}" for name, value in inputs.items()))
        return conversation


def _before_model() -> None:
    if (conversation := _current.get()) is not None and conversation.stopped is not None:
        raise RunStopped(conversation)


@harmless
def _note_answer(module: Any, answer: Any) -> None:
    """Record the model's thought, and the usage of the request if the model's history has it."""
    conversation = _current.get()
    if conversation is None:
        return
    conversation.agent_spoke(getattr(answer, "next_thought", ""))
    lm = getattr(module, "lm", None) or dspy.settings.lm
    last = lm.history[-1] if lm.history else {}
    if last.get("uuid") != conversation.read_up_to:
        conversation.read_up_to = last.get("uuid")
        used = last.get("usage") or {}
        tokens = used.get("prompt_tokens"), used.get("completion_tokens")
        conversation.used(*tokens, last.get("cost"), model=str(last.get("model") or "").rpartition("/")[2])


def _watched(tool: dspy.Tool) -> dspy.Tool:
    """The same tool; its calls are watched within a program of ours."""
    run = tool.func

    def begun(arguments: dict[str, Any]) -> tuple[Conversation | None, str, str | None]:
        conversation, call = _current.get(), uuid4().hex
        return conversation, call, None if conversation is None else conversation.called(tool.name, arguments, call)

    @wraps(run)
    def watched(**arguments: Any) -> Any:
        conversation, call, refusal = begun(arguments)
        if conversation is None or refusal is not None:
            return run(**arguments) if refusal is None else refusal
        try:
            result = run(**arguments)
        except Exception as error:
            conversation.returned(call, str(error) or repr(error), failed=True)
            raise
        return result if isawaitable(result) else _returned(conversation, call, result)

    @wraps(run)
    async def awaited(**arguments: Any) -> Any:
        conversation, call, refusal = begun(arguments)
        if conversation is None or refusal is not None:
            return await run(**arguments) if refusal is None else refusal
        try:
            result = await run(**arguments)
        except Exception as error:
            conversation.returned(call, str(error) or repr(error), failed=True)
            raise
        return _returned(conversation, call, result)

    return tool.model_copy(update={"func": awaited if iscoroutinefunction(run) else watched})


def _returned(conversation: Conversation, call: str, result: Any) -> Any:
    """The result with a nudge, if any. ReAct shows the model any object as its text."""
    conversation.returned(call, result)
    return result if (advice := conversation.advice()) is None else f"{result}\n\n{advice}"
