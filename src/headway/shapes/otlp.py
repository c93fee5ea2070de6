"""Spans and log records of OpenTelemetry as JSON: OTLP, what the SDKs print by themselves, and rows of tables."""

from collections.abc import Iterator
from typing import Any

import msgspec

from headway.shapes.values import Record, fields, items, text, values
from headway.sources import Head, Source, seconds

_DEEPEST = 20


class Span(msgspec.Struct):
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
    events: list[Record] = []
    """Each with a `name` and `attributes`."""
    is_log: bool = False
    body: Any = None


def spans(source: Source) -> Iterator[Span]:
    """Every span and log record in a file."""
    for value in values(source):
        for record in value if isinstance(value, list) else (value,):
            found = False
            for span in spans_in(record):
                found = True
                yield span
            if not found and not _is_empty(fields(record)):
                source.skip("neither spans nor log records")


def first_spans(head: Head) -> list[Span]:
    """The spans and log records a file begins with."""
    return head.once(_first_spans)


def _first_spans(head: Head) -> list[Span]:
    return [span for record in head.records for span in spans_in(record)]


def spans_in(value: object) -> Iterator[Span]:
    """The spans of one request, or one span as it is."""
    record = fields(value)
    record = fields(record.get("body")) or record
    for group, scopes, leaf, read in _GROUPS:
        for around in map(fields, items(record.get(group))):
            service = attributes_of(fields(around.get("resource")).get("attributes")).get("service.name")
            for name in scopes:
                for scope in map(fields, items(around.get(name))):
                    for one in map(fields, items(scope.get(leaf))):
                        yield read(one, text(service))
    if _looks_like_a_span(record):
        yield _flat(record)


def _is_empty(record: Record) -> bool:
    """Metrics, and requests with nothing in them, are no fault."""
    record = fields(record.get("body")) or record
    return bool({"resourceMetrics", "resourceSpans", "resourceLogs"} & record.keys()) or record.get("type") in (
        "metric",
        "log",
    )


def _looks_like_a_span(record: Record) -> bool:
    has_id = "spanId" in record or "span_id" in record or "context.span_id" in record
    return has_id or "span_id" in fields(record.get("context"))


def _otlp_span(raw: Record, service: str) -> Span:
    status = fields(raw.get("status"))
    found = [
        {"name": fields(e).get("name"), "attributes": attributes_of(fields(e).get("attributes"))}
        for e in items(raw.get("events"))
    ]
    failed = status.get("code") in (2, "STATUS_CODE_ERROR", "ERROR")
    return Span(
        text(raw.get("traceId")),
        text(raw.get("spanId")),
        text(raw.get("parentSpanId")),
        text(raw.get("name")),
        _time(raw.get("startTimeUnixNano")),
        _time(raw.get("endTimeUnixNano")),
        attributes_of(raw.get("attributes")),
        failed,
        error_of(text(status.get("message")), found) if failed else "",
        service,
        found,
    )


def _otlp_log(raw: Record, service: str) -> Span:
    attributes = attributes_of(raw.get("attributes"))
    body = plain(raw.get("body"))
    name = text(raw.get("eventName")) or text(attributes.get("event.name")) or text(body)
    at = _time(raw.get("timeUnixNano")) or _time(raw.get("observedTimeUnixNano"))
    trace, span = text(raw.get("traceId")), text(raw.get("spanId"))
    return Span(trace, span, "", name, at, at, attributes, service=service, is_log=True, body=body)


_GROUPS = (
    ("resourceSpans", ("scopeSpans", "instrumentationLibrarySpans"), "spans", _otlp_span),
    ("resourceLogs", ("scopeLogs", "instrumentationLibraryLogs"), "logRecords", _otlp_log),
)


def _flat(raw: Record) -> Span:
    """A span that an SDK wrote by itself, or the row of a table of spans."""
    context, status = fields(raw.get("context")), fields(raw.get("status"))

    def first(*names: str) -> Any:
        return next((raw[name] for name in names if raw.get(name) is not None), None)

    found = [fields(event) for event in items(raw.get("events"))]
    code = status.get("code") or status.get("status_code") or first("status_code", "statusCode")
    failed = code in (2, "ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR")
    told = first("status_message", "statusMessage") or status.get("message") or status.get("description")
    return Span(
        _id(first("traceId", "trace_id", "context.trace_id") or context.get("trace_id")),
        _id(first("spanId", "span_id", "context.span_id") or context.get("span_id")),
        _id(first("parentSpanId", "parent_id", "parent_span_id", "parentId")),
        text(raw.get("name")),
        _time(first("startTime", "start_time", "startTimeUnixNano")),
        _time(first("endTime", "end_time", "endTimeUnixNano")),
        attributes_of(raw.get("attributes")) | _columns(raw),
        failed,
        error_of(text(told), found) if failed else "",
        text(attributes_of(fields(raw.get("resource")).get("attributes")).get("service.name")),
        found,
    )


def _columns(raw: Record) -> Record:
    return {key[11:]: value for key, value in raw.items() if key.startswith("attributes.") and value is not None}


def error_of(message: str, found: list[Record]) -> str:
    """What went wrong: the message of the exception if there is one, because a status may hold a whole traceback."""
    for event in found:
        attributes = fields(event.get("attributes"))
        if said := text(attributes.get("exception.message")):
            return said
    return message


def attributes_of(value: object) -> Record:
    """Attributes by name, from OTLP's list of pairs or from an object."""
    if isinstance(value, dict):
        return value
    return {text(pair.get("key")): plain(pair.get("value")) for pair in items(value) if isinstance(pair, dict)}


def plain(value: object, depth: int = 0) -> Any:
    """OTLP's typed value as the value itself."""
    if not isinstance(value, dict) or depth > _DEEPEST:
        return value
    for name, inner in value.items():
        if name == "arrayValue":
            return [plain(item, depth + 1) for item in items(fields(inner).get("values"))]
        if name == "kvlistValue":
            pairs = map(fields, items(fields(inner).get("values")))
            return {text(pair.get("key")): plain(pair.get("value"), depth + 1) for pair in pairs}
        if name == "intValue" and isinstance(inner, str):
            return int(inner) if inner.lstrip("-").isdecimal() and len(inner) < 20 else inner
        return inner
    return None


def nested(attributes: Record, prefix: str) -> list[Any]:
    """A list that was flattened into attributes: `prefix.0.name`, `prefix.1.name`, …"""
    if isinstance(attributes.get(prefix), list):
        return attributes[prefix]  # type: ignore[no-any-return]
    tree: Record = {}
    for key, value in attributes.items():
        if key.startswith(prefix + "."):
            *way, last = key[len(prefix) + 1 :].split(".")[:_DEEPEST]
            place = tree
            for step in way:
                place = place.setdefault(step, {})
                if not isinstance(place, dict):
                    break
            else:
                place[last] = value
    return items(_with_lists(tree))


def _with_lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value and all(key.isdecimal() and len(key) < 9 for key in value):
        return [_with_lists(value[key]) for key in sorted(value, key=int)]
    return {key: _with_lists(item) for key, item in value.items()}


def _id(value: object) -> str:
    return text(value).removeprefix("0x")


def _time(value: object) -> float | None:
    if isinstance(value, list) and len(value) == 2:  # seconds and nanoseconds, as JavaScript keeps them
        whole, rest = value
        return whole + rest / 1e9 if isinstance(whole, int) and isinstance(rest, int) and 0 < whole < 1e11 else None
    return seconds(int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 21 else value)
