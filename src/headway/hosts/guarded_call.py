"""One call that is watched by `guard`, and results that exist only later: awaitables, futures and streams."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from concurrent.futures import Future
from inspect import isasyncgen, isawaitable, isgenerator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from headway.hosts.guard import guard

MAX_PIECES = 1_000
"""Pieces of a streamed result that are kept in order to judge it."""


class GuardedCall:
    """One call that is being watched: put its result into `output`."""

    def __init__(self, guard: "guard", tool: str, args: object, id: str, batch: str | None) -> None:
        self._guard, self._asked, self._batch, self._pieces = guard, (tool, args, id), batch, list[Any]()
        self._is_open = False
        self.output: Any = None
        self.refusal: str | None = None
        """Why the call must not run; give this to the model in place of a result."""

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

    def note_piece(self, piece: object) -> None:
        """Note a piece of a streamed result."""
        if len(self._pieces) < MAX_PIECES:
            self._pieces.append(piece)

    @property
    def answer(self) -> Any:
        """What to give to the model: the result, with the nudge added if there is one and the result is text."""
        if self.refusal is not None:
            return self.refusal
        if isinstance(self.output, str) and (advice := self._guard.advice()):
            return f"{self.output}\n\n{advice}"
        return self.output

    @property
    def afterword(self) -> list[str]:
        """Pieces to add after the last one of a streamed result."""
        if self.refusal is not None:
            return [self.refusal]
        is_text = all(isinstance(piece, str) for piece in self._pieces)
        advice = self._guard.advice() if is_text else None
        return [f"\n\n{advice}"] if advice else []


def _text(value: object) -> str:
    """The text of an error or a piece; its type if it has none, because our reading must not fail in its place."""
    try:
        return str(value)
    except Exception:
        return f"<{type(value).__name__}>"


Later = Callable[[GuardedCall, Any], Any]
"""Delivers a result that comes later, or the refusal of the call in the same way."""


def comes_later(output: object) -> list[Later]:
    """How to deliver a result that does not exist yet when the function returns; empty if it exists."""
    if asyncio.isfuture(output):
        return [lambda call, future: _settled(call, future, asyncio.get_running_loop().create_future)]
    if isinstance(output, Future):
        return [lambda call, future: _settled(call, future, Future)]
    if isawaitable(output):
        return [_awaited]
    if isgenerator(output):
        return [lambda call, stream: streamed(call, lambda: stream)]
    if isasyncgen(output):
        return [lambda call, stream: streamed_async(call, lambda: stream)]
    return []


async def _awaited(call: GuardedCall, awaitable: Awaitable[Any]) -> Any:
    with call:
        if call.refusal is None:
            call.output = None  # until the result exists
            call.output = await awaitable
    return call.answer


def _settled(call: GuardedCall, future: Any, new_future: Callable[[], Any]) -> Any:
    """The same future, whose result is recorded when it is done; no nudge can be added to it."""
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


def streamed(call: GuardedCall, begin: Callable[[], Generator[Any, Any, Any]]) -> Generator[Any, Any, Any]:
    """The pieces that a generator yields."""
    with call:
        call.output = None
        ended = (yield from _noted(call, begin())) if call.refusal is None else None
    yield from call.afterword
    return ended


def _noted(call: GuardedCall, stream: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """The same pieces, noted; what the caller sends or throws reaches the tool."""
    try:
        piece = next(stream)
        while True:
            call.note_piece(piece)
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


async def streamed_async(call: GuardedCall, begin: Callable[[], AsyncGenerator[Any, Any]]) -> AsyncGenerator[Any, Any]:
    """The same for an async generator."""
    with call:
        call.output = None
        stream = begin() if call.refusal is None else None
        try:
            piece = await anext(stream) if stream else None
            while stream:
                call.note_piece(piece)
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
