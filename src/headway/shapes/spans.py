"""Spans and log records of OpenTelemetry in files: OTLP, what the SDKs print by themselves, and rows of tables."""

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Raw, convert

from headway.shapes.otlp import Request, Span, attributes_of, error_of, spans_of, time_of
from headway.shapes.values import Odd, Record, fields, inside, items, text, values
from headway.sources import Head, Source

_REQUESTS = re.compile(rb'\s*\[?\s*\{\s*"resource(?:Spans|Logs)"')
"""How a request of OTLP begins, or a list of them."""
_DURATION = re.compile(r"PT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6}(?:\.\d{1,9})?)S)?")
_Requests = Request | list[Request | list[Any] | Odd]


def spans(source: Source) -> Iterator[Span]:
    """Every span and log record in a file."""
    for unread in values(source, Raw):
        is_otlp = _REQUESTS.match(unread) is not None
        value = inside(unread, source, _Requests if is_otlp else object)
        for record in value if isinstance(value, list) else (value,) if value is not None else ():
            if isinstance(record, Request) and record.is_one:
                yield from spans_of(record)
            else:
                found = [*spans_in(record)]
                yield from found
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
    yield from spans_of(convert(record, Request))
    waiting = [record, *reversed(items(record.get("spans")))] if "trace_id" in record else [record]
    while waiting:  # a span may hold those that it caused
        record = fields(waiting.pop())
        if _looks_like_a_span(record):
            yield _flat(record)
        waiting += reversed(items(record.get("child_spans")))


def _is_empty(record: Record) -> bool:
    """Whether it has metrics or nothing at all, which is not a fault."""
    record = fields(record.get("body")) or record
    return bool({"resourceMetrics", "resourceSpans", "resourceLogs"} & record.keys()) or record.get("type") in (
        "metric",
        "log",
    )


def _looks_like_a_span(record: Record) -> bool:
    has_id = "spanId" in record or "span_id" in record or "context.span_id" in record
    return has_id or "span_id" in fields(record.get("context"))


def _flat(raw: Record) -> Span:
    """A span that an SDK wrote by itself, or the row of a table of spans."""
    context, status = fields(raw.get("context")), fields(raw.get("status"))

    def first(*names: str) -> Any:
        return next((raw[name] for name in names if raw.get(name) is not None), None)

    found = [fields(event) for event in items(raw.get("events"))]
    code = status.get("code") or status.get("status_code") or first("status_code", "statusCode")
    failed = code in (2, "ERROR", "Error", "STATUS_CODE_ERROR", "StatusCode.ERROR")
    told = first("status_message", "statusMessage") or status.get("message") or status.get("description")
    return Span(
        _id(first("traceId", "trace_id", "context.trace_id") or context.get("trace_id")),
        _id(first("spanId", "span_id", "context.span_id") or context.get("span_id")),
        _id(first("parentSpanId", "parent_id", "parent_span_id", "parentId")),
        text(first("name", "span_name")),
        time_of(first("startTime", "start_time", "startTimeUnixNano", "start_time_unix_nano", "timestamp")),
        time_of(first("endTime", "end_time", "endTimeUnixNano", "end_time_unix_nano")) or _end(raw),
        attributes_of(first("attributes", "span_attributes")) | _columns(raw),
        failed,
        error_of(text(told), found) if failed else "",
        text(attributes_of(fields(raw.get("resource")).get("attributes")).get("service.name")),
        text(
            fields(first("scope", "instrumentation_scope", "instrumentationScope", "instrumentationLibrary")).get(
                "name"
            )
        ),
        found,
    )


def _end(raw: Record) -> float | None:
    """The end of a span, computed from its duration, such as `PT1M2.5S`."""
    start, found = time_of(raw.get("timestamp")), _DURATION.fullmatch(text(raw.get("duration")))
    if start is None or found is None:
        return None
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return start + 3600 * hours + 60 * minutes + seconds


def _columns(raw: Record) -> Record:
    return {key[11:]: value for key, value in raw.items() if key.startswith("attributes.") and value is not None}


def _id(value: object) -> str:
    return text(value).removeprefix("0x")
