"""Events as rows with the same columns for every type, so that a table can hold them.

Fields that most events have are columns. The rest (the model of a run, the measurements of a round) is JSON in the
column `more`.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from headway.core.events import AnyEvent, Event, EventError, decode_event
from headway.rolling.text import clean

COLUMNS = {
    "type": "text", "seq": "count", "at": "number", "text": "text", "tool": "text", "call": "text", "batch": "text",
    "args": "text", "output": "text", "failed": "yes", "exit_code": "count", "denied": "yes", "hits": "count",
    "tokens_in": "count", "tokens_out": "count", "tokens_cached": "count", "tokens_written": "count",
    "cost_usd": "number", "more": "text",
}  # fmt: skip
"""The columns of an event, and their types."""
LARGEST = 2**63 - 1
"""The largest number that a column holds."""

_TYPES: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in AnyEvent.__args__}
_PLAIN = {
    tag: tuple(name for name in kind.__struct_fields__ if name in COLUMNS and name != "args")
    for tag, kind in _TYPES.items()
}
_MORE = {
    tag: tuple(name for name in kind.__struct_fields__ if name not in (*COLUMNS, "run", "agent"))
    for tag, kind in _TYPES.items()
}
_DEFAULTS: dict[str, dict[str, Any]] = {
    tag: {field.name: field.default for field in msgspec.structs.fields(kind)} for tag, kind in _TYPES.items()
}


def row_of(event: Event) -> dict[str, Any]:
    """An event as a row, without its run and agent, which the session has."""
    tag = str(event.__struct_config__.tag)
    defaults = _DEFAULTS[tag]
    row: dict[str, Any] = {"type": tag}
    for name in _PLAIN[tag]:
        value = getattr(event, name)
        if value != defaults[name]:
            row[name] = clean(value) if isinstance(value, str) else _within(value)
    if tag == "tool_called":
        args: dict[str, Any] = event.args  # type: ignore[attr-defined]
        if args:
            row["args"] = to_json(args)
    more = {name: getattr(event, name) for name in _MORE[tag] if getattr(event, name) != defaults[name]}
    if more:
        row["more"] = to_json(more)
    return row


def event_of(row: Mapping[str, Any], run: str, agent: str) -> Event:
    """The event that a row was made from, or an EventError that says what is wrong."""
    tag = row.get("type")
    if tag not in _TYPES:
        raise EventError(f"no event has the type {tag!r}")
    try:
        given = {name: row[name] for name in _PLAIN[tag] if row.get(name) is not None}
        if tag == "tool_called" and row.get("args"):
            given["args"] = _arguments(row["args"])
        if row.get("more"):
            return decode_event({**given, **msgspec.json.decode(row["more"]), "type": tag, "run": run, "agent": agent})
        return _TYPES[tag](run=run, agent=agent, **given)
    except (TypeError, msgspec.MsgspecError) as error:
        raise EventError(f"{tag}: {error}") from error


def _arguments(value: Any) -> Any:
    """The arguments of a call: JSON, or what a table has in a column with a structure of its own."""
    if isinstance(value, (str, bytes)):
        return msgspec.json.decode(value)
    if isinstance(value, Mapping):
        return {name: one for name, one in value.items() if one is not None}
    return dict(value)  # a map column has pairs


def _within(value: Any) -> Any:
    return max(-LARGEST, min(value, LARGEST)) if type(value) is int else value


def to_json(value: Any) -> str:
    """JSON that any table can hold."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # half of a character, which JavaScript writes if it cuts a text there
        return msgspec.json.encode(_cleaned(msgspec.to_builtins(value))).decode()


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(name)): _cleaned(one) for name, one in value.items()}
    return [_cleaned(one) for one in value] if isinstance(value, (list, tuple)) else value
