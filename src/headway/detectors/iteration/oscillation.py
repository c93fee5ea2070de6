"""Files that each round changes back.

Why it matters: two rounds that undo each other have two beliefs, and neither is tested through.
Fires: when `files` files or more are, after a round, what they were two rounds before, having been different in
between, in `times` rounds in a row.
Clears: with a round that leads somewhere new.
Blind to: files whose content nobody reports.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.rolling.bounded import push, put

KEPT_STATES = 4
KEPT_FILES = 500


class Oscillation(Detector):
    """There and back, round by round."""

    severity: Severity = Severity.HIGH
    files: int = 1
    """Files that come back in a round before the round counts."""
    times: int = 2
    """Such rounds in a row before we speak."""
    confidence = 0.8

    states: dict[str, list[str]] = state(factory=dict)
    streak: int = state(0)

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Follow the content of every file that a round changed."""
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
                f"{', '.join(back[:3])} came back to an earlier content in {self.streak} rounds in a row.",
                identity="files",
                back=tuple(back[:20]),
                rounds=self.streak,
            )
