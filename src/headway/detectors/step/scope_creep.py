"""Wandering over many parts of the project.

Why it matters: a task is usually about one or two areas; visiting many is a sign of having lost it.
Fires: when more than `limit` different top-level folders were visited in a turn. From `early` folders on it is
recorded as low.
Clears: when the user speaks. For tasks whose work it is to look around it is only recorded.
Blind to: where the project begins, if neither relative paths nor the run's root tell: then the folders are
counted below what all visited paths share, and the finding is less sure.
"""

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step


class ScopeCreep(Detector):
    """Many top-level folders in one turn."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    limit: int = 5
    """Folders that are still fine."""
    early: int = 4
    """Folders from which on the breadth is recorded."""
    wide_tasks: tuple[str, ...] = ("search", "analyze", "research", "design")
    """Task types, named or guessed, whose work it is to look around: there the breadth is only recorded."""

    clears = "Go on in the part that the request is about, unless the others are needed."
    seen: int = state(0)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count folders whenever a step went somewhere new."""
        if step.path is None:
            return
        folders = session.turn.unique_top_level_dirs
        if len(folders) < self.early or len(folders) <= self.seen:
            return
        self.seen = len(folders)
        wide = len(folders) > self.limit and (session.task or session.guessed_task) not in self.wide_tasks
        yield self.finding(
            f"{len(folders)} top-level folders have been visited for this request: {', '.join(folders[:8])}.",
            identity="wide" if wide else "early",
            severity=self.severity if wide else Severity.LOW,
            confidence=0.5 if session.root or not any(map(_is_absolute, session.turn.folders)) else 0.3,
            dir_count=len(folders),
        )

    def on_user_turn(self) -> None:
        """A new request, a new tour."""
        self.seen = 0


def _is_absolute(folder: str) -> bool:
    return folder.startswith("/") or folder[1:2] == ":"
