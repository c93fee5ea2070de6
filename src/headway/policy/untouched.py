"""Parts of a request's list that were never mentioned: an agent that reports success may have done only some of it."""

from headway.core.finding import Finding
from headway.core.session import Session
from headway.policy.end_of_turn import about_the_end
from headway.policy.final_message import read_final_message

MOST_NAMES = 4
"""Items that are named in the message."""


def untouched(session: Session, text: str) -> Finding | None:
    """Items of the request's list of which no name occurs in any call, any result or the final message."""
    turn = session.turn
    words = text.lower()
    left = [names for names in turn.unmentioned if not any(name.lower() in words for name in names)]
    if not left or session.changes.last < turn.first_step:
        return None
    said = read_final_message(text)
    if said.admits or not said.claims:
        return None
    names = [f"`{item[0]}`" for item in left[:MOST_NAMES]]
    more = f" (and {len(left) - MOST_NAMES} more)" if len(left) > MOST_NAMES else ""
    message = (
        f"The request lists {turn.listed} things to do. Apart from plans, no call or result that was recorded since "
        f"then mentions {_joined(names)}{more}, and the final message does not either. "
        "Do what is missing, or say in your final message why it is not done."
    )
    return about_the_end("untouched_items", 0.5, message)


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
