"""A file that is changed back and forth.

Why it matters: an edit that is taken back and made again means that two beliefs take turns, and neither is tested
through.
Fires: at the `limit`-th change of a file that was made before, from the same state to the same state.
Taking something back once is recorded as low: an experiment is honest. This is advice, never a reason to stop: each
change may be followed by a look at what it does. A round of edits and looks that all repeat is doom_loop's.
Clears: when the changes lead somewhere new, and when the user speaks.
Blind to: changes made by scripts, patches and formatters, whose effect is not in the call.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.bounded import count


class EditOscillation(Detector):
    """There and back again, and there again."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 2
    """Changes made once more before we speak."""
    confidence = 0.85
    clears = "Decide which of the two states is right before you edit it again."

    again: dict[str, int] = state(factory=dict)

    only_changes = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Look whether this change leads back, and whether it was made before."""
        path, record = step.path, session.file_of(step)
        if path is None or record is None or record.last_return != step.number:
            return
        times = count(self.again, path, 100) if record.last_repeat == step.number else 0
        if times >= self.limit:
            message = f"{path} was changed back and forth: {times} changes of it had been made before."
            yield self.finding(message, identity=f"back and forth {path}", count=times, file_path=path)
        else:
            message = f"{path} is back in a state it had before."
            yield self.finding(message, identity=f"back {path}", severity=Severity.LOW, count=1, file_path=path)

    def on_user_turn(self) -> None:
        """The user may have asked for the way back."""
        self.again.clear()
