"""When the rules are asked: most events are no occasion for any of them, and then none is loaded."""

from headway.core.decision import CONTINUE, Decision
from headway.core.events import Event, IterationEnded, ToolCalled, TurnEnding
from headway.core.session import Session
from headway.policy.ladder import Ladder

FINDING, CALL, ROUND, ENDING, STOPPED = 1, 2, 4, 8, 16
"""Occasions for rules: a finding is seen now, a call is asked for that has a limit or follows a nudge, a round or a
turn ends, a person said stop."""


class Policy:
    """The rules, with one ladder."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder

    def __call__(self, session: Session, event: Event) -> Decision:
        """Ask the rules if there is an occasion."""
        occasion = _occasion(session, event)
        if not occasion:
            return CONTINUE
        from headway.policy.rules import answer

        return answer(occasion, session, event, self.ladder)

    def may_refuse(self, session: Session) -> bool:
        """Whether asking for a call now could be answered with anything but continue."""
        if session.stopped is not None or session.limits.holds:
            return True
        if not session.ledger.told:
            return False
        from headway.policy.rules import told

        return bool(told(session.ledger.entries.values(), session, self.ladder))


def _occasion(session: Session, event: Event) -> int:
    ledger, kind = session.ledger, type(event)
    occasion = FINDING if ledger.entries and ledger.sees_something(session.event_count) else 0
    if kind is ToolCalled:
        occasion |= CALL if ledger.told or session.limits.holds else 0
    elif kind is TurnEnding:
        occasion |= ENDING
    elif kind is IterationEnded:
        occasion |= ROUND
    return occasion if session.stopped is None else occasion | STOPPED
