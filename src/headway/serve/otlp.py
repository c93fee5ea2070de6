"""Decodes requests of OpenTelemetry exporters (OTLP over HTTP): binary or JSON, compressed or not."""

import base64
import binascii
import gzip
import zlib
from http import HTTPStatus
from typing import Any

import msgspec

from headway.serve.guards import LIMITS, RefusedError
from headway.shapes.otlp import Request, Span, spans_of

_IDS = ("traceId", "spanId", "parentSpanId")
JSON, BINARY = "application/json", "application/x-protobuf"


def read_spans(raw: bytes, kind: str, packing: str, signal: str) -> list[Span]:
    """The spans or log records of a request; `signal` is traces or logs."""
    raw = _unpacked(raw, packing)
    if kind == JSON:
        try:
            request = msgspec.json.decode(raw, type=Request)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            raise RefusedError(HTTPStatus.BAD_REQUEST, "the request is not OTLP in JSON") from None
    elif kind == BINARY:
        request = _from_binary(raw, signal)
    else:
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"expected {BINARY} or {JSON}")
    return sorted(spans_of(request), key=lambda span: span.end or 0.0)


def _unpacked(raw: bytes, packing: str) -> bytes:
    """The decompressed request, with a limit: a small request can decompress to a very large one."""
    if packing in ("", "identity"):
        return raw
    if packing != "gzip":
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "expected no content-encoding, or gzip")
    most = LIMITS["/v1/"].bytes
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        found = unpacking.decompress(raw, most + 1)
    except (zlib.error, gzip.BadGzipFile):
        raise RefusedError(HTTPStatus.BAD_REQUEST, "the request is not gzip") from None
    if len(found) > most or not unpacking.eof:
        raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"larger than {most} bytes, or cut off")
    return found


def _from_binary(raw: bytes, signal: str) -> Request:
    try:
        from google.protobuf.json_format import MessageToDict
        from google.protobuf.message import DecodeError
        from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    except ImportError:
        why = "binary OTLP needs the package opentelemetry-proto; or export http/json"
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, why) from None
    message = ExportLogsServiceRequest() if signal == "logs" else ExportTraceServiceRequest()
    try:
        message.ParseFromString(raw)
        return msgspec.convert(_with_ids(MessageToDict(message)), Request)
    except (DecodeError, msgspec.MsgspecError, RecursionError, ValueError):
        raise RefusedError(HTTPStatus.BAD_REQUEST, "the request is not OTLP in binary form") from None


def _with_ids(value: Any) -> Any:
    """The same data with ids in hex, as in OTLP's own JSON; protobuf's JSON has them in base64."""
    if isinstance(value, list):
        return [_with_ids(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: _hex(item) if name in _IDS else _with_ids(item) for name, item in value.items()}


def _hex(value: Any) -> Any:
    try:
        return base64.b64decode(value).hex()
    except (binascii.Error, TypeError, ValueError):
        return value
