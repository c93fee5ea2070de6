"""What is a person's own when they go back by hand: their edits between sittings, and files that they made since."""

from pathlib import Path

from headway.loop.journal import Journal
from headway.loop.round_snapshots import RoundSnapshots, SnapshotsLostError
from headway.loop.sitting import LOOPS
from headway.loop.state import LoopState
from headway.loop.tracker import TrackerError
from headway.snapshots import Snapshot, Status, changes, derive
from headway.store.loop_files import StorageError

LEFT = "left"
"""The ref with the files as the latest rollback by hand left them."""


class PersonsFiles:
    """The files of a project that only the user changed."""

    def __init__(self, project: Path, loop_id: str) -> None:
        self._keeping = RoundSnapshots(project, loop_id)
        self._course = _course(project, loop_id)
        if self._course is not None:
            self._keeping.recall(self._course)

    def with_edits(self, snapshot: Snapshot) -> Snapshot:
        """The files of a round with what a person changed between sittings, as the loop would bring them back."""
        ends = self._course.ends if self._course else ()
        number = next((end.number for end in ends if end.snapshot == snapshot.ref), None)
        return snapshot if number is None else self._keeping.files_of(number) or snapshot

    def made_since(self, now: Snapshot) -> set[str]:
        """The files that were made since the loop, or a rollback, left the project; none where that is not known."""
        left = self._left()
        if left is None:
            return set()
        found = changes(left, now, self._keeping.repository).files
        return {file.path for file in found if file.status in (Status.ADDED, Status.RENAMED)}

    def note_left(self, restored: Snapshot) -> None:
        """Keep what a rollback by hand brought back, so that everything else is known to be a person's."""
        repository = self._keeping.repository
        if self._course is not None and repository is not None and self._course.left:
            name, said = f"{self._keeping.prefix}/{LEFT}", self._message(self._course)
            derive(repository, name, said, restored, restored.tree, restored.modes)

    def _left(self) -> Snapshot | None:
        if self._course is None or not self._course.left:
            return None
        try:
            later = self._keeping.state(f"{self._keeping.prefix}/{LEFT}")
            if later.message == self._message(self._course):
                return later
        except SnapshotsLostError:
            pass
        try:
            return self._keeping.state(self._course.left)
        except SnapshotsLostError:
            return None

    def _message(self, course: LoopState) -> str:
        """A rollback counts as long as the loop has not worked since."""
        return f"after a rollback by hand that followed {course.left}"


def _course(project: Path, loop_id: str) -> LoopState | None:
    try:
        return LoopState.of(Journal(project / LOOPS / loop_id).read(mend=False))
    except (StorageError, TrackerError, LookupError, ValueError):
        return None
