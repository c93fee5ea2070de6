"""Files that rounds change back and forth.

Why it matters: the rounds undo each other's work, and neither version is settled.
Fires: when, in each of `times` rounds in a row, at least `files` files return to the content they had two states
earlier.
Clears: with a round that leads to a new state.
Blind to: files whose content is not reported.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.rolling.bounded import push, put

KEPT_STATES = 4
KEPT_FILES = 500


class Oscillation(Detector):
    """Files that return to an earlier state, round after round."""

    severity: Severity = Severity.HIGH
    files: int = 1
    """Number of files that must return to an earlier state for a round to count."""
    times: int = 2
    """Such rounds in a row that trigger a finding."""
    confidence = 0.8

    states: dict[str, list[str]] = state(factory=dict)
    streak: int = state(0)

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Track the content of every file that a round changed."""
        if iteration.changes is None:
            return
        back = []
        for path, content in iteration.changes.files.items():
            states = self.states.get(path, [])
            if len(states) >= 2 and content == states[-2] != states[-1]:
                back.append(path)
            push(states, content, KEPT_STATES)
            put(self.states, path, states, KEPT_FILES)
        self.streak = self.streak + 1 if len(back) >= self.files else 0
        if self.streak >= self.times:
            yield self.finding(
                f"{', '.join(back[:3])} returned to an earlier state in {self.streak} rounds in a row.",
                identity="files",
                back=tuple(back[:20]),
                rounds=self.streak,
            )
