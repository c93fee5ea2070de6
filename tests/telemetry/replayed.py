"""Recorded spans once more: through the real SDK and the span processor, and through `scan`'s readers."""

import gzip
import json
import tomllib
from datetime import datetime
from pathlib import Path
from typing import Any

from headway import Monitor
from headway.core.decision import Action
from headway.readers import read
from headway.sources import Source

HERE = Path(__file__).parent
SPANS = HERE / "spans"
INSTRUMENTATIONS = tomllib.loads((HERE / "instrumentations.toml").read_text())


def recorded(name: str, run: str) -> list[dict[str, Any]]:
    """The spans of one run."""
    return [json.loads(line) for line in gzip.decompress(file_of(name, run).read_bytes()).splitlines()]


def file_of(name: str, run: str) -> Path:
    """Where they are kept."""
    return SPANS / f"{name}.{run}.jsonl.gz"


def scanned(name: str, run: str) -> list[str]:
    """The actions that a recording earns."""
    monitors: dict[tuple[str, str], Monitor] = {}
    actions = []
    for event in read(Source(file_of(name, run))):
        monitor = monitors.setdefault((event.run, event.agent), Monitor())
        actions.append(monitor.feed(event).decision.action)
    return [str(action) for action in actions if action is not Action.CONTINUE]


def live(name: str, run: str) -> list[str]:
    """The actions that the span processor takes while the spans come in."""
    from opentelemetry.sdk.trace import TracerProvider

    from headway.hosts.frameworks.opentelemetry import HeadwaySpanProcessor

    told: list[str] = []
    provider = TracerProvider()
    provider.add_span_processor(HeadwaySpanProcessor(on_decision=lambda decision: told.append(str(decision.action))))
    emit(provider, name, run)
    return told


def emit(provider: Any, name: str, run: str) -> None:
    """Start and end the spans of a run as they were: in their order, each attribute when it was known."""
    from opentelemetry.trace import Status, StatusCode, set_span_in_context

    spans = {span["context"]["span_id"]: span for span in recorded(name, run)}
    moves = sorted(
        (at(span[edge]), edge == "end_time", n, span)
        for n, span in enumerate(spans.values())
        for edge in ("start_time", "end_time")
    )
    begun: dict[str, Any] = {}
    for when, ends, _, span in moves:
        id, known = (
            span["context"]["span_id"],
            {name: span["attributes"][name] for name in span["at_start"] if name in span["attributes"]},
        )
        if not ends:
            above = begun.get(span["parent_id"])
            context = set_span_in_context(above) if above is not None else None
            tracer = provider.get_tracer(span["scope"]["name"], span["scope"]["version"])
            begun[id] = tracer.start_span(span["name"], context, attributes=known, start_time=when)
            continue
        begun[id].set_attributes(span["attributes"])
        for event in span["events"]:
            begun[id].add_event(event["name"], event["attributes"], at(event["timestamp"]))
        if span["status"]["status_code"] == "ERROR":
            begun[id].set_status(Status(StatusCode.ERROR, span["status"].get("description")))
        begun[id].end(when)


def at(text: str) -> int:
    """Nanoseconds since the epoch."""
    return round(datetime.fromisoformat(text).timestamp() * 1e6) * 1000
