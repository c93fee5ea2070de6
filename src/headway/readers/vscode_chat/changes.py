"""A log of changes, replayed: the first record is a whole value, every other one changes a place in it."""

from typing import Any

from headway.shapes.values import Record, fields, items
from headway.sources import Source

_WHOLE, _SET, _ADD, _REMOVE = range(4)


def replayed(source: Source) -> Record:
    """The value after all changes; a change that fits nowhere is skipped and counted."""
    value: Any = {}
    for record in source.records():
        kind, path = record.get("kind"), items(record.get("k"))
        if kind == _WHOLE:
            value = record.get("v")
        elif not path or not _changed(value, kind, path, record):
            source.skip("a change that fits nowhere")
    return fields(value)


def _changed(value: Any, kind: object, path: list[Any], record: Record) -> bool:
    *way, last = path
    for step in way:
        value = _inside(value, step)
    if kind == _SET and isinstance(value, dict) and isinstance(last, str):
        value[last] = record.get("v")
        return True
    if kind == _SET and _is_place(value, last):
        value[last] = record.get("v")
        return True
    if kind == _REMOVE and isinstance(value, dict) and isinstance(last, str):
        value.pop(last, None)
        return True
    found = _inside(value, last)
    if kind == _ADD and isinstance(found, list):
        keep = record.get("i")
        del found[keep if type(keep) is int and 0 <= keep < len(found) else len(found) :]
        found += items(record.get("v"))
        return True
    return False


def _is_place(value: Any, step: Any) -> bool:
    return isinstance(value, list) and type(step) is int and 0 <= step < len(value)


def _inside(value: Any, step: Any) -> Any:
    if isinstance(value, dict) and isinstance(step, str):
        return value.get(step)
    return value[step] if _is_place(value, step) else None
