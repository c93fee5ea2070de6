"""Files of conversations: a list of messages, an object around one, or these or single messages line by line.

Logs of requests repeat the whole conversation in each; what was in the previous one is not reported again.
"""

from collections.abc import Iterable, Iterator

from headway.core.events import Event
from headway.shapes.conversation import Conversation, messages_read
from headway.shapes.message import is_message
from headway.shapes.values import Record, fields, items, text, values
from headway.sources import Head, Source, seconds

LISTS = ("messages", "contents", "conversation", "history", "trajectory")
"""Names under which a list of messages is kept."""
_IDS = ("id", "run_id", "session_id", "conversation_id", "thread_id", "trace_id", "traj_id", "instance_id", "custom_id")


def messages_in(head: Head) -> list[Record]:
    """The messages a file begins with, if it is a file of conversations."""
    return head.once(_messages_in)


def _messages_in(head: Head) -> list[Record]:
    first = head.first
    if is_message(first):
        found = _only_messages(head.records)
        whole = head.records[:-1] if head.is_cut else head.records  # the last one may be cut off
        return found if all(map(is_message, whole)) else []
    for around in (first, fields(first.get("request")), fields(first.get("body"))):
        if found := _only_messages(messages_of(around)):
            return found
    listed = head.document[0] if isinstance(head.document, list) and head.document else None
    return _only_messages(items(listed))


def _only_messages(found: Iterable[object]) -> list[Record]:
    return [item for item in found if isinstance(item, dict) and is_message(item)]


def messages_of(record: Record) -> list[object]:
    """The list of messages in an object."""
    return next((record[name] for name in LISTS if isinstance(record.get(name), list)), [])


def read_chats(source: Source) -> Iterator[Event]:
    """The events of all conversations in a file."""
    chats = _Chats(source)
    for value in values(source):
        if is_message(value):
            yield from chats.message(value)
        elif isinstance(value, list) and value and not is_message(value[0]):
            for item in value:
                yield from chats.conversation(item)
        else:
            yield from chats.conversation(value)


class _Chats:
    """What has to be remembered from one conversation to the next."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.loose: Conversation | None = None
        """Messages with nothing around them are one conversation."""
        self.names: set[str] = set()
        self.before: list[object] = []
        self.told = 0
        self.talk = Conversation()

    def message(self, raw: Record) -> Iterator[Event]:
        """A message that stands on a line of its own."""
        if self.loose is None:
            self.loose = Conversation(self._name({}))
            yield self.loose.started(raw.get("model"))
        yield from _said(self.loose, [raw], self.source)

    def conversation(self, value: object) -> Iterator[Event]:
        """A list of messages, or an object that holds one and perhaps the model's answer to it."""
        around = fields(value)
        request = fields(around.get("request") or around.get("body")) or around
        messages = items(value) or messages_of(request)
        answer = _answer(around)
        if not messages and not answer:
            self.source.skip("no conversation in it")
            return
        if not self._goes_on(messages):
            self.talk, self.told = Conversation(self._name(around)), 0
            yield self.talk.started(request.get("model") or fields(around.get("response")).get("model"))
        yield from _said(self.talk, messages[self.told :], self.source)
        yield from _said(self.talk, answer, self.source)
        is_told = any("usage" in message for message in answer)
        usage = None if is_told else around.get("usage") or fields(around.get("response")).get("usage")
        yield from self.talk.used(usage, around.get("cost"))  # OpenHands writes the cost beside request and answer
        self.before, self.told = messages, len(messages) + len(answer)

    def _goes_on(self, messages: list[object]) -> bool:
        before = self.before
        return bool(before) and len(messages) > len(before) and messages[: len(before)] == before

    def _name(self, around: Record) -> str:
        """The run's own id; if there is none, or it occurred before, its place in the file."""
        own = next((text(around[key]) for key in _IDS if text(around.get(key))), "")
        name = own if own not in self.names else f"{own}#{len(self.names) + 1}"
        self.names.add(name)
        return name


def _answer(around: Record) -> list[Record]:
    """What the model answered: OpenAI's choices, Gemini's candidates, or an Anthropic message."""
    response = fields(around.get("response")) or around
    response = fields(response.get("body")) or response
    for name, part in (("choices", "message"), ("candidates", "content")):
        choices = items(response.get(name))
        if choices and is_message(fields(choices[0]).get(part)):
            return [choices[0][part]]
    return [response] if response is not around and is_message(response) else []


def _said(talk: Conversation, raw: list[object] | list[Record], source: Source) -> Iterator[Event]:
    for item, message in messages_read(raw, source):
        when = item.get("timestamp") or item.get("created_at") or item.get("time")
        at = seconds(when) if when else None
        yield from talk.take(message, at)
        if "usage" in item:
            yield from talk.used(item["usage"], at=at)
