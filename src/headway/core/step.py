"""A tool call, and the same call with its result: built once, read by every detector.

A step keeps the fingerprint of the whole output but only a clipped text of it, so that a megabyte of log
costs one pass and a few kilobytes. Whatever is derived from the text later is derived from the clipped one.
"""

from collections.abc import Container, Mapping
from functools import cached_property
from typing import Any

import msgspec

from headway.core.events import ToolCalled, ToolReturned
from headway.rolling.digest import digest
from headway.rolling.normalise import normalise, normalise_error
from headway.rolling.text import clean, clip
from headway.tools.meaning import Kind, Meaning, Vocabulary
from headway.tools.outcome import count_hits, first_error_line, looks_failed

KEPT_OUTPUT = 4_000
"""Characters of an output that are kept."""
KEPT_ARGUMENT = 1_000
"""Characters of one argument that are kept."""
KEPT_ITEMS = 50
"""Entries of a nested argument that are kept."""


class Call(msgspec.Struct, frozen=True):
    """What the agent asked for."""

    id: str
    number: int
    """The how-manieth call of the run this is, counted from 1."""
    tool_name: str
    params: dict[str, Any]
    """The arguments; long values are clipped."""
    meaning: Meaning
    digest: int
    """Equal for equal tool and arguments, however the agent words its reasons."""
    batch: str | None = None
    at: float | None = None

    @classmethod
    def of(cls, event: ToolCalled, vocabulary: Vocabulary, number: int) -> "Call":
        """Read a call for what it means."""
        args = _plain(event.args)
        identity = msgspec.json.encode(vocabulary.identity(args), order="deterministic")
        return cls(
            id=event.call,
            number=number,
            tool_name=clip(clean(event.tool), KEPT_ARGUMENT),
            params={key: _shortened(value) for key, value in args.items()},
            meaning=vocabulary.meaning(event.tool, args),
            digest=digest(event.tool.encode("utf-8", "surrogatepass") + b"\0" + identity),
            batch=event.batch,
            at=event.at,
        )


class Step(msgspec.Struct, frozen=True, dict=True):
    """A call together with what came back."""

    number: int
    """The how-manieth finished call of the run this is, counted from 1."""
    call: Call
    output: str
    """The output, clipped in the middle when it is long."""
    digest: int
    """Fingerprint of the whole output."""
    size: int
    """Length of the whole output."""
    failed: bool
    exit_code: int | None = None
    denied: bool = False
    hits: int | None = None
    """What a search found; None when it is not a search or nobody can tell."""
    message: str = ""
    """The line that says what went wrong, for a failed step."""
    at: float | None = None
    news: bool = False
    """It changed something, or showed something this run had not seen before."""
    changed: bool = False
    """It altered files, as far as one can tell from outside."""

    @classmethod
    def of(cls, call: Call, event: ToolReturned, number: int, seen: Container[int] = ()) -> "Step":
        """Pair a call with its result; `seen` holds the fingerprints of the outputs the run has shown before."""
        output = clean(event.output)
        failed = event.failed
        if failed is None:
            failed = event.denied or looks_failed(call.meaning, output, event.exit_code)
        hits = event.hits if call.meaning.kind == "search" else None
        if hits is None:
            hits = count_hits(call.meaning, output, event.exit_code, failed)
        whole = digest(output)
        informative = not failed or call.meaning.kind in ("run", "test", "build")
        changed = call.meaning.changes and not failed and not event.denied
        return cls(
            number=number,
            call=call,
            output=clip(output, KEPT_OUTPUT),
            digest=whole,
            size=len(output),
            failed=failed,
            exit_code=event.exit_code,
            denied=event.denied,
            hits=hits,
            message=first_error_line(output) if failed else "",
            at=event.at,
            news=changed or (informative and output != "" and whole not in seen),
            changed=changed,
        )

    @property
    def tool_name(self) -> str:
        """Name of the tool, as the agent knows it."""
        return self.call.tool_name

    @property
    def params(self) -> dict[str, Any]:
        """Arguments of the call."""
        return self.call.params

    @property
    def meaning(self) -> Meaning:
        """What the call does."""
        return self.call.meaning

    @property
    def kind(self) -> Kind:
        """Read, search, edit, test, …"""
        return self.call.meaning.kind

    @cached_property
    def normal(self) -> int:
        """Fingerprint of the output without times, ids and other accidents."""
        return digest(normalise(self.output))

    @cached_property
    def signature(self) -> str:
        """What identifies the error of a failed step, without paths, numbers and times."""
        return normalise_error(self.message)

    def same_call(self, other: "Step") -> bool:
        """Same tool, same arguments."""
        return self.call.digest == other.call.digest

    def same_result(self, other: "Step") -> bool:
        """Same outcome and same output, times and ids aside."""
        return self.failed == other.failed and (self.digest == other.digest or self.normal == other.normal)


def _plain(args: Mapping[str, Any]) -> dict[str, Any]:
    """Copy arguments into plain JSON data, whatever the host put into them."""
    try:
        plain = msgspec.json.decode(msgspec.json.encode(args, enc_hook=_name_of_type))
        msgspec.msgpack.encode(plain)  # JSON knows numbers that cannot be saved
    except (TypeError, ValueError, RecursionError, OverflowError):
        plain = {clean(str(key)): _as_text(value) for key, value in args.items()}
    return plain if isinstance(plain, dict) else {}


def _name_of_type(value: object) -> str:
    return f"<{type(value).__name__}>"


def _as_text(value: object) -> str:
    try:
        return clean(value if isinstance(value, str) else repr(value))
    except Exception:  # a foreign __repr__ may raise anything
        return _name_of_type(value)


def _shortened(value: Any) -> Any:
    if isinstance(value, str):
        return clip(value, KEPT_ARGUMENT) if len(value) > KEPT_ARGUMENT else value
    if isinstance(value, list):
        return [_shortened(item) for item in value[:KEPT_ITEMS]]
    if isinstance(value, dict):
        return {clip(key, 200): _shortened(item) for key, item in list(value.items())[:KEPT_ITEMS]}
    return value
