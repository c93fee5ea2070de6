"""Spans in files: requests of OTLP, spans of SDKs, rows of tables, and these one after the other."""

import pytest

from headway.shapes.otlp import time_of
from headway.shapes.spans import spans
from headway.sources import Source
from tests.readers.samples_read import lines


def request(*attributes, **more):
    span = {"traceId": "t", "spanId": "otlp", "name": "chat", "attributes": attributes, **more}
    service = [{"key": "service.name", "value": {"stringValue": "shop"}}]
    return {"resourceSpans": [{"resource": {"attributes": service}, "scopeSpans": [{"spans": [span]}]}]}


def pair(key, **value):
    return {"key": key, "value": value}


def found(*records):
    source = Source(content=lines(*records))
    return [*spans(source)], source.skipped


def test_values_are_what_their_types_say():
    array = {"values": [{"stringValue": "x"}, {"intValue": "3"}]}
    inner = {"values": [pair("a", boolValue=False), pair("b", kvlistValue={"values": []})]}
    (span,), _ = found(
        request(
            pair("text", stringValue="x"),
            pair("count", intValue="-12"),
            pair("whole", intValue=5),
            pair("share", doubleValue=0.5),
            pair("no", boolValue=False),
            pair("list", arrayValue=array),
            pair("object", kvlistValue=inner),
            pair("nothing"),
            {"key": "bare", "value": 7},
        )
    )
    expected = {"text": "x", "count": -12, "whole": 5, "share": 0.5, "no": False, "list": ["x", 3], "bare": 7}
    assert {**expected, "object": {"a": False, "b": {}}, "nothing": None} == span.attributes
    assert ("otlp", "shop") == (span.id, span.service)


def test_requests_and_spans_of_sdks_may_stand_in_one_file():
    flat = {"trace_id": "t", "span_id": "flat", "attributes": {"a": 1}}
    row = {"context.span_id": "row", "attributes.a": 1}
    for records in ([request(), flat, row], [flat, request(), row], [[flat, request(), row]]):
        assert ({"otlp", "flat", "row"}, 0) == ({span.id for span in found(*records)[0]}, found(*records)[1])
    assert ["otlp"] == [span.id for span in found({"body": request()})[0]]


def test_what_is_neither_is_counted_and_empty_requests_are_not():
    assert ([], 2) == found({"a": 1}, 5)
    assert ([], 0) == found(
        {"resourceSpans": []}, {"resourceMetrics": [{}]}, {"resourceLogs": None}, {"type": "metric"}
    )
    assert 1 == found([request(), 5])[1]


@pytest.mark.parametrize("odd", [None, 5, "x", [], {}, [5, None, []], {"a": []}])
def test_something_else_in_any_place_costs_nothing_else(odd):
    for name in ("attributes", "events", "status", "startTimeUnixNano", "traceId", "name", "parentSpanId"):
        assert ["otlp"] == [span.id for span in found(request(**{name: odd}))[0]]
    group, scope = request()["resourceSpans"][0], request()["resourceSpans"][0]["scopeSpans"][0]
    groups = [odd, {**group, "resource": odd}, {"scopeSpans": odd}, {"scopeSpans": [odd, {"spans": odd}, scope]}]
    stream, skipped = found({"resourceSpans": groups})
    assert (["otlp", "otlp"], 0) == ([span.id for span in stream], skipped)
    (span,), _ = found(request(odd, pair("a", stringValue="x"), {"key": "b", "value": odd}, pair("c", arrayValue=odd)))
    assert "x" == span.attributes["a"]


@pytest.mark.parametrize("rest", [10**400, -1, 10**9, "1", None])
def test_a_pair_that_is_no_time_is_none(rest):
    """JavaScript writes seconds and nanoseconds; what no float can hold stood in the way of all other spans."""
    assert time_of([1794766248, rest]) is None
    assert 1794766248.5 == time_of([1794766248, 500_000_000])
