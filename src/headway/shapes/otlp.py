"""Requests of OTLP as JSON: spans and log records inside of scopes, inside of resources, their attributes in pairs.

Only what is needed is decoded. Values of the wrong type are skipped.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, Struct, UnsetType, convert, field

from headway.shapes.values import Odd, Record, fields, items, text
from headway.sources import seconds

_DEEPEST = 20


class Span(Struct, gc=False):
    """One span, or one log record (which has no id of its own, but a name and perhaps a body)."""

    trace: str
    id: str
    parent: str
    name: str
    start: float | None
    end: float | None
    attributes: Record
    failed: bool = False
    error: str = ""
    service: str = ""
    scope: str = ""
    """The instrumentation that made it."""
    events: list[Record] = field(default_factory=list)
    """Each with a `name` and `attributes`."""
    is_log: bool = False
    body: Any = None


class _Value(Struct, rename="camel", gc=False):
    """A value with its type as its name."""

    string_value: Any = None
    int_value: Any = None
    bool_value: Any = None
    double_value: Any = None
    array_value: "_Array | list[Any] | Odd" = None
    kvlist_value: "_Pairs | list[Any] | Odd" = None


class _Array(Struct, gc=False):
    values: "list[_Value | list[Any] | Odd] | dict[str, Any] | Odd" = None


class _Pair(Struct, gc=False):
    key: Any = None
    value: "_Value | list[Any] | Odd" = None


class _Pairs(Struct, gc=False):
    values: "_Attributes" = None


_Attributes = list[_Pair | list[Any] | Odd] | dict[str, Any] | Odd


class _Event(Struct, gc=False):
    name: Any = None
    attributes: _Attributes = None


class _Record(Struct, rename="camel", gc=False):
    """A span or a log record."""

    trace_id: Any = None
    span_id: Any = None
    parent_span_id: Any = None
    name: Any = None
    start_time_unix_nano: Any = None
    end_time_unix_nano: Any = None
    attributes: _Attributes = None
    status: Any = None
    events: list[_Event | list[Any] | Odd] | dict[str, Any] | Odd = None
    event_name: Any = None
    time_unix_nano: Any = None
    observed_time_unix_nano: Any = None
    body: _Value | list[Any] | Odd = None


_Records = list[_Record | list[Any] | Odd] | dict[str, Any] | Odd


class _Scope(Struct, rename="camel", gc=False):
    scope: Any = None
    instrumentation_library: Any = None
    spans: _Records = None
    log_records: _Records = None


_Scopes = list[_Scope | list[Any] | Odd] | dict[str, Any] | Odd


class _Resource(Struct, gc=False):
    attributes: _Attributes = None


class _Group(Struct, rename="camel", gc=False):
    resource: _Resource | list[Any] | Odd = None
    scope_spans: _Scopes = None
    instrumentation_library_spans: _Scopes = None
    scope_logs: _Scopes = None
    instrumentation_library_logs: _Scopes = None


_Groups = list[_Group | list[Any] | Odd] | dict[str, Any] | Odd


class Request(Struct, rename="camel", gc=False):
    """What an exporter sends at once."""

    resource_spans: _Groups | UnsetType = UNSET
    resource_logs: _Groups | UnsetType = UNSET

    @property
    def is_one(self) -> bool:
        """Whether this is really a request, and not something else that was decoded as one."""
        return self.resource_spans is not UNSET or self.resource_logs is not UNSET


def spans_of(request: Request) -> Iterator[Span]:
    """Every span of a request, then every log record."""
    for group in items(request.resource_spans):
        if isinstance(group, _Group):
            service = _service(group)
            for scope in (*items(group.scope_spans), *items(group.instrumentation_library_spans)):
                for one in items(scope.spans) if isinstance(scope, _Scope) else ():
                    if isinstance(one, _Record):
                        yield _span(one, service, _scope_name(scope))
    for group in items(request.resource_logs):
        if isinstance(group, _Group):
            service = _service(group)
            for scope in (*items(group.scope_logs), *items(group.instrumentation_library_logs)):
                for one in items(scope.log_records) if isinstance(scope, _Scope) else ():
                    if isinstance(one, _Record):
                        yield _log(one, service)


def _service(group: _Group) -> str:
    return (
        text(_by_name(group.resource.attributes).get("service.name")) if isinstance(group.resource, _Resource) else ""
    )


def _scope_name(scope: _Scope) -> str:
    return text(fields(scope.scope or scope.instrumentation_library).get("name"))


def _span(one: _Record, service: str, scope: str) -> Span:
    status = fields(one.status)
    found = [
        {"name": event.name, "attributes": _by_name(event.attributes)}
        for event in items(one.events)
        if isinstance(event, _Event)
    ]
    failed = status.get("code") in (2, "STATUS_CODE_ERROR", "ERROR")
    return Span(
        text(one.trace_id),
        text(one.span_id),
        text(one.parent_span_id),
        text(one.name),
        time_of(one.start_time_unix_nano),
        time_of(one.end_time_unix_nano),
        _by_name(one.attributes),
        failed,
        error_of(text(status.get("message")), found) if failed else "",
        service,
        scope,
        found,
    )


def _log(one: _Record, service: str) -> Span:
    attributes, body = _by_name(one.attributes), _plain(one.body)
    name = text(one.event_name) or text(attributes.get("event.name")) or text(body)
    at = time_of(one.time_unix_nano) or time_of(one.observed_time_unix_nano)
    trace, span = text(one.trace_id), text(one.span_id)
    return Span(trace, span, "", name, at, at, attributes, service=service, is_log=True, body=body)


def error_of(message: str, found: list[Record]) -> str:
    """The error: the message of the exception if there is one, because a status may contain a whole traceback."""
    for event in found:
        attributes = fields(event.get("attributes"))
        if said := text(attributes.get("exception.message")):
            return said
    return message


def time_of(value: object) -> float | None:
    """Seconds since the epoch, also of a text of digits and of JavaScript's pair of seconds and nanoseconds."""
    if isinstance(value, list) and len(value) == 2:
        whole, rest = value
        are_times = isinstance(whole, int) and isinstance(rest, int) and 0 < whole < 1e11 and 0 <= rest < 1e9
        return whole + rest / 1e9 if are_times else None
    return seconds(int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 21 else value)


def attributes_of(value: object) -> Record:
    """Attributes by name, wherever they stand."""
    return _by_name(convert(value, _Attributes))


def _by_name(attributes: _Attributes, depth: int = 0) -> Record:
    """Attributes by name, from pairs or from an object."""
    if isinstance(attributes, dict):
        return attributes
    found: Record = {}
    for pair in items(attributes):
        if isinstance(pair, _Pair):
            found[text(pair.key)] = _plain(pair.value, depth)
    return found


def _plain(value: _Value | list[Any] | Odd, depth: int = 0) -> Any:
    """The value itself."""
    if not isinstance(value, _Value):
        return value
    if value.string_value is not None:
        return value.string_value
    number = value.int_value
    if number is not None:
        is_whole = isinstance(number, str) and number.lstrip("-").isdecimal() and len(number) < 20
        return int(number) if is_whole else number
    if isinstance(value.array_value, _Array) and depth < _DEEPEST:
        return [_plain(item, depth + 1) for item in items(value.array_value.values)]
    if isinstance(value.kvlist_value, _Pairs) and depth < _DEEPEST:
        return _by_name(value.kvlist_value.values, depth + 1)
    return value.bool_value if value.bool_value is not None else value.double_value
