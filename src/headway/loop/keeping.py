"""The files of a loop's rounds: keeping them, comparing them, and bringing them back."""

from pathlib import Path

from headway.core.iteration import FileChanges
from headway.loop.changes import changed_between
from headway.snapshots import GitError, Repository, Restored, Snapshot, git_is_here, load, restore, take
from headway.store.loop_files import StorageError


class SnapshotsLostError(StorageError):
    """Files of rounds that were kept are gone, because somebody removed the git directory or refs in it."""


class Keeping:
    """Snapshots of one loop; without git there are none."""

    def __init__(self, folder: Path, loop_id: str) -> None:
        self.repository = Repository.at(folder) if git_is_here() else None
        self.loop_id = loop_id
        self._known: dict[int, Snapshot] = {}

    @property
    def root(self) -> Path | None:
        """The folder whose files are kept."""
        return self.repository.root if self.repository else None

    def keep(self, number: int) -> str | None:
        """Keep the files as they are now as those of a round; returns where."""
        if self.repository is None:
            return None
        self._look_for_git()
        snapshot = take(self.repository, self._ref(number), f"headway loop {self.loop_id}, round {number}")
        self._known[number] = snapshot
        return snapshot.ref

    def snapshot(self, number: int) -> Snapshot | None:
        """The files of a round that was kept; None without git."""
        return self._of(number)

    def changes(self, before: int, after: int) -> FileChanges | None:
        """What changed from one round to another."""
        return changed_between(self._of(before), self._of(after), self.repository)

    def go_back(self, to: int, now: int) -> Restored | None:
        """Bring a round's files back, after keeping the present state."""
        self._look_for_git()
        snapshot = self._of(to)
        if self.repository is None or snapshot is None:
            return None
        return restore(self.repository, snapshot, f"loops/{self.loop_id}/before-going-back-{now:03d}")

    def branch(self, name: str, number: int) -> str | None:
        """Put a round's files on a branch of their own, as one commit on top of HEAD; the index stays as it is."""
        snapshot = self._of(number)
        if self.repository is None or snapshot is None:
            return None
        store, refs = self.repository.store, self.repository.refs
        parent = head_of(self.repository)
        options = ["-p", parent] if parent else []
        message = f"Round {number} of headway loop {self.loop_id}"
        commit = store.text("commit-tree", snapshot.tree, *options, "-m", message)
        refs.run("update-ref", f"refs/heads/{name}", commit)
        return commit

    def _of(self, number: int) -> Snapshot | None:
        if number not in self._known and self.repository is not None:
            self._look_for_git()
            try:
                self._known[number] = load(self.repository, self._ref(number))
            except KeyError as error:
                what = f"the files of {'the baseline' if number == 0 else f'round {number}'} are gone"
                raise SnapshotsLostError(f"{what}: {error.args[0]}") from error
        return self._known.get(number)

    def _look_for_git(self) -> None:
        """An agent may have removed or made anew the git directory; what was kept in it is then lost."""
        if self.repository is not None and not self.repository.room.is_dir():
            raise SnapshotsLostError(
                f"{self.repository.git_dir} was removed, and the files kept of every round with it"
            )

    def _ref(self, number: int) -> str:
        return f"loops/{self.loop_id}/round-{number:03d}"


def head_of(repository: Repository) -> str:
    """The commit that is checked out; empty before the first one."""
    try:
        return repository.refs.text("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except GitError:
        return ""


def branch_exists(repository: Repository, name: str) -> bool:
    """Is there a branch of that name?"""
    return bool(repository.refs.text("for-each-ref", "--format=%(objectname)", f"refs/heads/{name}"))


def is_branch_name(repository: Repository, name: str) -> bool:
    """Would git take it as the name of a branch?"""
    try:
        return repository.refs.text("check-ref-format", "--branch", name) == name  # @{-1} means another one
    except GitError:
        return False
