"""Decisions written back into telemetry: events and attributes of spans, and two counters.

A span that has ended takes no more events. A decision goes to the innermost span around it that is still open, mostly
the agent's; where none is open, it gets a span of its own in the same trace, `headway.decision`.
"""

from typing import Any

from opentelemetry import metrics, trace
from opentelemetry.sdk.trace import ReadableSpan, Span

from headway.core.decision import Action, Decision
from headway.core.finding import Finding
from headway.rolling.bounded import put

OPEN_SPANS = 10_000
"""Spans that are remembered until they end: what never ends is forgotten first."""
_DEEPEST = 100


class SpanReports:
    """Where decisions about spans are written."""

    def __init__(self, tracer_provider: Any = None, meter_provider: Any = None) -> None:
        self._tracer = trace.get_tracer("headway", tracer_provider=tracer_provider)
        meter = metrics.get_meter("headway", meter_provider=meter_provider)
        self._decisions = meter.create_counter("headway.decisions", "{decision}", "Decisions that are not `continue`")
        self._findings = meter.create_counter("headway.findings", "{finding}", "Findings behind these decisions")
        self._open: dict[int, Span] = {}

    def began(self, span: Span) -> None:
        """Remember a span until it ends."""
        put(self._open, span.context.span_id, span, OPEN_SPANS)

    def ended(self, span: ReadableSpan) -> None:
        """Forget it."""
        self._open.pop(span.context.span_id, None)

    def write(self, decision: Decision, span: ReadableSpan | None) -> None:
        """Count a decision, and write it down where it belongs to a span that has ended."""
        self._decisions.add(1, {"headway.action": str(decision.action), "headway.reason": decision.reason})
        for finding in decision.findings:
            self._findings.add(1, {"headway.detector": finding.detector, "headway.severity": str(finding.severity)})
        if span is None:
            return
        around = self._around(span)
        if around is not None:
            _put_on(around, decision)
            return
        context = trace.set_span_in_context(trace.NonRecordingSpan(span.context))
        own = self._tracer.start_span("headway.decision", context)
        _put_on(own, decision)
        own.end()

    def _around(self, span: ReadableSpan) -> Span | None:
        """The innermost open span around one that has ended."""
        above = span.parent
        for _ in range(_DEEPEST):
            if above is None:
                break
            found = self._open.get(above.span_id)
            if found is not None and found.is_recording():
                return found
            above = found.parent if found is not None else None
        return None


def _put_on(span: Any, decision: Decision) -> None:
    earlier = (getattr(span, "attributes", None) or {}).get("headway.action", "continue")
    told = {"headway.action": str(decision.action), "headway.reason": decision.reason}
    if decision.action.rank > Action(earlier).rank:
        span.set_attributes(told)
    for finding in decision.findings:
        span.add_event("headway.finding", _of(finding))
    span.add_event("headway.decision", {**told, "headway.message": decision.message})


def _of(finding: Finding) -> dict[str, Any]:
    return {
        "headway.detector": finding.detector,
        "headway.severity": str(finding.severity),
        "headway.confidence": finding.confidence,
        "headway.message": finding.message,
        **({"headway.call": finding.call} if finding.call else {}),
    }
