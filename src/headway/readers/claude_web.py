"""Claude's own export of your data: `conversations.json`, a list of conversations with their `chat_messages`."""

from collections.abc import Iterator

from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import read_message
from headway.shapes.values import Record, fields, items, text, values
from headway.sources import Head, Source, seconds

_ROLES = {"human": "user", "assistant": "assistant"}


class ClaudeWeb:
    """Conversations from Claude's apps."""

    name = "claude-web"
    title = "Claude data export (conversations.json)"

    def recognises(self, head: Head) -> bool:
        """By conversations with a sender in each message."""
        first = head.first
        messages = [fields(message) for message in items(first.get("chat_messages"))]
        return {"uuid", "chat_messages"} <= first.keys() and all("sender" in message for message in messages[:1])

    def read(self, source: Source) -> Iterator[Event]:
        """Every conversation is a run. The export has neither models nor tokens."""
        for value in values(source):
            for record in value if isinstance(value, list) else (value,):
                conversation = fields(record)
                if not isinstance(conversation.get("chat_messages"), list):
                    source.skip("no conversation in it")
                    continue
                talk = Conversation(text(conversation.get("uuid")))
                yield talk.started(None, "claude-web", at=seconds(conversation.get("created_at")))
                for raw in conversation["chat_messages"]:
                    yield from _message(fields(raw), talk)


def _message(raw: Record, talk: Conversation) -> Iterator[Event]:
    """One message; older exports have its text beside an empty content."""
    role = _ROLES.get(text(raw.get("sender")), "")
    content = items(raw.get("content")) or text(raw.get("text"))
    yield from talk.take(read_message({"role": role, "content": content}), seconds(raw.get("created_at")))
