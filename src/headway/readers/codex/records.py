"""The needed fields of a line that Codex writes; the rest of a line is not even decoded."""

from typing import Any

from msgspec import Struct, field


class Usage(Struct, gc=False):
    """Tokens, of one answer or of all so far."""

    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0


class Info(Struct, gc=False):
    """What the counter of tokens shows."""

    total_token_usage: Usage | None = None
    last_token_usage: Usage | None = None


class Shown(Struct, gc=False):
    """The event for the screen about a call that ran."""

    type: str = ""
    id: str | None = None
    status: str | None = None
    exit_code: int | None = None


class Kinds(Struct, gc=False):
    """Where the parts of a message come from."""

    content_item_kinds: list[Any] = []


class Item(Struct, gc=False):
    """A response item, an event or the settings of a turn."""

    type: str = ""
    id: str | None = None
    call_id: str | None = None
    role: str | None = None
    content: Any = None
    name: str | None = None
    arguments: Any = None
    input: Any = None
    action: Any = None
    output: Any = None
    info: Info | None = None
    item: Shown | None = None
    exit_code: int | None = None
    session_id: str | None = None
    forked_from_id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    model: str | None = None
    origin: Kinds | None = field(default=None, name="internal_chat_message_metadata_passthrough")


class Line(Item, gc=False):
    """One line."""

    payload: Item | None = None


class Metadata(Struct, gc=False):
    """What older versions sent to the model beside the output of a command."""

    exit_code: int | None = None


class Wrapped(Struct, gc=False):
    """The result of a command as older versions gave it to the model."""

    output: str
    metadata: Metadata | None = None
