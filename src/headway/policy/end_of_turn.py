"""What is said when the agent ends its turn: only that the tests contradict it.

Two facts count: fewer tests pass than did earlier in this turn, or the agent says that it is done while its own last
run of the tests failed. Whoever says openly that something fails contradicts nobody.
"""

import re

from headway.core.decision import Action, Decision
from headway.core.session import Session
from headway.core.testing import TestHistory
from headway.rolling.regex import regex

_CLAIM = regex(
    r"\b(?:done|finished|complete[ds]?|fixed|resolved|implemented|all set|works?(?: now| correctly| as expected)?"
    r"|(?:tests?|suite|everything|checks?)\b[^.\n]{0,30}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?))\b",
    re.IGNORECASE,
)
_ADMISSION = regex(
    r"\b(?:fail(?:s|ed|ing|ures?)?|broken|unfixed|remain(?:s|ing)?|still|not (?:yet|done|fixed|complete|working|pass)"
    r"|unable|could(?:n't| not)|cannot|can't|red)\b",
    re.IGNORECASE,
)


def end_of_turn(session: Session, text: str) -> Decision | None:
    """What the agent should hear before it gives the word back, or None."""
    history = _latest(session)
    if history is None or history.last is None or _ADMISSION.search(text):
        return None
    if history.worse and history.best is not None:
        named = f" ({', '.join(history.broken[:3])})" if history.broken else ""
        message = (
            f"In the last run of the tests {history.last.passed or 0} passed, where {history.best.passed or 0} "
            f"passed earlier in this turn{named}."
        )
        return Decision(action=Action.NUDGE, reason="test_regression", confidence=0.8, message=message)
    if history.last.failed and _CLAIM.search(text):
        edited = " Nothing has run them since the last change." if session.changes.last > history.last_step else ""
        message = (
            f"The last run of the tests ended with {history.last.failed} failing, and the turn ends as done.{edited}"
        )
        return Decision(action=Action.NUDGE, reason="claim_contradicted", confidence=0.8, message=message)
    return None


def _latest(session: Session) -> TestHistory | None:
    """The tests that ran last in this turn."""
    histories = [one for one in session.tests.histories.values() if one.last_step >= session.turn.first_step]
    return max(histories, key=lambda one: one.last_step, default=None)
