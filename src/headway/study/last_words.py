"""Finds what the agent's final message of a turn leaves out, in a recording."""

from headway.core.events import AgentSpoke, Event, ToolReturned, UserSpoke
from headway.core.finding import Finding
from headway.core.session import Session
from headway.core.step import Step
from headway.policy.end_of_turn import left_out
from headway.rolling.text import clip

MAX_MESSAGE_CHARACTERS = 20_000


HANDS_IN = frozenset(("vcs", "other", "plan"))
"""Kinds of calls with which some agents submit their work: a diff, or a tool named submit or finish."""
_ENDS = (UserSpoke, ToolReturned)
"""After these, what was said before may no longer be the final message."""


def _is_work(step: Step) -> bool:
    return not (step.meaning.idle or step.kind in HANDS_IN)


class LastWords:
    """What the agent has said since its last action."""

    def __init__(self) -> None:
        self.text = ""

    def take(self, event: Event, session: Session) -> None:
        """Process an event, after the session has."""
        if isinstance(event, AgentSpoke):
            self.text = clip(event.text, MAX_MESSAGE_CHARACTERS)
        elif self.text and isinstance(event, _ENDS):
            is_over = isinstance(event, UserSpoke) or (session.steps and _is_work(session.steps[-1]))
            self.text = "" if is_over else self.text

    def findings(self, session: Session) -> list[Finding]:
        """What is left out at this end of a turn. It is only advice."""
        return left_out(session, self.text) if self.text else []
