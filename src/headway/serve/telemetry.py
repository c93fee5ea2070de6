"""Sessions that are known from OpenTelemetry: spans and log records as they come, taken into the database.

A tool call is a span that has ended, so that everything is known after the fact: what Headway would have done is
recorded, and the agent hears nothing. The spans follow the conventions that `hosts/frameworks/opentelemetry.py` reads
too (GenAI, OpenInference, Vercel AI SDK); log records are those of Claude Code and Codex. If a hook reports the same
session, its calls are known from there, and telemetry adds only what was used.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from headway import __version__
from headway.core import events
from headway.core.decision import Action, Decision
from headway.core.events import Event
from headway.core.finding import Finding
from headway.hosts import as_arguments
from headway.hosts.hook.event import AFTER, HookEvent
from headway.hosts.hook.monitors import monitor_of
from headway.hosts.hook.recognise import HOSTS
from headway.monitor import Monitor
from headway.readers.claude_telemetry import events_of as events_of_claude_code
from headway.rolling.secrets import mask
from headway.serve.codex_logs import events_of as events_of_codex
from headway.shapes.conversation import Conversation
from headway.shapes.otlp import Span
from headway.shapes.values import text
from headway.store.sessions import Row
from headway.store.warm import WarmStore
from headway.tools.output import as_text
from headway.tools.spans import SpanFacts, span_conversation, span_facts, span_kind

REMEMBERED_TRACES = 10_000
REMEMBERED_SPANS = 256
"""Ids of spans that a session remembers: an exporter that got no answer sends them again."""
LONGEST_PROMPT = 200
ROUTE = "otlp"
UNNAMED = "opentelemetry"

_LOGS: dict[str, Callable[[Conversation, Span], Iterator[Event]]] = {
    "claude-code": events_of_claude_code,
    "codex": events_of_codex,
}


class Telemetry:
    """Which conversation a trace belongs to, for spans that do not say it themselves."""

    def __init__(self) -> None:
        self._conversations: OrderedDict[str, str] = OrderedDict()

    def take_in(self, store: WarmStore, spans: Iterable[Span]) -> None:
        """Take spans into the sessions they belong to, in the order in which they ended."""
        found = [span for span in spans if _program(span) in _LOGS or span_kind(span.attributes)]
        for span in found:
            if (named := _conversation(span)) and span.trace:
                self._conversations[span.trace] = named
        while len(self._conversations) > REMEMBERED_TRACES:
            self._conversations.popitem(last=False)
        groups: dict[tuple[str, str], list[Span]] = {}
        for span in found:
            session = _conversation(span) or self._conversations.get(span.trace, span.trace)
            if session:
                groups.setdefault((_program(span), session), []).append(span)
        for (program, session), group in groups.items():
            _take_in_session(store, program, session, group)


def _program(span: Span) -> str:
    """The program that sent a span: its service."""
    if span.name.startswith("claude_code."):
        return "claude-code"
    if span.service.startswith("codex"):
        return "codex"
    return UNNAMED if not span.service or span.service.startswith("unknown_service") else span.service[:100]


def _conversation(span: Span) -> str:
    named = span_conversation(span.attributes) or text(span.attributes.get("conversation.id"))
    return named or text(span.attributes.get("ai.telemetry.metadata.sessionId"))


def _take_in_session(store: WarmStore, program: str, session: str, spans: list[Span]) -> None:
    key = (program, session, "")
    row = store.find(key)
    is_hooked = program in HOSTS and row.id is not None and row.route != ROUTE
    new = _new_spans(row, spans)
    if not new:
        return
    heard = HookEvent(ROUTE, AFTER, session, cwd="" if is_hooked else str(Path.home()))
    mark = row.settings_mark if is_hooked else store.look_at(heard.cwd)[0]
    intake = _Intake(row, monitor_of(row, heard, mark))
    talk = Conversation(session, first_number=intake.monitor.session.event_count)
    if row.id is None:
        intake.feed(_start(program, spans[0], talk))
    for event in _events(row, program, talk, new):
        if not is_hooked or isinstance(event, events.Used):
            intake.feed(event)
    row.monitor, row.live = None, intake.monitor
    if is_hooked:
        store.keep_notes(row, monitor=intake.monitor.save(content=False, forget=True), **intake.used())
    else:
        intake.keep(store, key, mark)


class _Intake:
    """What some events lead to in one session."""

    def __init__(self, row: Row, monitor: Monitor) -> None:
        self.row, self.monitor, self.known = row, monitor, monitor.session.step_count
        self.findings: list[Finding] = []
        self.decisions: list[Decision] = []
        self.turn_step: int | None = None
        self.prompt = ""

    def feed(self, event: Event) -> None:
        """Take one event in."""
        outcome = self.monitor.feed(event)
        self.findings += outcome.findings
        if outcome.decision.action is not Action.CONTINUE:
            self.decisions.append(outcome.decision)
        if isinstance(event, events.UserSpoke):
            self.turn_step, self.prompt = self.monitor.session.step_count, self.prompt or event.text

    def used(self) -> dict[str, float]:
        """The columns about what the session has used, if that is known."""
        spending = self.monitor.session.spending
        return {"tokens": spending.tokens, "cost_usd": spending.cost_usd} if spending.count else {}

    def keep(self, store: WarmStore, key: tuple[str, str, str], mark: str) -> None:
        """Store the session, and what would have been done."""
        row, session = self.row, self.monitor.session
        before = Action.CONTINUE if self.turn_step is not None else Action(row.verdict)
        actions = [before, *(decision.action for decision in self.decisions)]
        store.keep(
            row,
            key,
            **({"route": ROUTE} if row.id is None else {}),
            **({"prompt": mask(self.prompt)[:LONGEST_PROMPT]} if self.prompt and not row.prompt else {}),
            **({} if self.turn_step is None else {"turn_step": self.turn_step}),
            **self.used(),
            model=session.model,
            moment=AFTER,
            steps=session.step_count,
            last_tool=session.calls[-1].tool_name if session.calls else None,
            verdict=max(actions, key=lambda action: action.rank).value,
            settings_mark=mark,
            written_by=__version__,
            monitor=self.monitor.save(content=False, forget=True),
        )
        session = self.monitor.session  # now without outputs and secrets
        store.record_steps(row, [step for step in session.steps if step.number > self.known])
        store.record_findings(row, self.findings, session.step_count)
        for one in self.decisions:
            store.record_decision(row, session.step_count, one.action.value, one.reason, one.message, would=True)


def _new_spans(row: Row, spans: list[Span]) -> list[Span]:
    """Those that were not taken in before; a log record has no id of its own."""
    seen: list[str] = row.notes.get("spans", [])
    ids = [f"{span.name} {span.id} {span.start}" if span.is_log else span.id for span in spans]
    new = [span for span, id in zip(spans, ids, strict=True) if id not in seen]
    row.notes["spans"] = [*seen, *(id for id in ids if id not in seen)][-REMEMBERED_SPANS:]
    return new


def _start(program: str, span: Span, talk: Conversation) -> Event:
    model = text(span.attributes.get("gen_ai.request.model")) or text(span.attributes.get("model"))
    return talk.started(model, program, at=span.start)


def _events(row: Row, program: str, talk: Conversation, spans: list[Span]) -> Iterator[Event]:
    if program in _LOGS:
        for span in spans:
            yield from _LOGS[program](talk, span)
        return
    for span in spans:
        facts = span_facts(span.attributes, span.failed)
        if facts.kind in ("tool", "model") and span.trace != row.notes.get("trace"):
            if "trace" in row.notes:  # another trace of the same conversation is another turn
                yield events.UserSpoke(run=talk.run, at=span.start)
            row.notes["trace"] = span.trace
        if facts.kind == "tool":
            yield from _tool(row, talk, span, facts)
        elif facts.kind == "model" and (facts.tokens_in or facts.tokens_out or facts.cost_usd):
            yield events.Used(
                run=talk.run,
                at=span.end,
                tokens_in=facts.tokens_in,
                tokens_out=facts.tokens_out,
                cost_usd=facts.cost_usd,
            )


def _tool(row: Row, talk: Conversation, span: Span, facts: SpanFacts) -> Iterator[Event]:
    """A call and its result. What was not recorded cannot be equal to anything: contents are opt-in in a trace."""
    latest, batch = row.notes.get("batch", (0.0, ""))
    if (span.start or 0.0) >= latest:  # calls that overlap in time were asked for together
        batch = span.id
    row.notes["batch"] = (max(latest, span.end or 0.0), batch)
    call = facts.call or span.id
    args = {"not recorded": span.id} if facts.arguments is None else as_arguments(facts.arguments)
    yield talk.asked(call, facts.tool or span.name, dict(args), batch, span.start)
    if facts.output is not None:
        yield talk.answered(call, output=as_text(facts.output), failed=facts.failed, at=span.end)
    elif facts.failed:
        yield talk.answered(call, output=span.error or facts.error, failed=True, at=span.end)
    else:
        yield talk.unrecorded(call, span.end)
