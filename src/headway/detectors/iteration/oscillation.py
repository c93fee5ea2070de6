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
from headway.rolling.text import listed

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
    returned: list[str] = state(factory=list)
    """The files that returned in these rounds."""

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Track the content of every file that a round changed."""
        back = []
        for path, content in iteration.changes.files.items() if iteration.changes else ():
            states = self.states.get(path, [])
            if len(states) >= 2 and content == states[-2] != states[-1]:
                back.append(path)
            push(states, content, KEPT_STATES)
            put(self.states, path, states, KEPT_FILES)
        is_back = iteration.changes is not None and len(back) >= self.files
        self.streak = self.streak + 1 if is_back and self.returned else int(is_back)  # an earlier version named none
        self.returned = list(dict.fromkeys([*self.returned, *back]))[-KEPT_FILES:] if is_back else []
        if self.streak >= self.times:
            returned = "a file" if self.files == 1 else f"{self.files} files or more"
            yield self.finding(
                f"In each of {self.streak} rounds in a row, {returned} returned to an earlier state: "
                f"{listed(self.returned)}.",
                identity="files",
                back=tuple(back[:20]),
                rounds=self.streak,
            )
