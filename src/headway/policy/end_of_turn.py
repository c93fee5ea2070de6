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
    found = [one for one in left_out(session, event.text) if one.detector not in ladder.only_recorded]
    told = [finding for finding in found if ladder.acts_on(finding)][:1]
    return decide(Action.NUDGE, told) if told and told[0].key not in ledger.entries else None


def left_out(session: Session, text: str) -> list[Finding]:
    """What a final message leaves out, the most important first: about its tests and runs at most one fact."""
    from headway.policy.contradicted import contradicted  # patterns that are read at the end of a turn only
    from headway.policy.unverified import unverified

    found = [contradicted(session, text) or unverified(session, text)]
    if session.turn.unmentioned:
        from headway.policy.untouched import untouched  # few requests have a list

        found.append(untouched(session, text))
    return [finding for finding in found if finding is not None]
