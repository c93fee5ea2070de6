"""OpenTelemetry: a span processor that watches whatever is instrumented with GenAI or OpenInference spans."""

import logging
from collections.abc import Hashable
from threading import Lock, local
from typing import Any, Unpack

from headway.core import events
from headway.core.decision import Action, Decision
from headway.core.events import Event
from headway.hosts.frameworks.conversation import ONLY_TOLD, Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.forwarding import Forwarding
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options, with_all_arguments
from headway.hosts.frameworks.requirement import require
from headway.shapes import otlp
from headway.shapes.contents import Contents
from headway.shapes.live_trace import LiveTrace
from headway.shapes.vocabularies import moment_of

require("opentelemetry", "opentelemetry-sdk", "1.25", "2")

from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor
from opentelemetry.trace import StatusCode

from headway.hosts.frameworks.span_reports import SPAN_ID, TRACE_ID, SpanReports

log = logging.getLogger("headway")


class _Ended(local):
    """The span of this thread that has just ended and is being processed."""

    span: ReadableSpan | None = None


class HeadwaySpanProcessor(SpanProcessor):
    """Watches tool calls as their spans end; takes what `Monitor` takes.

    A trace carries no messages to an agent: each decision goes to `on_decision`, or to the log, and into the telemetry
    (`span_reports.py`), with the global providers unless others are given. A loop of your own asks `conversation(id)`
    for its `advice()` and whether it is `stopped`. With the setting `forward.kafka`, events also go to the queue of
    `headway forward`.
    """

    def __init__(self, *, tracer_provider: Any = None, meter_provider: Any = None, **options: Unpack[Options]) -> None:
        self._trace, self._contents, self._lock = LiveTrace(), Contents(), Lock()
        self._reports = SpanReports(self._trace.open, tracer_provider, meter_provider)
        self._local = _Ended()
        on_decision = options.get("on_decision", _log)
        self._on_decision = None if on_decision is None else with_all_arguments(on_decision)
        options["on_decision"] = self._decided
        self._conversations = Conversations(ONLY_TOLD, **options)
        self._forwarding = Forwarding.of(options.get("settings"))

    def conversation(self, id: Hashable, agent: str = "") -> Conversation:
        """What is known of a conversation: `gen_ai.conversation.id`, `session.id`, or else the trace's id in hex."""
        return self._conversations.of(id, agent)

    @harmless
    def on_start(self, span: Span, parent_context: Any = None) -> None:
        """Note below which span it is. An agent below another one is watched apart, and one on top is a new turn."""
        id, parent = SPAN_ID % span.context.span_id, span.parent
        with self._lock:
            self._trace.began(id, SPAN_ID % parent.span_id if parent else "", span)

    @harmless
    def on_end(self, span: ReadableSpan) -> None:
        """Process a call with its result, what a model was sent and said, and what it has used."""
        found = _translated(span)
        moment = moment_of(found)
        with self._lock:
            missing = self._contents.missing(moment, found.scope)
            told = self._trace.ended(moment)
        if missing:
            log.warning(missing)
        if not told:
            return
        conversation = self._conversations.of(told[0].run, told[0].agent)  # one span is about one agent
        outer, self._local.span = self._local.span, span  # a listener to a decision may end a span within this one
        try:
            for event in told:
                _take_in(conversation, event, moment.model)
                if self._forwarding is not None:
                    self._forwarding.note(event, conversation.monitor.session)
        finally:
            self._local.span = outer

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Wait until all events for other machines are in the queue on disk."""
        return self._forwarding is None or self._forwarding.outbox.flush(timeout_millis / 1_000)

    def shutdown(self) -> None:
        """The program ends."""
        self.force_flush(2_000)

    def _decided(self, decision: Decision, conversation: str, agent: str) -> None:
        """A decision about the span that has just ended, or about what a program told a conversation by itself."""
        self._reports.write(decision, self._local.span)
        if self._on_decision is not None:
            self._on_decision(decision, conversation, agent)


Headway = HeadwaySpanProcessor
"""The name that the class has in every adapter."""


def _take_in(conversation: Conversation, event: Event, model: str) -> None:
    match event:
        case events.ToolCalled():
            conversation.called(event.tool, event.args, event.call, event.batch)
        case events.ToolReturned():
            conversation.returned(event.call, event.output, event.failed)
        case events.Used():
            tokens = event.tokens_in, event.tokens_out
            conversation.used(*tokens, event.cost_usd, model or None, event.tokens_cached, event.tokens_written)
        case events.UserSpoke():
            conversation.user_spoke(event.text, event.kind)
        case events.AgentSpoke():
            conversation.agent_spoke(event.text)


def _translated(span: ReadableSpan) -> otlp.Span:
    """A span of the SDK as one that was read from a file."""
    context, parent, scope = span.context, span.parent, span.instrumentation_scope
    attributes: Any = span.attributes or {}
    found = [{"name": event.name, "attributes": {**(event.attributes or {})}} for event in span.events]
    failed = span.status.status_code is StatusCode.ERROR
    return otlp.Span(
        TRACE_ID % context.trace_id,
        SPAN_ID % context.span_id,
        SPAN_ID % parent.span_id if parent else "",
        span.name,
        (span.start_time or 0) / 1e9,
        (span.end_time or 0) / 1e9,
        attributes.copy() if hasattr(attributes, "copy") else {**attributes},  # the SDK's own mapping is slow
        failed,
        otlp.error_of(span.status.description or "", found) if failed else "",
        "",
        scope.name if scope else "",
        found,
    )


def _log(decision: Decision) -> None:
    level = logging.INFO if decision.action is Action.NUDGE else logging.WARNING
    log.log(level, "%s (%s): %s", decision.action, decision.reason, decision.message)
