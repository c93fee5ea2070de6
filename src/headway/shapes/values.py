"""Files that hold one JSON document, or one on each line: exporters write both, under the same names."""

from collections.abc import Iterator
from typing import Any

from headway.rolling.forgiving import FAULTS, from_json
from headway.sources import Source

Record = dict[str, Any]


def values(source: Source) -> Iterator[Any]:
    """Every JSON value in a file; what is none is skipped and counted."""
    nothing = True
    for line in source.lines():
        try:
            value = from_json(line, object)
        except FAULTS as error:
            if nothing and (whole := _document(source)) is not None:
                yield whole
                return
            source.skip(str(error))
        else:
            yield value
        nothing = False
    if nothing and source.skipped and (whole := _document(source)) is not None:
        yield whole  # a document on one line, longer than lines are allowed to be


def _document(source: Source) -> Any:
    """The whole file as one value, if it is one."""
    before, source.skipped = (source.skipped, source.first_fault, source.line), 0
    source.first_fault, source.line = "", 0
    whole: Any = source.document(object)
    if whole is None:  # lines after all
        source.skipped, source.first_fault, source.line = before
    return whole


def records(source: Source, *lists: str) -> Iterator[Record]:
    """Every object in a file, also those in a list, or in an object's list under one of these names."""
    for value in values(source):
        for item in value if isinstance(value, list) else (value,):
            held = (
                next((item[name] for name in lists if isinstance(item.get(name), list)), None)
                if isinstance(item, dict)
                else None
            )
            for record in (item,) if held is None else held:
                if isinstance(record, dict):
                    yield record
                else:
                    source.skip("not a JSON object")


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
    """A count, also where it was written as a text; what is none counts as 0."""
    try:
        return max(0, int(value)) if isinstance(value, (int, float, str)) else 0
    except (ValueError, OverflowError):
        return 0


def amount(value: object) -> float:
    """An amount of money, also where it was written as a text; what is none counts as 0."""
    try:
        found = float(value) if isinstance(value, (int, float, str)) else 0.0
    except (ValueError, OverflowError):
        return 0.0
    return found if 0 < found < 1e9 else 0.0


def decoded(value: Any) -> Any:
    """A value that may have been written as a JSON text within the JSON; anything else as it is."""
    if isinstance(value, str) and value[:20].lstrip()[:1] in ("{", "["):
        try:
            return from_json(value, object)
        except FAULTS:
            return value
    return value
