"""The needed fields of a message that OpenCode records."""

from typing import Any

from msgspec import Struct, field


class Time(Struct, gc=False):
    """When something happened, in milliseconds."""

    start: float | None = None
    end: float | None = None
    created: float | None = None


class Cache(Struct, gc=False):
    """Tokens that were read from the cache or written to it."""

    read: int = 0
    write: int = 0


class Tokens(Struct, gc=False):
    """Tokens of one answer of the model."""

    input: int = 0
    output: int = 0
    reasoning: int = 0
    cache: Cache = field(default_factory=Cache)


class ToolMetadata(Struct, gc=False):
    """What a tool returns besides its output."""

    exit: int | None = None


class State(Struct, gc=False):
    """The state of a call."""

    status: str = ""
    input: Any = None
    output: str | None = None
    error: str | None = None
    metadata: ToolMetadata | None = None
    time: Time | None = None


class MessagePart(Struct, gc=False):
    """One part of a message, of any type."""

    type: str = ""
    message: str = field(default="", name="messageID")
    text: str = ""
    synthetic: bool | None = None
    ignored: bool | None = None
    tool: str = ""
    call: str = field(default="", name="callID")
    state: State | None = None
    tokens: Tokens | None = None
    cost: float | None = None
    time: Time | None = None


class Info(Struct, gc=False):
    """What is known of a message."""

    id: str = ""
    session: str = field(default="", name="sessionID")
    role: str = ""
    model: str | None = field(default=None, name="modelID")
    summary: Any = None
    time: Time | None = None
