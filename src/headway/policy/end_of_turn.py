"""The rule at the end of a turn: the agent is told what its final message leaves out, at most once in a turn."""

from headway.core.decision import Action, Decision
from headway.core.events import Event, TurnEnding
from headway.core.finding import Finding
from headway.core.session import Session
from headway.policy.ladder import Ladder
from headway.policy.wording import decide


def end_of_turn(session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """Test runs contradict the final message, or its last change was not tried. The same is never told twice."""
    ledger = session.ledger
    if not isinstance(event, TurnEnding) or ledger.ends_held or ledger.nudges >= ladder.max_nudges:
        return None
    finding = left_out(session, event.text)
    if finding is None or finding.key in ledger.entries or not ladder.acts_on(finding):
        return None
    return decide(Action.NUDGE, [finding])


def left_out(session: Session, text: str) -> Finding | None:
    """What a final message leaves out: each fact by itself, the more important one first, and never more than one."""
    from headway.policy.contradicted import contradicted  # patterns that are read at the end of a turn only
    from headway.policy.unverified import unverified

    return contradicted(session, text) or unverified(session, text)
