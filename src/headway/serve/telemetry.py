"""Stores sessions that are reported by OpenTelemetry, from spans and log records as they arrive.

A tool call is a span that has already ended. So Headway only records what it would have done, and the agent gets no
message. The spans follow the conventions that `hosts/frameworks/opentelemetry.py` reads too (GenAI, OpenInference,
Vercel AI SDK); log records are those of Claude Code and Codex. If a hook reports the same session, its calls come from
there, and telemetry adds only the usage.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from headway import __version__
from headway.config.price_files import Pricer, live_prices
from headway.core import events
from headway.core.decision import Action, Decision
from headway.core.events import Event
from headway.core.finding import Finding
from headway.core.run_report import ENDING
from headway.hosts.hook.event import AFTER, HookEvent
from headway.hosts.hook.monitors import monitor_of
from headway.hosts.hook.notes import Notes
from headway.hosts.hook.recognise import HOSTS
from headway.monitor import Monitor
from headway.readers.claude_telemetry import events_of as events_of_claude_code
from headway.rolling.secrets import mask
from headway.serve.codex_logs import events_of as events_of_codex
from headway.shapes.conversation import Conversation
from headway.shapes.live_trace import LiveTrace
from headway.shapes.otlp import Span
from headway.shapes.span_names import span_conversation
from headway.shapes.values import text
from headway.shapes.vocabularies import moment_of
from headway.store.sessions import Row
from headway.store.warm import WarmStore

MAX_SPAN_IDS = 256
"""Number of span ids that a session stores: an exporter that got no answer sends its spans again."""
LONGEST_PROMPT = 200
ROUTE = "otlp"
UNNAMED = "opentelemetry"

_LOGS: dict[str, Callable[[Conversation, Span], Iterator[Event]]] = {
    "claude-code": events_of_claude_code,
    "codex": events_of_codex,
}


class Telemetry:
    """What is known about current traces, besides what is in the database."""

    def __init__(self) -> None:
        self._trace = LiveTrace()

    def take_in(self, store: WarmStore, spans: Iterable[Span]) -> None:
        """Add spans to their sessions, in the order in which they ended."""
        try:
            for (program, session, agent), told in self._by_session(spans).items():
                _take_in_session(store, (program, session, agent), told)
        except BaseException:
            self._trace = LiveTrace()  # the exporter will send these spans again, and they must count as new
            raise

    def _by_session(self, spans: Iterable[Span]) -> "dict[tuple[str, str, str], list[tuple[str, list[Event]]]]":
        """The events of each session, with the id of the span that reported them."""
        sessions: dict[tuple[str, str, str], list[tuple[str, list[Event]]]] = {}
        for span in spans:
            program = _program(span)
            for event in self._told(span, program):
                told = sessions.setdefault((program, event.run, event.agent), [])
                if not told or told[-1][0] != _id(span):
                    told.append((_id(span), []))
                told[-1][1].append(event)
        return sessions

    def _told(self, span: Span, program: str) -> Iterable[Event]:
        if program not in _LOGS:
            return () if span.is_log else self._trace.ended(moment_of(span))
        session = span_conversation(span.attributes) or text(span.attributes.get("conversation.id")) or span.trace
        number = int((span.start or 0.0) * 1e6)  # so that unrecorded results are never equal
        return _LOGS[program](Conversation(session, first_number=number), span) if session else ()


def _program(span: Span) -> str:
    """The program that sent a span: its service name."""
    if span.name.startswith("claude_code."):
        return "claude-code"
    if span.service.startswith("codex"):
        return "codex"
    return UNNAMED if not span.service or span.service.startswith("unknown_service") else span.service[:100]


def _id(span: Span) -> str:
    """The identity of a span that may be sent again. A log record has no id of its own."""
    return f"{span.name} {span.id} {span.start}" if span.is_log else span.id


def _take_in_session(store: WarmStore, key: tuple[str, str, str], told: list[tuple[str, list[Event]]]) -> None:
    program, session, agent = key
    row = store.find(key)
    is_hooked = program in HOSTS and row.id is not None
    if program in HOSTS and not is_hooked:  # another name, because a hook may report this session later
        key = (f"{program} telemetry", session, agent)
        row = store.find(key)
    new = _new_events(row, told)
    if not new:
        return
    hook_event = HookEvent(ROUTE, AFTER, session, agent=agent, cwd="" if is_hooked else str(Path.home()))
    mark = row.settings_mark if is_hooked else store.look_at(hook_event.cwd)[0]
    intake = _Intake(row, monitor_of(row, hook_event, mark))
    counts = not is_hooked or _may_count(row)
    for event in new:
        if counts and (not is_hooked or isinstance(event, events.Used)):
            intake.feed(event)
    row.monitor, row.live = None, intake.monitor
    if is_hooked:
        store.keep_notes(row, monitor=intake.monitor.save(content=False, forget=True), **intake.used())
    else:
        intake.keep(store, key, mark)


def _may_count(row: Row) -> bool:
    """Whether usage of a session with a hook is counted here, unless the hook has begun to read it elsewhere."""
    usage = row.notes.get("usage")
    if usage is not None and not usage.get("seen"):
        usage["telemetry"] = True
    return usage is None or not usage.get("seen")


def _new_events(row: Row, told: list[tuple[str, list[Event]]]) -> list[Event]:
    """The events that were not stored before."""
    seen: list[str] = row.notes.get("spans", [])
    new = [(id, found) for id, found in told if id not in seen]
    row.notes["spans"] = [*seen, *(id for id, _ in new)][-MAX_SPAN_IDS:]
    return [event for _, found in new for event in found]


class _Intake:
    """The effects of some events on one session."""

    def __init__(self, row: Row, monitor: Monitor) -> None:
        self.row, self.monitor, self.known = row, monitor, monitor.session.step_count
        self.findings: list[tuple[int, Finding]] = []
        self.decisions: list[tuple[int, Decision]] = []
        """Each with the step at which it was made."""
        self.is_over = Notes(row.notes).would_be_stopped
        """The mode `enforce` would have stopped this turn: what follows in it would not have happened."""
        self.turn_step: int | None = None
        self.prompt = ""

    def feed(self, event: Event) -> None:
        """Process one event."""
        if isinstance(event, events.Used) and self.monitor.session.limits.max_cost_usd is not None:
            event = Pricer(live_prices()).priced(event, self.monitor.session.model)
        outcome = self.monitor.feed(event)
        step = self.monitor.session.step_count
        self.findings += ((step, finding) for finding in outcome.findings)
        if isinstance(event, events.UserSpoke) and event.starts_turn:
            self.is_over, self.turn_step, self.prompt = False, step, self.prompt or event.text
        if outcome.decision.action is not Action.CONTINUE and not self.is_over:
            self.decisions.append((step, outcome.decision))
            self.is_over = outcome.decision.action in ENDING

    def used(self) -> dict[str, float]:
        """The columns about the session's usage, if known."""
        spending = self.monitor.session.spending
        known = {"tokens": spending.tokens, "cost_usd": spending.known_usd}
        return {name: amount for name, amount in known.items() if amount}  # 0 is not stored

    def keep(self, store: WarmStore, key: tuple[str, str, str], mark: str) -> None:
        """Store the session, and what would have been done."""
        row, session = self.row, self.monitor.session
        Notes(row.notes).would_be_stopped = self.is_over
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
            settings_mark=mark,
            written_by=__version__,
            monitor=self.monitor.save(content=False, forget=True),
        )
        session = self.monitor.session  # now without outputs and secrets
        store.record_steps(row, [step for step in session.steps if step.number > self.known])
        for step, finding in self.findings:
            store.record_findings(row, [finding], step)
        for step, one in self.decisions:
            store.record_decision(row, step, one.action.value, one.reason, one.message, would=True)
        if self.is_over:
            store.went_on(row, session.step_count)
