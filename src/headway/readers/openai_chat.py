"""Lists of chat messages in the format of OpenAI's chat completions, which many others use too.

One conversation as a JSON list or under `messages`, one conversation on each line, or one message on each line. A tool
message does not state whether the tool failed; that is inferred from its text.
"""

from collections.abc import Iterator

from headway.core.events import Event
from headway.shapes.chats import messages_in, read_chats
from headway.shapes.message import is_block_message
from headway.shapes.values import text
from headway.sources import Head, Source

_OTHERS = {"trajectory_format", "environment", "info"}
"""Keys of SWE-agent and mini-swe-agent, whose messages look alike."""
_ROLES = {"system", "developer", "user", "assistant", "tool", "function"}


class OpenaiChat:
    """Conversations in the shape of OpenAI's chat completions."""

    name = "openai-chat"
    title = "OpenAI chat messages (JSON or JSONL)"
    general = True

    def recognises(self, head: Head) -> bool:
        """By messages with a role, none of which is made of blocks for tools."""
        found = messages_in(head)
        if not found or _OTHERS & head.first.keys():
            return False
        return all(
            text(item.get("role")) in _ROLES and "agent" not in item and not is_block_message(item) for item in found
        )

    def read(self, source: Source) -> Iterator[Event]:
        """Each conversation is a run of its own."""
        return read_chats(source)
