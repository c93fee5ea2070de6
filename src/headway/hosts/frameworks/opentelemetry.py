"""OpenTelemetry: a span processor that watches whatever is instrumented with GenAI or OpenInference spans."""

import logging
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Unpack, cast

from headway.core.decision import Action, Decision
from headway.hosts.frameworks.conversation import ONLY_TOLD, Conversation, Conversations, Options
from headway.hosts.frameworks.forwarding import ForwardingMonitor, Outbox, outbox_for
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.requirement import require
from headway.monitor import Monitor
from headway.tools.spans import SpanFacts, span_conversation, span_facts, span_kind

require("opentelemetry", "opentelemetry-sdk", "1.25", "2")

from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor
from opentelemetry.trace import StatusCode

log = logging.getLogger("headway")

OPEN_SPANS = 10_000
"""Spans that are remembered until they end: what never ends is forgotten first."""


class HeadwaySpanProcessor(SpanProcessor):
    """Watches tool calls as their spans end; takes what `Monitor` takes.

    A trace tells and cannot be told: each decision goes to `on_decision`, or to the log; a loop of your own asks
    `conversation(id)` for its `advice()` and whether it is `stopped`. With the setting `forward.kafka`, events also go
    to the queue of `headway forward`.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        options.setdefault("on_decision", _log)
        self._outbox = outbox = outbox_for(options.get("settings"))
        own = {name: value for name, value in options.items() if name != "on_decision"}

        def forwarding(id: Hashable, agent: str) -> Monitor:
            return ForwardingMonitor(cast("Outbox", outbox), run=str(id), agent=agent, **own)

        self._conversations = Conversations(ONLY_TOLD, forwarding if outbox else None, **options)
        self._open: OrderedDict[int, tuple[str, str]] = OrderedDict()
        """For each open span below an agent, conversation and sub-agent it belongs to."""

    def conversation(self, id: Hashable, agent: str = "") -> Conversation:
        """What is known of a conversation: `gen_ai.conversation.id`, `session.id`, or else the trace's id in hex."""
        return self._conversations.of(id, agent)

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Wait until all events for other machines are in the queue on disk."""
        return self._outbox is None or self._outbox.flush(timeout_millis / 1_000)

    def shutdown(self) -> None:
        """The program ends."""
        self.force_flush(2_000)

    @harmless
    def on_start(self, span: Span, parent_context: Any = None) -> None:
        """Note whose span it is. An agent below another one is watched apart, and a new one on top is a new turn."""
        above = self._open.get(span.parent.span_id) if span.parent else None
        attributes = {**(span.attributes or {})}
        is_agent = span_kind(attributes) == "agent"
        if above is None and not is_agent:
            return
        conversation, agent = above or (_trace(span), "")
        conversation = span_conversation(attributes) or conversation
        if is_agent and above is not None:
            agent = _id(span)
        elif is_agent:
            self.conversation(conversation).user_spoke("")
        self._open[span.context.span_id] = conversation, agent
        if len(self._open) > OPEN_SPANS:
            self._open.popitem(last=False)

    @harmless
    def on_end(self, span: ReadableSpan) -> None:
        """Take in a call with its result, or what a model has used."""
        inherited, agent = self._open.pop(span.context.span_id, ("", ""))
        facts = span_facts(span.attributes or {}, span.status.status_code is StatusCode.ERROR)
        if facts.kind in ("tool", "model"):
            conversation = self.conversation(facts.conversation or inherited or _trace(span), agent)
            if facts.kind == "tool":
                _take_in(conversation, span, facts)
            else:
                conversation.used(facts.tokens_in, facts.tokens_out, facts.cost_usd)


def _take_in(conversation: Conversation, span: ReadableSpan, facts: SpanFacts) -> None:
    """A call and its result. What was not recorded cannot be equal to anything: contents are opt-in in a trace."""
    call = facts.call or _id(span)
    arguments = {"not recorded": _id(span)} if facts.arguments is None else facts.arguments
    conversation.called(facts.tool or span.name, arguments, call, batch=_batch(conversation, span))
    if facts.output is not None:
        conversation.returned(call, facts.output, facts.failed)
    elif facts.failed:
        conversation.returned(call, span.status.description or facts.error, failed=True)


def _batch(conversation: Conversation, span: ReadableSpan) -> str:
    """Calls that overlap in time were asked for together. Spans come in the order in which they end."""
    latest_end, batch = conversation.read_up_to or (0, "")
    if (span.start_time or 0) >= latest_end:
        batch = _id(span)
    conversation.read_up_to = (span.end_time or 0, batch)
    return str(batch)


def _trace(span: ReadableSpan) -> str:
    return f"{span.context.trace_id:032x}"


def _id(span: ReadableSpan) -> str:
    return f"{span.context.span_id:016x}"


def _log(decision: Decision) -> None:
    level = logging.INFO if decision.action is Action.NUDGE else logging.WARNING
    log.log(level, "%s (%s): %s", decision.action, decision.reason, decision.message)
