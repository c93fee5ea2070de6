"""When a finding reaches the agent: an ordered list of small rules, the first that speaks wins.

Severity decides, as in seed 000: one high finding is said at once, medium ones are said when two different
detectors agree, low ones are only recorded. Each identity is said once in a turn.
"""

from collections.abc import Callable, Iterable

from headway.core.decision import CONTINUE, Action, Decision
from headway.core.finding import Severity
from headway.core.ledger import Entry, Ledger
from headway.core.session import Session

Rule = Callable[[Ledger, Session], Decision | None]


def decide(ledger: Ledger, session: Session) -> Decision:
    """Ask the rules in order."""
    for rule in RULES:
        decision = rule(ledger, session)
        if decision is not None:
            return decision
    return CONTINUE


def a_person_said_stop(ledger: Ledger, session: Session) -> Decision | None:
    """A person's word ends the run."""
    if session.stopped is None:
        return None
    return Decision(action=Action.STOP, reason="manual_stop", message=f"Stopped: {session.stopped}.")


def one_high_finding(ledger: Ledger, session: Session) -> Decision | None:
    """One finding of high severity is enough to speak."""
    weighty = [e for e in ledger.active(session.step_count) if e.finding.severity.rank >= Severity.HIGH.rank]
    return _nudge(ledger.untold(weighty))


def two_medium_findings(ledger: Ledger, session: Session) -> Decision | None:
    """Two detectors that see something of medium severity at the same time are enough to speak."""
    medium = [e for e in ledger.active(session.step_count) if e.finding.severity is Severity.MEDIUM]
    return _nudge(ledger.untold(medium)) if len({entry.finding.detector for entry in medium}) >= 2 else None


RULES: tuple[Rule, ...] = (a_person_said_stop, one_high_finding, two_medium_findings)


def _nudge(entries: Iterable[Entry]) -> Decision | None:
    """Take everything that has not been said yet into one message: the two weightiest are spelled out."""
    untold = [entry.finding for entry in entries]
    if not untold:
        return None
    untold.sort(key=lambda finding: (finding.severity.rank, finding.confidence), reverse=True)
    return Decision(
        action=Action.NUDGE,
        reason=untold[0].detector,
        confidence=max(finding.confidence for finding in untold),
        message=" ".join(finding.message for finding in untold[:2]),
        findings=tuple(untold),
    )
