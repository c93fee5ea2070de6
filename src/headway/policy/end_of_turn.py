"""What is said when an agent ends its turn: each fact by itself, the weightiest first, and never more than one."""

from headway.core.decision import Decision
from headway.core.session import Session
from headway.policy.contradicted import contradicted
from headway.policy.unverified import unverified


def end_of_turn(session: Session, text: str) -> Decision | None:
    """What the agent should hear before its turn ends, or None; `text` is its final message."""
    return contradicted(session, text) or unverified(session, text)
