"""Lists of messages as Anthropic's API takes them: calls and results are blocks in the content."""

from collections.abc import Iterator

from headway.core.events import Event
from headway.shapes.chats import messages_in, read_chats
from headway.shapes.message import is_block_message
from headway.sources import Head, Source

_OTHERS = ({"sessionId", "agent"}, {"v", "created"})
"""Keys of Cline and Amp, whose messages look alike."""


class AnthropicMessages:
    """Conversations in the shape of Anthropic's Messages API."""

    name = "anthropic-messages"
    title = "Anthropic messages (JSON or JSONL)"
    general = True

    def recognises(self, head: Head) -> bool:
        """By messages of user and assistant, at least one of them made of blocks that only this API knows."""
        found = messages_in(head)
        if any(keys <= head.first.keys() for keys in _OTHERS):
            return False
        return any(map(is_block_message, found)) and all(
            item.get("role") in ("user", "assistant", "system") for item in found
        )

    def read(self, source: Source) -> Iterator[Event]:
        """Each conversation is a run of its own."""
        return read_chats(source)
