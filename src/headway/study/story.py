"""Replays one run step by step, with the findings and decisions at each step."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from headway.config.price_files import Pricer, PriceTable
from headway.config.settings import Settings
from headway.core import events
from headway.core.decision import Action, Decision
from headway.core.events import Event
from headway.core.finding import Finding, Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.detectors import plugin_detectors
from headway.monitor import Monitor
from headway.readers import opened
from headway.sources import Source
from headway.study.turn_ends import with_turn_ends

Key = tuple[str, str]
"""Run and agent."""


class Moment(msgspec.Struct, frozen=True):
    """Something that happened, with Headway's findings and decision."""

    number: int
    """Number of steps so far, including this one."""
    at: float | None
    step: Step | None = None
    words: str = ""
    """What happened, if it is not a step."""
    findings: tuple[Finding, ...] = ()
    """Findings that are new in this turn, or more severe than before."""
    decision: Decision | None = None
    """What Headway would have done, if anything."""

    @property
    def place(self) -> int:
        """The step it belongs to. Messages come before the next step."""
        return self.number + bool(self.words)

    @property
    def is_telling(self) -> bool:
        """Whether something was found or decided."""
        return bool(self.findings or self.decision)

    def without_weaker_than(self, least: Severity) -> "Moment":
        """The same moment with only findings of at least this severity."""
        kept = tuple(finding for finding in self.findings if finding.severity.rank >= least.rank)
        return msgspec.structs.replace(self, findings=kept)


def runs_in(source: Source, reader: str | None = None) -> dict[Key, int]:
    """Every run and agent in a recording, and the number of results in it."""
    found: Counter[Key] = Counter()
    for event in opened(source, reader)[1]:
        found[event.run, event.agent] += isinstance(event, events.ToolReturned)
    return dict(found)


def story(
    source: Source,
    key: Key,
    reader: str | None = None,
    settings: Settings | None = None,
    prices: PriceTable | None = None,
) -> Iterator[Moment]:
    """The moments of one run."""
    pricer = Pricer(prices)
    monitor = Monitor(settings=settings, detectors=plugin_detectors().values())
    known: dict[str, int] = {}
    for event in with_turn_ends(event for event in opened(source, reader)[1] if (event.run, event.agent) == key):
        if isinstance(event, events.UserSpoke) and event.starts_turn:
            known.clear()
        steps = monitor.session.step_count
        pricer.note(event)
        if isinstance(event, events.Used):
            event = pricer.priced(event, monitor.session.model)
        outcome = monitor.feed(event)
        session = monitor.session
        moment = Moment(
            number=session.step_count,
            at=event.at,
            step=session.steps[-1] if session.step_count > steps else None,
            words=_words(event, session, is_telling=bool(outcome.findings)),
            findings=tuple(one for one in outcome.findings if one.severity.rank > known.get(one.key, -1)),
            decision=None if outcome.decision.action is Action.CONTINUE else outcome.decision,
        )
        known.update({one.key: max(one.severity.rank, known.get(one.key, -1)) for one in outcome.findings})
        if moment.step or moment.words or moment.is_telling:
            yield moment


def _words(event: Event, session: Session, *, is_telling: bool) -> str:
    match event:
        case events.UserSpoke():
            return f"{'the user' if event.starts_turn else 'a machine reported'}: {event.text}"
        case events.TurnEnding() if is_telling:
            return "the agent ended its turn"
        case events.ContextCompacted():
            return "the context was compacted"
        case events.Stopped():
            return f"a person stopped the run: {event.reason}"
        case events.IterationEnded() if session.iterations:
            return f"round {session.iterations[-1].number} ended: {session.iterations[-1].verdict}"
    return ""
