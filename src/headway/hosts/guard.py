"""For loops written by hand: watch the tool functions themselves, as a decorator or around one call."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from concurrent.futures import Future
from contextlib import ExitStack
from functools import wraps
from inspect import (
    Parameter,
    isasyncgen,
    isasyncgenfunction,
    isawaitable,
    iscoroutinefunction,
    isgenerator,
    isgeneratorfunction,
    signature,
)
from itertools import count
from threading import Lock
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack, cast
from uuid import uuid4

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.overlap import Overlap
from headway.hosts.stopped import RunStopped

Tool = TypeVar("Tool", bound=Callable[..., Any])

HEARD = 1_000
"""Pieces of a streamed result that are kept in order to judge it."""


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
        """What was raised for the present stop."""

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
        return GuardedCall(self, tool, args, call or f"{self._mark}call-{next(self._ids)}", batch)

    def user_spoke(self, text: object) -> None:
        """A new turn: a stopped run may continue, and the next stop is raised again."""
        self._raised = None
        super().user_spoke(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> bool:
        """Catch the stop of this guard, also inside a group of exceptions; the others of the group are raised."""
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
        """Calls that overlap were asked for together, unless `before_model` tells which were."""
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
        learnt: list[_Later] = []
        """How this tool delivers its result, if it comes later; a refusal is delivered in the same way."""

        def watched(*args: Any, **kwargs: Any) -> Any:
            with ExitStack() as until_known:
                call = until_known.enter_context(self.call(name, _arguments(names, args, kwargs)))
                if call.refusal is None:
                    call.output = tool(*args, **kwargs)
                    learnt[:] = _comes_later(call.output)
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
            return (yield from _streamed(call, lambda: tool(*args, **kwargs)))

        return watched

    def _watched_stream_of_tasks(self, tool: Callable[..., Any]) -> Callable[..., Any]:
        name, names = _described(tool)

        def watched(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
            call = self.call(name, _arguments(names, args, kwargs))
            return _streamed_async(call, lambda: tool(*args, **kwargs))

        return watched


class GuardedCall:
    """One call that is being watched: put its result into `output`."""

    def __init__(self, guard: guard, tool: str, args: object, id: str, batch: str | None) -> None:
        self._guard, self._asked, self._batch, self._pieces = guard, (tool, args, id), batch, list[Any]()
        self._is_open = False
        self.output: Any = None
        self.refusal: str | None = None
        """Why the call must not be run; to be given to the model in place of a result."""

    def __enter__(self) -> Self:
        if not self._is_open:
            overlapping = self._guard._begin(self._asked[2])
            self.refusal = self._guard.called(*self._asked, self._batch or overlapping)
            self._guard._raise_stop(self._asked[2])
            self._is_open = True
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        id = self._asked[2]
        self._guard._end(id)
        if error is None:
            self._guard.returned(id, self.output if not self._pieces else "".join(map(_text, self._pieces)))
        elif isinstance(error, Exception):  # a cancelled task or a keyboard interrupt says nothing about the tool
            self._guard.returned(id, f"{type(error).__name__}: {_text(error)}", failed=True)

    def hear(self, piece: object) -> None:
        """Note a piece of a streamed result."""
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


def _text(value: object) -> str:
    """The text of an error or a piece; its type if it has none, because our reading must not fail in its place."""
    try:
        return str(value)
    except Exception:
        return f"<{type(value).__name__}>"


_Later = Callable[[GuardedCall, Any], Any]
"""Delivers a result that comes later, or the refusal of the call in the same way."""


def _comes_later(output: object) -> list[_Later]:
    """How a result is delivered that does not exist yet when the function returns; empty if it exists."""
    if asyncio.isfuture(output):
        return [lambda call, future: _settled(call, future, asyncio.get_running_loop().create_future)]
    if isinstance(output, Future):
        return [lambda call, future: _settled(call, future, Future)]
    if isawaitable(output):
        return [_awaited]
    if isgenerator(output):
        return [lambda call, stream: _streamed(call, lambda: stream)]
    if isasyncgen(output):
        return [lambda call, stream: _streamed_async(call, lambda: stream)]
    return []


async def _awaited(call: GuardedCall, awaitable: Awaitable[Any]) -> Any:
    with call:
        if call.refusal is None:
            call.output = None  # until it is there
            call.output = await awaitable
    return call.answer


def _settled(call: GuardedCall, future: Any, new_future: Callable[[], Any]) -> Any:
    """The same future, whose result is noted when it is there; no nudge can be added to it."""
    if call.refusal is not None:
        with call:
            future = new_future()
            future.set_result(call.refusal)
        return future

    def note(done: Any) -> None:
        error = asyncio.CancelledError() if done.cancelled() else done.exception()
        call.output = done.result() if error is None else None
        call.__exit__(None, error, None)

    future.add_done_callback(note)
    return future


def _streamed(call: GuardedCall, begin: Callable[[], Generator[Any, Any, Any]]) -> Generator[Any, Any, Any]:
    with call:
        call.output = None
        ended = (yield from _heard(call, begin())) if call.refusal is None else None
    yield from call.afterword
    return ended


def _heard(call: GuardedCall, stream: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """The same pieces, noted; what the caller sends or throws reaches the tool."""
    try:
        piece = next(stream)
        while True:
            call.hear(piece)
            try:
                sent = yield piece
            except GeneratorExit:
                stream.close()
                raise
            except BaseException as error:
                piece = stream.throw(error)
            else:
                piece = stream.send(sent)
    except StopIteration as end:
        return end.value


async def _streamed_async(call: GuardedCall, begin: Callable[[], AsyncGenerator[Any, Any]]) -> AsyncGenerator[Any, Any]:
    with call:
        call.output = None
        stream = begin() if call.refusal is None else None
        try:
            piece = await anext(stream) if stream else None
            while stream:
                call.hear(piece)
                try:
                    sent = yield piece
                except GeneratorExit:
                    await stream.aclose()
                    raise
                except BaseException as error:
                    piece = await stream.athrow(error)
                else:
                    piece = await stream.asend(sent)
        except StopAsyncIteration:
            pass
    for word in call.afterword:
        yield word


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
