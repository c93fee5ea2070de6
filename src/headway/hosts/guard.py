"""For loops written by hand: watch the tool functions themselves, as a decorator or around one call."""

from collections.abc import AsyncIterator, Callable, Iterator
from functools import wraps
from inspect import Parameter, isasyncgenfunction, iscoroutinefunction, isgeneratorfunction, signature
from itertools import count
from threading import Lock
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack, cast

from headway.core.decision import Decision
from headway.hosts.frameworks.conversation import Conversation, Options

Tool = TypeVar("Tool", bound=Callable[..., Any])

HEARD = 1_000
"""Pieces of a streamed result that are kept in order to judge it."""


class RunStopped(Exception):
    """Headway ended the run; `decision` has the reason."""

    def __init__(self, text: str, decision: Decision) -> None:
        super().__init__(text)
        self.decision = decision


class guard(Conversation):  # noqa: N801 - read as a word, like contextlib.suppress
    """One conversation of an agent whose loop you wrote yourself; takes what `Monitor` takes.

    A tool it decorates is watched. A nudge is added to the text the tool returns, a refused call returns the reason in
    place of its result, and when the run has to end the next call raises `RunStopped`, which the `with` block catches.

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

    def __init__(self, **options: Unpack[Options]) -> None:
        super().__init__(**options)
        self._ids, self._lock, self._running, self._batch = count(1), Lock(), 0, 0

    def __call__(self, tool: Tool) -> Tool:
        """Watch a tool: a function, a coroutine function, or a generator of either kind."""
        if isasyncgenfunction(tool):
            watched = self._watched_stream_of_tasks(tool)
        elif iscoroutinefunction(tool):
            watched = self._watched_task(tool)
        elif isgeneratorfunction(tool):
            watched = self._watched_stream(tool)
        else:
            watched = self._watched_function(tool)
        return cast("Tool", wraps(tool)(watched))

    def call(
        self, tool: str, args: object = None, *, call: str | None = None, batch: str | None = None
    ) -> "GuardedCall":
        """Watch one call: `with watch.call("bash", {...}) as call: call.output = call.refusal or run(...)`."""
        return GuardedCall(self, tool, args, call or f"call-{next(self._ids)}", batch)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> bool:
        return isinstance(error, RunStopped) and error.decision is self.stopped

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> bool:
        return self.__exit__(kind, error, trace)

    def _begin(self) -> str | None:
        """Calls that overlap were asked for together, unless `before_model` tells which were."""
        with self._lock:
            self._batch += self._running == 0
            self._running += 1
            return None if self._requests else f"overlapping-{self._batch}"

    def _end(self) -> None:
        with self._lock:
            self._running -= 1

    def _watched_function(self, tool: Callable[..., Any]) -> Callable[..., Any]:
        name, names = _described(tool)

        def watched(*args: Any, **kwargs: Any) -> Any:
            with self.call(name, _arguments(names, args, kwargs)) as call:
                if call.refusal is None:
                    call.output = tool(*args, **kwargs)
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

        def watched(*args: Any, **kwargs: Any) -> Iterator[Any]:
            with self.call(name, _arguments(names, args, kwargs)) as call:
                for piece in tool(*args, **kwargs) if call.refusal is None else ():
                    call.hear(piece)
                    yield piece
            yield from call.afterword

        return watched

    def _watched_stream_of_tasks(self, tool: Callable[..., Any]) -> Callable[..., Any]:
        name, names = _described(tool)

        async def watched(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            with self.call(name, _arguments(names, args, kwargs)) as call:
                if call.refusal is None:
                    async for piece in tool(*args, **kwargs):
                        call.hear(piece)
                        yield piece
            for word in call.afterword:
                yield word

        return watched


class GuardedCall:
    """One call that is being watched: put its result into `output`."""

    def __init__(self, guard: guard, tool: str, args: object, id: str, batch: str | None) -> None:
        self._guard, self._asked, self._batch, self._pieces = guard, (tool, args, id), batch, list[Any]()
        self.output: Any = None
        self.refusal: str | None = None
        """Why the call must not be run; to be given to the model in place of a result."""

    def __enter__(self) -> Self:
        overlapping = self._guard._begin()
        self.refusal = self._guard.called(*self._asked, self._batch or overlapping)
        if self._guard.stopped is not None:
            self._guard._end()
            raise RunStopped(self._guard.last_words, self._guard.stopped)
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        self._guard._end()
        id = self._asked[2]
        if error is None:
            self._guard.returned(id, self.output if not self._pieces else "".join(map(str, self._pieces)))
        elif isinstance(
            error, Exception
        ):  # a task that was cancelled, or a keyboard interrupt, says nothing of the tool
            self._guard.returned(id, f"{type(error).__name__}: {error}", failed=True)

    def hear(self, piece: object) -> None:
        """A piece of a streamed result."""
        if len(self._pieces) < HEARD:
            self._pieces.append(piece)

    @property
    def answer(self) -> Any:
        """What to give to the model: the result, with a nudge added where it is text and there is one."""
        if self.refusal is not None:
            return self.refusal
        if isinstance(self.output, str) and (advice := self._guard.advice()):
            return f"{self.output}\n\n{advice}"
        return self.output

    @property
    def afterword(self) -> list[str]:
        """What follows the last piece of a streamed result."""
        if self.refusal is not None:
            return [self.refusal]
        heard_text = all(isinstance(piece, str) for piece in self._pieces)
        advice = self._guard.advice() if heard_text else None
        return [f"\n\n{advice}"] if advice else []


def _described(tool: Callable[..., Any]) -> tuple[str, tuple[str, ...]]:
    """Name and parameters of a tool. Of a method, `self` is no argument of the call."""
    try:
        named = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        names = tuple(name for name, one in signature(tool).parameters.items() if one.kind in named)
    except (TypeError, ValueError):  # some built-in functions do not tell
        names = ()
    return getattr(tool, "__name__", type(tool).__name__), names


def _arguments(names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    given = dict(zip(names, args, strict=False))
    given.pop("self", None)
    given |= kwargs
    if len(args) > len(names):
        given["args"] = args[len(names) :]
    return given
