"""A file that is changed back and forth.

Why it matters: an edit that is reverted and then made again means that the agent switches between two ideas without
settling either.
Fires: at the `limit`-th edit of a file that repeats an earlier edit, from the same state to the same state. A single
revert is recorded as low, because trying something out is normal. Advice only: the agent may look at the effect of each
edit. A cycle in which the edits and everything else repeat is reported by doom_loop.
Clears: when an edit leads to a new state, and when the user sends a message.
Blind to: changes made by scripts, patches and formatters, whose effect is not visible in the call.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.bounded import count


class EditOscillation(Detector):
    """Edits that are reverted and made again."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 2
    """Repeated edits of one file that trigger a finding."""
    confidence = 0.85
    clears = "Decide which of the two versions is right before you edit the file again."

    again: dict[str, int] = state(factory=dict)

    only_changes = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Check whether this edit restores an earlier state and whether it was made before."""
        path, record = step.path, session.file_of(step)
        if path is None or record is None or record.last_return != step.number:
            return
        times = count(self.again, path, 100) if record.last_repeat == step.number else 0
        if times >= self.limit:
            message = f"{path} was changed back and forth: {times} of the edits had been made before."
            yield self.finding(message, identity=f"back and forth {path}", count=times, file_path=path)
        else:
            message = f"The latest edits of {path} cancel each other out."
            yield self.finding(message, identity=f"back {path}", severity=Severity.LOW, count=1, file_path=path)

    def on_user_turn(self) -> None:
        """The user may have asked for the revert."""
        self.again.clear()
