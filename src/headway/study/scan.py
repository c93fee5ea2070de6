"""Recordings read through a monitor: what would Headway have found, and done?"""

from collections.abc import Iterable, Iterator

from headway.config.plugins import plugin_detectors
from headway.config.settings import Settings
from headway.core.decision import Action
from headway.core.detector import Detector
from headway.core.events import Event
from headway.core.ledger import Entry
from headway.monitor import Monitor
from headway.readers import read, reader_for
from headway.reports.run import ReportedDecision, ReportedFinding, RunReport
from headway.sources import Source


def scan(source: Source, reader: str | None = None, settings: Settings | None = None) -> Iterator[RunReport]:
    """Report on every agent of every run in one recording."""
    chosen = reader_for(source, reader)
    watched: dict[tuple[str, str], _Watched] = {}
    for event in read(source, chosen):
        key = (event.run, event.agent)
        if key not in watched:
            watched[key] = _Watched(settings, plugin_detectors().values())
        watched[key].take(event)
    for (run, agent), one in watched.items():
        yield one.report("/".join(part for part in (run, agent) if part) or source.name, source, chosen.name)


class _Watched:
    def __init__(self, settings: Settings | None, plugins: Iterable[type[Detector]]) -> None:
        self.monitor = Monitor(settings=settings, detectors=plugins)
        self.decisions: list[ReportedDecision] = []

    def take(self, event: Event) -> None:
        decision = self.monitor.feed(event).decision
        if decision.action is not Action.CONTINUE:
            step = self.monitor.session.step_count
            self.decisions.append(ReportedDecision(step, decision.action, decision.reason, decision.message))

    def report(self, run: str, source: Source, reader: str) -> RunReport:
        session = self.monitor.session
        return RunReport(
            run=run,
            source=source.name,
            reader=reader,
            agent=session.program or "",
            model=session.model,
            steps=session.step_count,
            skipped_records=source.skipped,
            verdict=max((d.action for d in self.decisions), key=lambda action: action.rank, default=Action.CONTINUE),
            findings=tuple(_reported(entry) for entry in session.ledger.entries.values()),
            decisions=tuple(self.decisions),
        )


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
