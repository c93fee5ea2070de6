"""Lists of contents as Google's Gemini API takes them. Calls often have no id: results find them by name and order."""

from collections.abc import Iterator

from headway.core.events import Event
from headway.shapes.chats import messages_in, read_chats
from headway.sources import Head, Source


class GeminiContents:
    """Conversations in the shape of the Gemini API."""

    name = "gemini-contents"
    title = "Gemini contents (JSON or JSONL)"
    general = True

    def recognises(self, head: Head) -> bool:
        """By contents that are made of parts, whose author is the user, the model or a function."""
        found = messages_in(head)
        roles = all(item.get("role") in ("user", "model", "function", "tool") for item in found)
        return bool(found) and roles and all("parts" in item and "type" not in item for item in found)

    def read(self, source: Source) -> Iterator[Event]:
        """Each conversation is a run of its own."""
        return read_chats(source)
