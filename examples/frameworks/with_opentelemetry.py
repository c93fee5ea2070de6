"""Anything instrumented: OpenTelemetry

A span processor for GenAI (`gen_ai.*`) and OpenInference spans, in the process of the agent. A trace cannot be
answered, so decisions go to `on_decision`, or else to the log; a loop of your own asks `headway.conversation(id)`
for its `advice()` and whether it is `stopped`. A conversation is `gen_ai.conversation.id` or `session.id`, or else
the trace; an agent below another agent is watched separately. Calls and results are read from the spans of tools,
and from the messages of model calls where tools have no spans. Recording of contents must be on, see the table below:
a result that is not recorded never counts as a repeat.

Decisions are in the telemetry, too. The innermost span that is still open gets an event `headway.decision`
(`headway.action`, `headway.reason`, `headway.message`) with an event `headway.finding` for each finding behind it
(`headway.detector`, `headway.severity`, `headway.confidence`, `headway.message`, `headway.call`), and the strongest
action as attributes `headway.action` and `headway.reason`. If no span is open, the decision has a span of its own in
the same trace. The counters `headway.decisions` (by action and reason) and `headway.findings` (by detector and
severity) count them. `HeadwaySpanProcessor(tracer_provider=…, meter_provider=…)` writes to other providers than the
global ones.
"""

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

from headway.hosts.frameworks.opentelemetry import HeadwaySpanProcessor


def set_up(on_decision) -> TracerProvider:
    provider = TracerProvider()
    provider.add_span_processor(HeadwaySpanProcessor(on_decision=on_decision))
    return provider


if __name__ == "__main__":
    trace.set_tracer_provider(set_up(on_decision=print))
