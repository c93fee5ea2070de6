"""The needed fields of a line that Claude Code writes; the rest of a line is not even decoded."""

from typing import Any

import msgspec
from msgspec import Struct, field


class Block(Struct, gc=False):
    """One block of a message's content, of any type."""

    type: str = ""
    text: str | None = None
    id: str = ""
    name: str = ""
    input: Any = None
    tool_use_id: str = ""
    content: Any = None
    is_error: bool | None = None


class Usage(Struct, gc=False):
    """Tokens of one answer of the model."""

    input_tokens: int | None = 0
    cache_creation_input_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0
    output_tokens: int | None = 0


class SpokenMessage(Struct, gc=False):
    """A message from the user or the agent."""

    content: str | list[Block] | None = None
    id: str | None = None
    model: str | None = None
    usage: Usage | None = None


class Found(Struct, rename="camel", gc=False):
    """The search fields of a structured result."""

    num_files: int | None = None
    num_lines: int | None = None
    num_matches: int | None = None
    filenames: list[msgspec.Raw] | None = None


Structured = Found | str | list[msgspec.Raw] | int | float | bool | None


class Attachment(Struct, rename="camel", gc=False):
    """What Claude Code put beside the conversation."""

    type: str = ""
    content: Any = None
    blocking_error: Any = None
    prompt: Any = None
    command_mode: str | None = None


class Context(Struct, rename="camel"):
    """What a hook adds to the context."""

    additional_context: str = ""


class HookSaid(Struct):
    """What a hook printed for the agent."""

    context: Context = field(default_factory=Context, name="hookSpecificOutput")
    decision: str = ""
    reason: str = ""


class Link(Struct, rename="camel", gc=False):
    """The fields that form the tree; the rest of a line is not read."""

    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    is_sidechain: bool | None = None


class Record(Link, rename="camel", gc=False):
    """One line of a transcript; names with `_` are those of a stream."""

    type: str = ""
    subtype: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    cwd: str | None = None
    timestamp: str | None = None
    message: SpokenMessage | None = None
    attachment: Attachment | None = None
    tool_use_result: Structured = None
    tool_denial_kind: Any = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_synthetic: bool | None = None
    origin: Any = None
    model: str | None = None
    total_cost: float | None = field(default=None, name="totalCostUSD")
    stream_session: str | None = field(default=None, name="session_id")
    stream_parent: str | None = field(default=None, name="parent_tool_use_id")
    stream_structured: Structured = field(default=None, name="tool_use_result")
    stream_cost: float | None = field(default=None, name="total_cost_usd")
    stream_hook: Any = field(default=None, name="output")
    qwen_version: str | None = field(default=None, name="qwen_code_version")
