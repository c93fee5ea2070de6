"""Watches one run of a recording: its monitor, and the data for its report, in bounded memory."""

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from headway.config.price_files import PriceTable
from headway.config.settings import Settings
from headway.core.decision import CONTINUE, Action, Decision
from headway.core.detector import Detector
from headway.core.engine import Outcome
from headway.core.events import MAX_COUNT, MAX_DOLLARS, Event, RunStarted, UserSpoke
from headway.core.finding import Severity
from headway.core.ledger import Entry
from headway.core.run_report import ENDING, CauseKind, ReportedDecision, ReportedFinding, RunReport, Spent
from headway.core.session import Session
from headway.core.step import Step
from headway.monitor import Monitor
from headway.rolling.secrets import excerpt
from headway.sources import Source
from headway.study.causes import Causes
from headway.study.meter import Meter, each_cost_once, money

if TYPE_CHECKING:
    from headway.reports.timeline import Timeline

MAX_FINDINGS = 100
"""Maximum number of reported findings of a run: the most severe."""
MAX_DECISIONS = 200
"""Maximum number of reported decisions of a run: the first."""
MAX_PROMPT_CHARACTERS = 400

MAX_TOOLS = 100
_BEGINNINGS = frozenset((RunStarted, UserSpoke))


class Watched:
    """What one agent did in one run."""

    def __init__(
        self,
        settings: Settings | None,
        plugins: Sequence[type[Detector]],
        timeline: "Timeline | None" = None,
        prices: PriceTable | None = None,
    ) -> None:
        self.timeline = timeline
        self._meter = Meter(prices)
        self._plugins = plugins
        self._monitor: Monitor | None = Monitor(settings=settings, detectors=plugins)
        self._packed = b""
        self._decisions: list[ReportedDecision] = []
        self._more_decisions = 0
        self._verdict = Action.CONTINUE
        self._kinds: Counter[str] = Counter()
        self._causes = Causes()
        self._tools: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._first_stop: int | None = None
        self._stopped: Spent | None = None
        self._after_stop = Spent()
        self._prompt = self._project = ""

    @property
    def is_packed(self) -> bool:
        """Whether its monitor is packed."""
        return self._monitor is None

    def pack(self) -> None:
        """Pack the monitor until the next event. A monitor that was saved and loaded finds the same."""
        if self._monitor is not None:
            self._packed, self._monitor = zlib.compress(self._monitor.save(), 1), None

    @property
    def monitor(self) -> Monitor:
        """The monitor, unpacked if necessary."""
        if self._monitor is None:
            self._monitor, self._packed = Monitor.load(zlib.decompress(self._packed), detectors=self._plugins), b""
        return self._monitor

    def take(self, event: Event) -> None:
        """Process one event."""
        monitor = self._monitor or self.monitor
        session = monitor.session
        if type(event) in _BEGINNINGS:  # `isinstance` is slow for other events
            self._begin(event, session)
        steps = session.step_count
        event = self._meter.priced(event, session.model)
        outcome = monitor.feed(event)
        self._meter.take(event, session)
        if session.step_count > steps:
            self._note_step(session.steps[-1], outcome)
        if outcome.decision is not CONTINUE:
            self._note(outcome.decision, session)

    def report(self, key: tuple[str, str], source: Source, reader: str) -> RunReport:
        """The report; `key` is the run and the agent."""
        session = self.monitor.session
        self._go_on(session)
        entries = sorted(session.ledger.entries.values(), key=lambda entry: -entry.finding.severity.rank)[:MAX_FINDINGS]
        return RunReport(
            run="/".join(part for part in key if part) or source.name,
            agent_id=key[1],
            source=source.name,
            reader=reader,
            agent=session.program or "",
            model=session.model,
            steps=session.step_count,
            skipped_records=source.skipped,
            verdict=self._verdict,
            findings=tuple(_reported(entry) for entry in sorted(entries, key=lambda entry: entry.first_step)),
            decisions=tuple(self._decisions),
            spent=self._all_spent(session),
            first_stop=self._first_stop,
            after_stop=self._after_stop,
            failed_steps=session.error_count,
            user_turns=session.user_turn_count,
            kinds=dict(self._kinds),
            started_at=session.started_at,
            ended_at=session.last_at,
            prompt=self._prompt,
            project=self._project,
            tools={name: (steps, self._failed[name]) for name, steps in self._tools.most_common()},
            causes=self._causes.causes(),
            unpriced=self._meter.unpriced,
            more_findings=len(session.ledger.entries) - len(entries),
            more_decisions=self._more_decisions,
        )

    def worked(self) -> tuple[tuple[CauseKind, str], ...]:
        """What worked in this run, so that no suggestion contradicts it."""
        return self._causes.worked()

    def _begin(self, event: Any, session: Session) -> None:
        """Process the beginning of a run or of a turn, before the monitor does."""
        if isinstance(event, RunStarted):
            if event.root and not self._project:
                self._project = re.split(r"[/\\]", event.root.rstrip("/\\"))[-1]
            return
        if not event.starts_turn:
            return
        self._prompt = self._prompt or excerpt(event.text, MAX_PROMPT_CHARACTERS)
        self._go_on(session)
        if self.timeline is not None:
            self.timeline.note_turn(session.step_count)

    def _note_step(self, step: Step, outcome: Outcome) -> None:
        self._kinds[step.kind] += 1
        self._note_tool(step)
        self._causes.take(step)
        if self.timeline is not None:
            found = any(finding.severity.rank >= Severity.MEDIUM.rank for finding in outcome.findings)
            self.timeline.take(step, found or outcome.decision.action is not Action.CONTINUE)

    def _note_tool(self, step: Step) -> None:
        name = step.call.tool_name
        if name not in self._tools and len(self._tools) >= MAX_TOOLS:
            name = "others"
        self._tools[name] += 1
        if step.failed or step.denied:
            self._failed[name] += 1

    def _note(self, decision: Decision, session: Session) -> None:
        if decision.action.rank > self._verdict.rank:
            self._verdict = decision.action
        if len(self._decisions) < MAX_DECISIONS:
            told = ReportedDecision(session.step_count, decision.action, decision.reason, decision.message)
            self._decisions.append(told)
        else:
            self._more_decisions += 1
        if decision.action in ENDING and decision.reason != "manual_stop" and self._stopped is None:
            self._stopped = self._spent(session)
            if self._first_stop is None:
                self._first_stop = session.step_count

    def _go_on(self, session: Session) -> None:
        """Count what came after a stop. Called at a message of the user and at the end of the run."""
        if self._stopped is not None:
            self._after_stop += each_cost_once(_since(self._stopped, self._spent(session)), session.spending)
            self._stopped = None

    def _spent(self, session: Session) -> Spent:
        """What a run has used. The sum of absurd counts may be too large for a report."""
        tokens = min(session.spending.tokens_in, MAX_COUNT), min(session.spending.tokens_out, MAX_COUNT)
        return Spent(session.step_count, *tokens, *money(session.spending), self._meter.active_seconds)

    def _all_spent(self, session: Session) -> Spent:
        """What the whole run has used, each cost once."""
        estimated = min(session.spending.estimated_usd, MAX_DOLLARS) or None
        return msgspec.structs.replace(self._spent(session), estimated_usd=estimated)


def _since(before: Spent, now: Spent) -> Spent:
    """What was spent since then. If nothing had been reported by then, the share is unknown."""
    tokens = (now.tokens_in - before.tokens_in, now.tokens_out - before.tokens_out) if before.tokens else (0, 0)
    return Spent(
        now.steps - before.steps,
        *tokens,
        _more(before.cost_usd, now.cost_usd),
        _more(before.estimated_usd, now.estimated_usd),
        _more(before.active_seconds, now.active_seconds),
    )


def _more(before: float | None, now: float | None) -> float | None:
    return None if now is None or before is None else now - before or None


def _reported(entry: Entry) -> ReportedFinding:
    finding = entry.finding
    return ReportedFinding(
        detector=finding.detector,
        severity=finding.severity,
        confidence=finding.confidence,
        message=finding.message,
        evidence=finding.evidence,
        identity=finding.identity,
        first_step=entry.first_step,
        last_step=entry.last_step,
        occurrences=entry.occurrences,
    )
