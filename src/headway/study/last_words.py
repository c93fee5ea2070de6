"""The agent's last words in a turn of a recording, and what they leave out."""

from headway.core import events
from headway.core.events import Event
from headway.core.finding import Finding
from headway.core.session import Session
from headway.core.step import Step
from headway.policy.end_of_turn import left_out
from headway.rolling.text import clip

LONGEST = 20_000
"""Characters of a message that are kept."""


HANDS_IN = frozenset(("vcs", "other", "plan"))
"""Kinds of the calls by which some agents hand in their work: a diff, a tool named submit or finish."""


def _is_work(step: Step) -> bool:
    return not (step.meaning.idle or step.kind in HANDS_IN)


class LastWords:
    """What the agent has said since it last did something."""

    def __init__(self) -> None:
        self.text = ""

    def take(self, event: Event, session: Session) -> None:
        """Take in an event that the session has taken in already."""
        match event:
            case events.AgentSpoke():
                self.text = clip(event.text, LONGEST)
            case events.UserSpoke():
                self.text = ""
            case events.ToolReturned() if session.steps and _is_work(session.steps[-1]):
                self.text = ""

    def findings(self, session: Session) -> list[Finding]:
        """What is left out at this end of a turn; it is advice."""
        return left_out(session, self.text) if self.text else []
