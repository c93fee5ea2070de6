"""JSON-RPC messages of MCP: the fields that the proxy needs, and the original bytes."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType

Id = int | str | float
T = TypeVar("T")

_VERSION = "io.modelcontextprotocol/protocolVersion"
"""Each request names the version of the protocol under this name, from 2026-07-28 on."""


class Params(msgspec.Struct):
    """The parameters that matter here: of a call, and of a cancellation."""

    name: str = ""
    arguments: Raw = Raw(b"{}")
    requestId: Id | None = None  # noqa: N815
    meta: dict[str, Raw] = msgspec.field(name="_meta", default_factory=dict)


class RpcMessage(msgspec.Struct):
    """A request, a notification or a response."""

    id: Id | None = None
    method: str = ""
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET

    @property
    def details(self) -> Params:
        """Its parameters; empty ones if they have another form."""
        return _decoded(self.params, Params) or Params()


class Result(msgspec.Struct):
    """The result of a call."""

    content: list[Raw] | UnsetType = UNSET
    structuredContent: Raw | UnsetType = UNSET  # noqa: N815
    isError: bool = False  # noqa: N815

    @property
    def text(self) -> str:
        """The output of the tool: the text of its content, or its JSON if there is more than text."""
        content = self.content or []
        if not content and self.structuredContent is not UNSET:
            return bytes(self.structuredContent).decode(errors="replace")
        blocks = [_decoded(block, _Block) for block in content]
        texts = [block.text for block in blocks if block is not None and block.text is not None]
        if len(texts) == len(content):
            return "\n".join(texts)
        return bytes(msgspec.json.encode(content)).decode(errors="replace")


class _Block(msgspec.Struct):
    text: str | None = None


class _Error(msgspec.Struct):
    message: str = ""


def parts_of(line: bytes) -> tuple[list[Raw], bool]:
    """The messages in a line, and whether they are a batch; none if the line is not JSON."""
    if line.lstrip()[:1] != b"[":
        return [Raw(line)], False
    return _decoded(Raw(line), list[Raw]) or [], True


def message_in(part: Raw) -> RpcMessage | None:
    """The message in these bytes; None if they have another form."""
    return _decoded(part, RpcMessage)


def result_in(message: RpcMessage) -> Result | None:
    """The result of a finished call; None for an error, a question or a task that is still running."""
    found = _decoded(message.result, Result)
    return None if found is None or found.content is UNSET else found


def error_in(message: RpcMessage) -> str:
    """The text of an error."""
    found = _decoded(message.error, _Error)
    return "" if found is None else found.message


def refused(id: Id, asked: Params, text: str) -> bytes:
    """The answer to a call that was not passed on. From 2026-07-28 on, a result has a type."""
    result: dict[str, object] = {"content": [_text_block(text)], "isError": True}
    if _VERSION in asked.meta:
        result["resultType"] = "complete"
    return msgspec.json.encode({"jsonrpc": "2.0", "id": id, "result": result})


def with_text(part: Raw, text: str) -> Raw:
    """A response with one more text block in its content, or with more text in the message of its error."""
    whole = msgspec.json.decode(part, type=dict[str, Raw])
    name = "error" if "error" in whole else "result"
    inside = msgspec.json.decode(whole[name], type=dict[str, Raw])
    if name == "error":
        told = msgspec.json.decode(inside["message"], type=str)
        inside["message"] = Raw(msgspec.json.encode(f"{told}\n\n{text}"))
    else:
        blocks = msgspec.json.decode(inside["content"], type=list[Raw])
        inside["content"] = Raw(msgspec.json.encode([*blocks, _text_block(text)]))
    whole[name] = Raw(msgspec.json.encode(inside))
    return Raw(msgspec.json.encode(whole))


def batch_of(parts: Iterable[bytes | Raw]) -> bytes:
    """Several messages in one line."""
    return b"[" + b",".join(map(bytes, parts)) + b"]"


def _text_block(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _decoded(raw: Raw | UnsetType, kind: type[T]) -> T | None:
    try:
        return None if raw is UNSET else msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # DecodeError includes values of other types
        return None
