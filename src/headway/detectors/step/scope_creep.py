"""Visiting many parts of the project.

Why it matters: a task is usually about one or two areas; visiting many suggests that the agent has lost track of it.
Fires: when more than `limit` different top-level folders were visited in a turn. From `early` folders on, the finding
is recorded as low. Advice only. It is only recorded, until there are 30 in which nothing was changed: then the agent is
nudged once.
Clears: when the user sends a message. For tasks that are about looking around, the finding is only recorded.
Blind to: where the project begins, if neither relative paths nor the run's root show it. Folders are then counted below
the common part of all visited paths, and the finding is less sure.
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
    """Folders that are allowed."""
    early: int = 4
    """Folders from which on a finding is recorded."""
    wide_tasks: tuple[str, ...] = ("search", "analyze", "research", "design")
    """Task types, given or guessed, that are about looking around. For these the finding is only recorded."""

    worth_saying = 30
    clears = "Continue in the part that the request is about, unless you need the others."
    seen: int = state(0)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Count folders whenever a step visits a new one."""
        folders = session.turn.unique_top_level_dirs
        if step.path is None or len(folders) < self.early or len(folders) <= self.seen:
            return ()
        self.seen = len(folders)
        wide = len(folders) > self.limit and (session.task or session.guessed_task) not in self.wide_tasks
        finding = self.finding(
            f"{len(folders)} top-level folders were visited for this request: {', '.join(folders[:8])}.",
            identity="wide" if wide else "early",
            severity=self.severity if wide else Severity.LOW,
            confidence=0.5 if session.root or not any(map(_is_absolute, session.turn.folders)) else 0.3,
            dir_count=len(folders),
            lasted=_unchanged_in(folders, session) if wide and len(folders) >= self.worth_saying else 0,
        )
        return (finding,)

    def on_user_turn(self) -> None:
        """A new request starts a new count."""
        self.seen = 0


def _unchanged_in(folders: list[str], session: Session) -> int:
    """In how many of them no file was changed: a change in each of forty folders is the work, not a wandering."""
    changed = [f"/{path}" for path, record in session.files.records.items() if record.changes]
    return sum(not any(f"/{folder}/" in path for path in changed) for folder in folders)


def _is_absolute(folder: str) -> bool:
    return folder.startswith("/") or folder[1:2] == ":"
