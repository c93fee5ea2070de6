"""Decisions written back into telemetry: events and attributes of spans, and two counters.

A span that has ended takes no more events. A decision goes to the innermost span around it that is still open, usually
the agent's; if none is open, it gets its own span in the same trace, `headway.decision`.
"""

from collections.abc import Mapping
from typing import Any

from opentelemetry import metrics, trace
from opentelemetry.sdk.trace import ReadableSpan

from headway.core.decision import Action, Decision
from headway.core.finding import Finding

SPAN_ID, TRACE_ID = "%016x", "%032x"
"""Ids as files have them. An f-string takes three times as long for these."""
_DEEPEST = 100


class SpanReports:
    """Writes decisions about spans. `open` has each open span by its id, with the id of its parent."""

    def __init__(
        self, open: Mapping[str, tuple[str, Any]], tracer_provider: Any = None, meter_provider: Any = None
    ) -> None:
        self._tracer = trace.get_tracer("headway", tracer_provider=tracer_provider)
        meter = metrics.get_meter("headway", meter_provider=meter_provider)
        self._decisions = meter.create_counter("headway.decisions", "{decision}", "Decisions that are not `continue`")
        self._findings = meter.create_counter("headway.findings", "{finding}", "Findings behind these decisions")
        self._open = open

    def write(self, decision: Decision, span: ReadableSpan | None) -> None:
        """Count a decision, and record it if it belongs to a span that has ended."""
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

    def _around(self, span: ReadableSpan) -> Any:
        """The innermost open span around one that has ended."""
        above = SPAN_ID % span.parent.span_id if span.parent else ""
        for _ in range(_DEEPEST):
            found = self._open.get(above)
            if found is None:
                break
            above, around = found
            if around.is_recording():
                return around
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
