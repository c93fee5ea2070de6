"""Decides what the proxy does with the messages of one connection.

Every line is passed on unchanged, with two exceptions: a refused call is answered here, and a nudge is added to the
result of a call.
"""

import time
from collections.abc import Callable
from itertools import count
from threading import Lock
from typing import Unpack

import msgspec
from msgspec import Raw

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.overlap import Overlap
from headway.hosts.mcp.messages import (
    Id,
    RpcMessage,
    batch_of,
    error_in,
    message_in,
    parts_of,
    refused,
    result_in,
    with_text,
)

NEW_TURN_AFTER = 300.0
"""Seconds without a call after which the next one begins a new turn. MCP does not report the user's messages."""
MOST_OPEN = 1_000
"""Maximum number of open calls to remember."""


class Transit:
    """Processes the messages between a client and a server. Each direction may have its own thread."""

    def __init__(
        self,
        new_turn_after: float = NEW_TURN_AFTER,
        clock: Callable[[], float] = time.monotonic,
        **options: Unpack[Options],
    ) -> None:
        self._options, self._new_turn_after, self._clock = options, new_turn_after, clock
        self._lock, self._ids = Lock(), count(1)
        self._owed: list[tuple[set[Id], list[bytes]]] = []
        """Our answers to calls of a batch, by the requests of that batch that the server answers."""
        self._begin()

    def _begin(self) -> None:
        self.conversation = Conversation(**self._options)
        self._open: dict[Id, str] = {}
        """The calls that the server is running, and their ids in the conversation."""
        self._overlap, self._batch, self._last = Overlap(self._clock), 0, self._clock()

    def from_client(self, line: bytes) -> tuple[bytes, bytes]:
        """A line of the client: what to pass on to the server, and what to answer at once."""
        with self._lock:
            return self._sorted(line) or (line, b"")

    def from_server(self, line: bytes) -> bytes:
        """A line of the server: what the client gets."""
        with self._lock:
            return self._told(line) or line

    @harmless
    def _sorted(self, line: bytes) -> tuple[bytes, bytes] | None:
        parts, is_batch = parts_of(line)
        messages = [message_in(part) for part in parts]
        refusals = [None if message is None else self._refusal(message) for message in messages]
        answers = [answer for answer in refusals if answer is not None]
        if not answers:
            return None
        if not is_batch:
            return b"", answers[0] + b"\n"
        kept = [place for place, answer in enumerate(refusals) if answer is None]
        passed = batch_of(parts[place] for place in kept) + b"\n" if kept else b""
        waited_for = {id for place in kept if (id := _request_id(messages[place])) is not None}
        if waited_for:
            self._owed.append((waited_for, answers))
            return passed, b""
        return passed, batch_of(answers) + b"\n"

    @harmless
    def _refusal(self, message: RpcMessage) -> bytes | None:
        """The answer to a call that must not run; None for everything that is passed on."""
        if message.method == "initialize":
            self._begin()
        elif message.method == "notifications/cancelled" and (id := message.details.requestId) is not None:
            self._overlap.forget(self._open.pop(id, ""))
        elif message.method == "tools/call" and message.id is not None:
            return self._call(message.id, message)
        return None

    def _call(self, id: Id, message: RpcMessage) -> bytes | None:
        call, asked = f"call-{next(self._ids)}", message.details
        arguments = msgspec.json.decode(asked.arguments)
        before, self._batch = self._batch, self._overlap.begin(call)
        if self._batch != before and self._clock() - self._last > self._new_turn_after:
            self.conversation.user_spoke("")
        self._last = self._clock()
        refusal = self.conversation.called(asked.name, arguments, call, f"overlapping-{self._batch}")
        if refusal is None:
            while len(self._open) >= MOST_OPEN:
                self._overlap.forget(self._open.pop(next(iter(self._open))))
            self._open[id] = call
            return None
        self._overlap.forget(call)
        advice = self.conversation.advice()  # could not be added to a result
        return refused(id, asked, f"{advice}\n\n{refusal}" if advice else refusal)

    @harmless
    def _told(self, line: bytes) -> bytes | None:
        """The line with our additions; None if it stays unchanged."""
        parts, is_batch = parts_of(line)
        messages = [message_in(part) for part in parts]
        new = [self._answered(part, message) or part for part, message in zip(parts, messages, strict=True)]
        owed = self._owed_with({message.id for message in messages if message is not None and message.id is not None})
        if not owed and all(one is part for one, part in zip(new, parts, strict=True)):
            return None
        if is_batch:
            return batch_of([*new, *owed]) + _ending(line)
        before = batch_of(owed) + b"\n" if owed else b""
        return before + bytes(new[0]).rstrip(b"\r\n") + _ending(line)

    @harmless
    def _answered(self, part: Raw, message: RpcMessage | None) -> Raw | None:
        """The response to a call with the nudge; None if it stays unchanged."""
        if message is None or message.method or message.id is None:
            return None
        call = self._open.pop(message.id, None)
        if call is None:
            return None
        self._overlap.end(call)
        self._last = self._clock()
        result = result_in(message)
        if result is not None:
            self.conversation.returned(call, result.text, failed=True if result.isError else None)
        elif isinstance(message.error, Raw):
            self.conversation.returned(call, error_in(message), failed=True)
        else:  # a question to the user, or a running task: the call has no result yet
            return None
        advice = self.conversation.advice()
        return with_text(part, advice) if advice else None

    def _owed_with(self, answered: set[Id]) -> list[bytes]:
        """Our answers to the batches in which one of these requests was answered."""
        due = [entry for entry in self._owed if entry[0] & answered]
        self._owed = [entry for entry in self._owed if not entry[0] & answered]
        return [answer for _, answers in due for answer in answers]


def _request_id(message: RpcMessage | None) -> Id | None:
    return message.id if message is not None and message.method else None


def _ending(line: bytes) -> bytes:
    return line[len(line.rstrip(b"\r\n")) :]
