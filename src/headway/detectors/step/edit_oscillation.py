"""A file that is changed back and forth.

Why it matters: an edit that is taken back and made again means that two beliefs take turns, and neither is tested
through.
Fires: at the `limit`-th time a file comes back to a state it had been in before; taking something back once is
recorded as low.
Clears: when the edits stop returning, and when the user speaks.
Blind to: changes made by scripts, patches and formatters, whose effect is not in the call.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.bounded import count


class EditOscillation(Detector):
    """There and back again."""

    severity: Severity = Severity.HIGH
    limit: int = 2
    """Returns of a file to an earlier state before we speak."""
    confidence = 0.85

    returns: dict[str, int] = state(factory=dict)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count how often the file has come back."""
        path, record = step.path, session.file_of(step)
        if path is None or record is None or record.last_return != step.number:
            return
        times = count(self.returns, path, 100)
        enough = times >= self.limit
        yield self.finding(
            f"{path} is back in a state it had before, for the {times}{_ordinal(times)} time.",
            identity=path if enough else f"{path} once",
            severity=self.severity if enough else Severity.LOW,
            count=times,
            file_path=path,
        )

    def on_user_turn(self) -> None:
        """The user may have asked for the way back."""
        self.returns.clear()


def _ordinal(number: int) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(number if number % 100 < 20 else number % 10, "th")
