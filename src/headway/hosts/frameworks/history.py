"""Reads a conversation from the requests to its model: each request contains the whole history again."""

from collections.abc import Container, Iterable
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import CONVERSATIONS
from headway.rolling.normalise import digest
from headway.shapes.message import Message

ADVICE = "[headway] "
KEPT = 10_000
"""Messages of earlier requests that are kept, all requests together."""
KEPT_CHARACTERS = 64_000_000
"""Characters in them: a few messages can be as long as thousands of others."""
COPIED = 8
"""The last messages of a request are compared with copies, because a program may have changed its own since then."""


class Sent(NamedTuple):
    """The messages of a request; those that it shares with an earlier one are only counted."""

    messages: list[Message]
    digests: list[int]
    """For each of these messages a digest of everything up to it."""
    skipped: int = 0
    before: int = 0
    """The digest of what was skipped."""

    @property
    def size(self) -> int:
        """All messages of the request."""
        return self.skipped + len(self.messages)

    @property
    def digest(self) -> int:
        """The digest of all messages."""
        return self.digests[-1] if self.digests else self.before

    def digest_of(self, count: int) -> int | None:
        """The digest of the first messages, if it is known."""
        if count == self.skipped:
            return self.before
        return self.digests[count - self.skipped - 1] if self.skipped < count <= self.size else None


class Requests:
    """The messages of earlier requests. Comparing a message with them takes far less time than reading it."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[list[Any], list[Any], int]] = {}
        """Messages, copies of the last ones, and the characters, by the digest of them all; the latest comes last."""
        self._kept = self._characters = 0
        self._lock = Lock()

    def known(self, sent: list[Any]) -> tuple[int, int]:
        """How many messages the request shares with the earlier one that it continues, and their digest."""
        count = known = 0
        with self._lock:
            for one, (messages, copies, _) in self._known.items():
                if count < len(messages) <= len(sent) and _begins_with(sent, messages, copies):
                    count, known = len(messages), one
        return count, known

    def note(self, sent: list[Any], read: Sent) -> None:
        """Store the messages of a request, in place of those of the request that it continues."""
        with self._lock:
            messages, characters = self._take(read.before) if read.skipped else ([], 0)
            characters += sum(map(_length, sent[len(messages) :]))
            messages += sent[len(messages) :]
            self._take(read.digest)
            self._known[read.digest] = messages, [_copy(_fields(one)) for one in messages[-COPIED:]], characters
            self._kept += len(messages)
            self._characters += characters
            while self._kept > KEPT or self._characters > KEPT_CHARACTERS or len(self._known) > CONVERSATIONS:
                self._take(next(iter(self._known)))

    def _take(self, known: int) -> tuple[list[Any], int]:
        messages, _, characters = self._known.pop(known, ([], [], 0))
        self._kept -= len(messages)
        self._characters -= characters
        return messages, characters


def _begins_with(sent: list[Any], messages: list[Any], copies: list[Any]) -> bool:
    """Whether a request begins with these messages, and the last of them are unchanged."""
    end = len(messages)
    if copies[-1] != _fields(sent[end - 1]):
        return False
    return copies == [_fields(one) for one in sent[end - len(copies) : end]] and messages == sent[:end]


def _fields(message: Any) -> Any:
    """The fields of a message of any class."""
    return message if isinstance(message, dict) else getattr(message, "__dict__", message)


def _length(value: Any) -> int:
    """The characters in a message, wherever they are in it."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, (list, tuple)):
        return sum(map(_length, value))
    fields = _fields(value)
    return sum(map(_length, fields.values())) if isinstance(fields, dict) else 0


def _copy(fields: Any) -> Any:
    """A copy of the fields, and of the lists among them."""
    if not isinstance(fields, dict):
        return fields
    return {name: [*value] if isinstance(value, list) else value for name, value in fields.items()}


def without_advice(message: Message, given: Container[str]) -> Message:
    """A message without the advice that Headway has given at its end. Other texts that look like it are content."""
    for result in message.results:
        result.output = _before_advice(result.output, given)
    message.texts = [said for text in message.texts if (said := _before_advice(text, given))]
    return message


def chained(messages: Iterable[Message], before: int = 0) -> list[int]:
    """For each message a digest of everything up to it; `before` is that of the messages before these."""
    found: list[int] = []
    for message in messages:
        before = digest(b"%d %b" % (before, msgspec.json.encode(message)))
        found.append(before)
    return found


def unread(conversation: Conversation, sent: Sent) -> list[Message] | None:
    """The new messages. In a rewritten history, these are the ones after the last known call.

    None if this is unknown without the skipped messages.
    """
    count, before = conversation.read_up_to or (0, 0)
    if count >= sent.skipped and (not count or sent.digest_of(count) == before):
        new = sent.messages[count - sent.skipped :]
    elif sent.skipped:
        return None
    else:
        new = _not_known(conversation, sent.messages)
    conversation.read_up_to = (sent.size, sent.digest)
    return new


def _not_known(conversation: Conversation, messages: list[Message]) -> list[Message]:
    knows = conversation.monitor.session.pairing.knows
    known = [place for place, message in enumerate(messages) if any(knows(call.id) for call in message.calls)]
    end = len(messages) - (messages[-1].role == "user" and not messages[-1].results)
    first = known[-1] + 1 if known else 0  # older calls may be forgotten by now, and are not new
    return [*(msgspec.structs.replace(message, texts=[]) for message in messages[first:end]), *messages[end:]]


def told(conversation: Conversation, messages: list[Message]) -> None:
    """Report the content of these messages to a conversation. Calls in one message are one batch."""
    for number, message in enumerate(messages):
        for result in message.results:
            conversation.returned(result.call, result.output, result.failed)
        if message.role == "user" and message.texts and not message.results:
            conversation.user_spoke("\n".join(message.texts))
        elif message.role == "agent" and message.texts:
            conversation.agent_spoke("\n".join(message.texts))
        batch = f"{conversation.read_up_to[0]}.{number}"
        for call in message.calls:
            conversation.called(call.tool, call.args, call.id, batch)


def _before_advice(text: str, given: Container[str]) -> str:
    if text in given:
        return ""
    before, separator, last = text.rpartition(f"\n\n{ADVICE}")
    return before if separator and ADVICE + last in given else text
