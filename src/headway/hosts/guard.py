"""For loops written by hand: watch the tool functions themselves, as a decorator or around one call."""

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import ExitStack
from functools import wraps
from inspect import Parameter, isasyncgenfunction, iscoroutinefunction, isgeneratorfunction, signature
from itertools import count
from threading import Lock
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack, cast
from uuid import uuid4

from headway.core.events import Sender
from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.overlap import Overlap
from headway.hosts.guarded_call import GuardedCall, Later, comes_later, streamed, streamed_async
from headway.hosts.stopped import RunStopped

Tool = TypeVar("Tool", bound=Callable[..., Any])


class guard(Conversation):  # noqa: N801 - read as a word, like contextlib.suppress
    """One conversation of an agent whose loop you wrote yourself; takes what `Monitor` takes.

    A tool it decorates is watched. A nudge is added to the text the tool returns, a refused call returns the reason in
    place of its result, and when the run has to end the next call raises `RunStopped`, which the `with` block catches.
    If your program catches it itself, every further call returns the reason in place of its result; a loop
    `while not watch.stopped` ends.

    >>> with guard() as watch:
    ...     @watch
    ...     def grep(pattern: str) -> str:
    ...         return ""
    ...     for _ in range(10):
    ...         said = grep("login")
    >>> said.startswith("[headway] This call was not run. The same grep call gave the same result 3 times in a row.")
    True
    >>> watch.stopped.reason
    'exact_cycle'
    """

    def __init__(self, *, conversation: str = "", **options: Unpack[Options]) -> None:
        super().__init__(conversation=conversation, **options)
        self._ids, self._overlap = count(1), Overlap()
        self._mark = f"{uuid4().hex[:12]}-" if self._link else ""  # other processes count from 1, too
        self._counting = Lock()
        self._raised: RunStopped | None = None
        """What was raised for the current stop."""

    def __call__(self, tool: Tool) -> Tool:
        """Watch a tool: a function, a coroutine function, or a generator of either kind."""
        if not callable(tool):
            raise TypeError(f"watch takes a function, not {tool!r}; without one, use `with watch.call(name, args)`")
        if isasyncgenfunction(tool):
            watched = self._watched_stream_of_tasks(tool)
        elif iscoroutinefunction(tool):
            watched = self._watched_task(tool)
        elif isgeneratorfunction(tool):
            watched = self._watched_stream(tool)
        else:
            watched = self._watched_function(tool)
        return cast("Tool", wraps(tool)(watched))

    def call(self, tool: str, args: object = None, *, call: str | None = None, batch: str | None = None) -> GuardedCall:
        """Watch one call: `with watch.call("bash", {...}) as call: call.output = call.refusal or run(...)`."""
        return GuardedCall(self, tool, args, call or f"{self._mark}call-{next(self._ids)}", batch)

    def user_spoke(self, text: object, kind: Sender = "") -> None:
        """A new turn: a stopped run may continue, and the next stop is raised again. News begins no turn."""
        if kind != "news":
            self._raised = None
        super().user_spoke(text, kind)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> bool:
        """Catch the stop of this guard, even inside an exception group; other exceptions of the group are raised."""
        if not isinstance(error, BaseExceptionGroup):
            return error is not None and error is self._raised
        own, others = error.split(lambda one: one is self._raised)
        if own is not None and others is not None:
            raise others
        return own is not None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> bool:
        return self.__exit__(kind, error, trace)

    def _begin(self, call: str) -> str | None:
        """Begin a call. Calls that overlap are one batch, unless `before_model` marks the batches."""
        with self._counting:
            batch = self._overlap.begin(call)
            return None if self._requests else f"{self._mark}overlapping-{batch}"

    def _raise_stop(self, call: str) -> None:
        """Raise the stop, once: if it was caught inside the block, the answer to each further call is the reason."""
        if self.stopped is None:
            self._raised = None
        elif self._raised is None:
            self._end(call)
            self._raised = RunStopped(self.last_words, self.stopped)
            raise self._raised

    def _end(self, call: str) -> None:
        with self._counting:
            self._overlap.end(call)

    def _watched_function(self, tool: Callable[..., Any]) -> Callable[..., Any]:
        name, names = _described(tool)
        learnt: list[Later] = []
        """How this tool delivers its result, if it comes later; a refusal is delivered in the same way."""

        def watched(*args: Any, **kwargs: Any) -> Any:
            with ExitStack() as until_known:
                call = until_known.enter_context(self.call(name, _arguments(names, args, kwargs)))
                if call.refusal is None:
                    call.output = tool(*args, **kwargs)
                    learnt[:] = comes_later(call.output)
                if learnt:
                    until_known.pop_all()
                    return learnt[0](call, call.output)
            return call.answer

        return watched

    def _watched_task(self, tool: Callable[..., Any]) -> Callable[..., Any]:
        name, names = _described(tool)

        async def watched(*args: Any, **kwargs: Any) -> Any:
            with self.call(name, _arguments(names, args, kwargs)) as call:
                if call.refusal is None:
                    call.output = await tool(*args, **kwargs)
            return call.answer

        return watched

    def _watched_stream(self, tool: Callable[..., Any]) -> Callable[..., Any]:
        name, names = _described(tool)

        def watched(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            call = self.call(name, _arguments(names, args, kwargs))
            return (yield from streamed(call, lambda: tool(*args, **kwargs)))

        return watched

    def _watched_stream_of_tasks(self, tool: Callable[..., Any]) -> Callable[..., Any]:
        name, names = _described(tool)

        def watched(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
            call = self.call(name, _arguments(names, args, kwargs))
            return streamed_async(call, lambda: tool(*args, **kwargs))

        return watched


def _described(tool: Callable[..., Any]) -> tuple[str, tuple[str, ...]]:
    """Name and parameters of a tool, without the `self` of a method."""
    try:
        named = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        names = tuple(name for name, one in signature(tool).parameters.items() if one.kind in named)
    except (TypeError, ValueError):  # some built-in functions have no signature
        names = ()
    return getattr(tool, "__name__", type(tool).__name__), names


def _arguments(names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    given = dict(zip(names, args, strict=False))
    given.pop("self", None)
    given |= kwargs
    if len(args) > len(names):
        given["args"] = args[len(names) :]
    return given
