"""Finds the user's own files before a manual rollback: edits made while the loop was stopped, and new files."""

from pathlib import Path

from headway.loop.journal import Journal
from headway.loop.round_snapshots import RoundSnapshots, SnapshotsLostError
from headway.loop.starting import LOOPS
from headway.loop.state import LoopState
from headway.loop.tracker import TrackerError
from headway.snapshots import Snapshot, Status, changes, derive
from headway.store.loop_files import StorageError

LEFT = "left"
"""The ref of the files as the latest manual rollback left them."""


class UserFiles:
    """The files of a project that only the user changed."""

    def __init__(self, project: Path, loop_id: str) -> None:
        self._snapshots = RoundSnapshots(project, loop_id)
        self._state = _state(project, loop_id)
        if self._state is not None:
            self._snapshots.load_refs(self._state)

    def with_edits(self, snapshot: Snapshot) -> Snapshot:
        """The files of a round with the user's edits, as the loop would restore them."""
        ends = self._state.ends if self._state else ()
        number = next((end.number for end in ends if end.snapshot == snapshot.ref), None)
        return snapshot if number is None else self._snapshots.files_of(number) or snapshot

    def made_since(self, now: Snapshot) -> set[str]:
        """Files created since the loop or a rollback left the project; empty if unknown."""
        left = self._left()
        if left is None:
            return set()
        found = changes(left, now, self._snapshots.repository).files
        return {file.path for file in found if file.status in (Status.ADDED, Status.RENAMED)}

    def note_left(self, restored: Snapshot) -> None:
        """Save the result of a manual rollback. Files that differ from it later are the user's."""
        repository = self._snapshots.repository
        if self._state is not None and repository is not None and self._state.left:
            name, said = f"{self._snapshots.prefix}/{LEFT}", self._message(self._state)
            derive(repository, name, said, restored, restored.tree, restored.modes)

    def _left(self) -> Snapshot | None:
        if self._state is None or not self._state.left:
            return None
        try:
            later = self._snapshots.snapshot_at(f"{self._snapshots.prefix}/{LEFT}")
            if later.message == self._message(self._state):
                return later
        except SnapshotsLostError:
            pass
        try:
            return self._snapshots.snapshot_at(self._state.left)
        except SnapshotsLostError:
            return None

    def _message(self, state: LoopState) -> str:
        """The commit message of that snapshot. It is valid while the loop has recorded no new fact."""
        return f"after a rollback by hand that followed {state.left}"


def _state(project: Path, loop_id: str) -> LoopState | None:
    try:
        return LoopState.of(Journal(project / LOOPS / loop_id).read(mend=False))
    except (StorageError, TrackerError, LookupError, ValueError):
        return None
