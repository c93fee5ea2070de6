"""Saves, compares and restores the files of a loop's rounds.

Changes that the user made while the loop was stopped are applied on top of all earlier rounds, so that restoring one of
them keeps these changes.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from headway.core.iteration import FileChanges
from headway.loop.changes import changed_between
from headway.loop.facts import FilesFound
from headway.loop.state import LoopState
from headway.snapshots import (
    Baseline,
    GitError,
    Repository,
    Restored,
    Snapshot,
    claim,
    derive,
    files_between,
    forget,
    git_is_installed,
    is_complete,
    is_unchanged,
    list_snapshots,
    load,
    overlaid,
    refs_at,
    restore,
    save_before,
    set_ref,
    take,
    text_at,
    text_in,
)
from headway.store.loop_files import StorageError

ALL_SAVED = "Finished rounds are saved."
NAME = "name"
"""The ref that reserves a loop's name in all worktrees."""


class SnapshotsLostError(StorageError):
    """Saved files of rounds are gone, because the git directory or refs in it were removed."""


class RoundSnapshots:
    """The snapshots of one loop. Without git there are none."""

    def __init__(self, folder: Path, loop_id: str) -> None:
        self.repository = Repository.at(folder) if git_is_installed() else None
        self.folder, self.loop_id = folder, loop_id
        self._refs: dict[int, str] = {}
        self._known: dict[str, Snapshot] = {}
        self._texts: dict[tuple[str, str], str | None] = {}
        self.edits: list[FilesFound] = []
        """What the user changed while the loop was stopped."""

    @property
    def root(self) -> Path | None:
        """The folder whose files are saved."""
        return self.repository.root if self.repository else None

    def claim_name(self, folder: Path) -> bool:
        """Reserve the loop's name in this project and all its worktrees; False if another loop has it."""
        if self.repository is None or claim(self.repository, self._ref(NAME), str(folder)):
            return True
        # An earlier process may have been killed right after it reserved the name, before the first snapshot.
        return text_at(self.repository, self._ref(NAME)) == str(folder) and not list_snapshots(
            self.repository, self.prefix
        )

    def load_refs(self, state: LoopState) -> None:
        """Load the snapshots that the journal names."""
        self._refs = {end.number: end.snapshot for end in state.ends if end.snapshot}
        self.edits = state.found

    def save_round(self, number: int) -> str | None:
        """Save the current files as those of a round; returns the ref. An earlier snapshot is never replaced."""
        snapshot = self._take(f"round-{number:03d}", f"round {number}", first=number == 0)
        if snapshot is not None:
            self._refs[number] = snapshot.ref
        return snapshot.ref if snapshot else None

    def save_state(self, name: str) -> Snapshot | None:
        """Save the current files under a name; None while there is no baseline."""
        return self._take(name, name) if 0 in self._refs else None

    def changed_since(self, before: Snapshot) -> FileChanges | None:
        """What differs now from a snapshot. Nothing stays saved."""
        if self.repository is None:
            return None
        passing = f"now/{os.getpid()}"
        try:
            return changed_between(before, take(self.repository, passing, "now", like=before), self.repository)
        finally:
            forget(self.repository, passing)

    def differing(self, one: Snapshot | None, other: Snapshot) -> set[str]:
        """The paths that differ between two snapshots; none without git."""
        if one is None or self.repository is None:
            return set()
        return files_between(self.repository, one, other)

    def changes(self, before: int, after: int) -> FileChanges | None:
        """The changes from one round to another."""
        with self._naming_lost_rounds():
            return changed_between(self.files_of(before), self.files_of(after), self.repository)

    def changes_since(self, start: str, after: int) -> FileChanges | None:
        """The changes from the files at the start of a round."""
        return changed_between(self.snapshot_at(start), self.files_of(after), self.repository)

    def save_start(self, number: int, base: int) -> str:
        """Save the files at the start of a round, if measuring changed them since the round before."""
        before = self.files_of(base)
        if self.repository is None or before is None or is_unchanged(self.repository, before):
            return ""
        kept = self.save_state(f"start-{number:03d}")
        return kept.ref if kept else ""

    def save_before(self, to: int, now: int) -> Snapshot | None:
        """Save the current files before those of a round replace them."""
        snapshot = self.files_of(to)
        if self.repository is None or snapshot is None:
            return None
        with self._naming_lost_rounds():
            return save_before(self.repository, snapshot, self._ref(f"before-going-back-{now:03d}"))

    def restore_round(self, to: int, now: int, kept: Snapshot | None = None) -> Restored | None:
        """Restore a round's files, after saving the current ones unless `kept` already holds them."""
        self._check_git_dir()
        snapshot = self.files_of(to)
        if self.repository is None or snapshot is None:
            return None
        if not is_complete(self.repository, snapshot.commit):
            raise SnapshotsLostError(f"{_named([to])} are gone: git no longer has them")
        self.restore_refs()
        return restore(self.repository, snapshot, kept or self._ref(f"before-going-back-{now:03d}"))

    def ignored_since_start(self) -> list[str]:
        """Ignored files created or changed since the start. No round and no branch contains them."""
        first = self.files_of(0)
        if self.repository is None or first is None or not first.baseline:
            return []
        return Baseline(self.repository, first.baseline).ignored_since()

    def snapshot_at(self, ref: str) -> Snapshot:
        """The snapshot under a ref."""
        try:
            return self._loaded(ref)
        except KeyError as error:
            raise SnapshotsLostError(f"saved files are gone: {error.args[0]}") from error

    def saved_round(self, number: int) -> Snapshot:
        """The files of a round as they were saved."""
        return self.snapshot_at(self._refs[number])

    def files_of(self, number: int) -> Snapshot | None:
        """The files of a round, with the user's later edits."""
        if self.repository is None:
            return None
        try:
            snapshot = self._loaded(self._refs.get(number) or self._ref(f"round-{number:03d}"))
        except KeyError as error:
            raise SnapshotsLostError(f"{_named([number])} are gone: {error.args[0]}") from error
        later = [found for found in self.edits if number <= found.number]
        return self._with_edits(snapshot, number, later) if later else snapshot

    def text_in(self, snapshot: Snapshot, path: str) -> str | None:
        """The text of a file in a snapshot, read once: every round asks for the scripts of the baseline."""
        place = (snapshot.tree, path)
        if self.repository is not None and self._texts.get(place) is None:
            self._texts[place] = text_in(self.repository, snapshot, path)
        return self._texts.get(place)

    def restore_refs(self) -> list[int]:
        """Restore deleted refs of rounds; returns the rounds that are lost."""
        if self.repository is None:
            return []
        there = set(refs_at(self.repository, self.prefix)) if self.repository.room.is_dir() else set()
        lost = []
        for number, ref in sorted(self._refs.items()):
            known = self._known.get(ref)
            if ref not in there and known and is_complete(self.repository, known.commit):
                set_ref(self.repository, ref, known.commit)
            elif ref not in there:
                lost.append(number)
        return lost

    def finished_rounds_status(self) -> str:
        """A sentence about which finished rounds are still saved."""
        try:
            lost = set(self.restore_refs())
            for number, ref in self._refs.items() if self.repository else ():
                if number not in lost and self.repository and not is_complete(self.repository, ref):
                    lost.add(number)
        except GitError as error:
            return f"Headway could not check whether finished rounds are still saved: {error}."
        return f"{_named(sorted(lost)).capitalize()} are gone." if lost else ALL_SAVED

    @contextmanager
    def _naming_lost_rounds(self) -> Iterator[None]:
        """If git fails because files of rounds were removed, say which."""
        try:
            yield
        except GitError as error:
            if (kept := self.finished_rounds_status()) == ALL_SAVED:
                raise
            raise SnapshotsLostError(f"{kept[:1].lower()}{kept[1:].removesuffix('.')} ({error})") from error

    def has_edits_since(self, number: int) -> bool:
        """Check whether the user changed files after a round."""
        return any(number <= found.number for found in self.edits)

    def _loaded(self, ref: str) -> Snapshot:
        assert self.repository is not None  # noqa: S101 (refs exist only with a repository; for mypy)
        if ref not in self._known:
            self._check_git_dir()
            self._known[ref] = load(self.repository, ref)
        return self._known[ref]

    def _with_edits(self, snapshot: Snapshot, number: int, later: list[FilesFound]) -> Snapshot:
        assert self.repository is not None  # noqa: S101 (`files_of` has checked it; for mypy)
        ref = self._ref(f"round-{number:03d}-with-edits-{len(self.edits)}")
        if ref not in self._known:
            tree, modes = snapshot.tree, snapshot.modes
            for found in later:
                since, now = self.snapshot_at(found.since), self.snapshot_at(found.now)
                tree = overlaid(self.repository, tree, since.tree, now.tree)
                modes = {path: mode for path, mode in modes.items() if since.modes.get(path) == now.modes.get(path)}
                modes |= {path: mode for path, mode in now.modes.items() if since.modes.get(path) != mode}
            self._known[ref] = derive(
                self.repository, ref, f"round {number} with a person's edits", snapshot, tree, modes
            )
        return self._known[ref]

    def _take(self, name: str, what: str, *, first: bool = False) -> Snapshot | None:
        if self.repository is None:
            return None
        self._check_git_dir()
        like = None if first else self.snapshot_at(self._refs.get(0) or self._ref("round-000"))  # its rules apply
        message = f"headway loop {self.loop_id}, {what}"
        snapshot = take(self.repository, self._ref(name), message, like=like, first=first, replace=False)
        self._known[snapshot.ref] = snapshot
        return snapshot

    def _check_git_dir(self) -> None:
        """Fail if the git directory was removed or recreated. Its content is then lost."""
        if self.repository is not None and not self.repository.room.is_dir():
            raise SnapshotsLostError(
                f"{self.repository.git_dir} was removed, and with it the saved files of every round"
            )

    @property
    def prefix(self) -> str:
        """The namespace of all refs of the loop."""
        return f"refs/headway/loops/{self.loop_id}"

    def _ref(self, name: str) -> str:
        return f"{self.prefix}/{name}"


def _named(rounds: Sequence[int]) -> str:
    names = [f"round {number}" if number else "the baseline" for number in rounds]
    return f"the files of {', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]}"
