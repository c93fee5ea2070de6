"""Files that hold one JSON document, or one on each line: exporters write both, under the same names."""

from collections.abc import Iterator
from typing import Any

from msgspec import Raw

from headway.rolling.forgiving import FAULTS, decoder_of, from_json
from headway.sources import Source

Record = dict[str, Any]
Odd = str | int | float | bool | None
"""What a file may have in place of an object or a list."""
UNREAD = Raw(b"null")
"""JSON that is still to be decoded, if there was none."""

_OPENING = ("{", "[")


def values(source: Source, kind: Any = object) -> Iterator[Any]:
    """Every JSON value in a file, decoded as `kind`; anything else is skipped and counted."""
    nothing = True
    for line in source.lines():
        try:
            value = from_json(line, kind)
        except FAULTS as error:
            if nothing and (whole := _document(source, kind)) is not None:
                yield whole
                return
            source.skip(str(error))
        else:
            yield value
        nothing = False
    if nothing and source.skipped and (whole := _document(source, kind)) is not None:
        yield whole  # a document on one line, longer than lines are allowed to be
    source.line = 0


def _document(source: Source, kind: Any) -> Any:
    """The whole file as one value, if it is one."""
    before, source.skipped = (source.skipped, source.first_fault, source.line), 0
    source.first_fault, source.line = "", 0
    whole: Any = source.document(kind)
    if whole is None:  # lines after all
        source.skipped, source.first_fault, source.line = before
    return whole


def inside(raw: Raw | str, source: Source, kind: Any = object) -> Any:
    """Decode what was left as JSON as `kind`; None if that fails, which is counted."""
    try:
        return from_json(raw, kind)
    except FAULTS as error:
        source.skip(str(error))
        return None


def text(value: object) -> str:
    """A value that should be a text; anything else counts as empty."""
    return value if isinstance(value, str) else ""


def fields(value: object) -> Record:
    """A value that should be an object; anything else counts as empty."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """A value that should be a list; anything else counts as empty."""
    return value if isinstance(value, list) else []


def number(value: object) -> int:
    """A count, even if it was written as a text; anything else is 0."""
    try:
        return max(0, int(value)) if isinstance(value, (int, float, str)) else 0
    except (ValueError, OverflowError):
        return 0


def amount(value: object) -> float:
    """An amount of money, even if it was written as a text; anything else is 0."""
    try:
        found = float(value) if isinstance(value, (int, float, str)) else 0.0
    except (ValueError, OverflowError):
        return 0.0
    return found if 0 < found < 1e9 else 0.0


def decoded(value: Any, kind: Any = object) -> Any:
    """A value that may have been written as a JSON text within the JSON; anything else as it is."""
    if isinstance(value, str) and (value.startswith(_OPENING) or value[:20].lstrip().startswith(_OPENING)):
        try:
            return decoder_of(kind).decode(value)
        except FAULTS:
            return _repaired(value, kind)
    return value


def _repaired(value: str, kind: Any) -> Any:
    try:
        return from_json(value, kind)
    except FAULTS:
        return value
