"""The files of a loop's rounds: keeping them, comparing them, and bringing them back.

What a person changed between two sittings is laid over every round from before: going back to one leaves those changes
where they are.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from headway.core.iteration import FileChanges
from headway.loop.changes import changed_between
from headway.loop.facts import FilesFound
from headway.loop.result_branch import put_on_branch
from headway.loop.state import LoopState
from headway.snapshots import (
    Baseline,
    Committed,
    GitError,
    Repository,
    Restored,
    Snapshot,
    claim,
    commit_changes,
    derive,
    files_between,
    forget,
    git_is_here,
    head_of,
    is_unchanged,
    is_whole,
    keep_before,
    list_snapshots,
    load,
    name_again,
    overlaid,
    refs_at,
    restore,
    take,
    text_at,
)
from headway.store.loop_files import StorageError

ALL_KEPT = "Finished rounds are kept."
NAME = "name"
"""The ref that says that a loop's name is taken, in this and all other worktrees."""


class SnapshotsLostError(StorageError):
    """Files of rounds that were kept are gone, because the git directory or refs in it were removed."""


class RoundSnapshots:
    """Snapshots of one loop; without git there are none."""

    def __init__(self, folder: Path, loop_id: str) -> None:
        self.repository = Repository.at(folder) if git_is_here() else None
        self.folder, self.loop_id = folder, loop_id
        self._refs: dict[int, str] = {}
        self._known: dict[str, Snapshot] = {}
        self._found: list[FilesFound] = []

    @property
    def root(self) -> Path | None:
        """The folder whose files are kept."""
        return self.repository.root if self.repository else None

    def claim_name(self, folder: Path) -> bool:
        """Take the loop's name for this project and all its worktrees; False if another loop has it."""
        if self.repository is None or claim(self.repository, self._ref(NAME), str(folder)):
            return True
        # A sitting may have been killed right after it took the name, before there was anything of the loop.
        return text_at(self.repository, self._ref(NAME)) == str(folder) and not list_snapshots(
            self.repository, self.prefix
        )

    def recall(self, course: LoopState) -> None:
        """Take up what the journal says about a loop's files."""
        self._refs = {end.number: end.snapshot for end in course.ends if end.snapshot}
        self._found = course.found

    def keep(self, number: int) -> str | None:
        """Keep the files as they are now as those of a round; returns where. Files kept before stay as they are."""
        snapshot = self._taken(f"round-{number:03d}", f"round {number}", first=number == 0)
        if snapshot is not None:
            self._refs[number] = snapshot.ref
        return snapshot.ref if snapshot else None

    def keep_state(self, name: str) -> Snapshot | None:
        """Keep the files as they are now under a name of their own; None as long as there is no baseline."""
        return self._taken(name, name) if 0 in self._refs else None

    def changed_since(self, before: Snapshot) -> FileChanges | None:
        """What differs now from files that were kept; nothing is kept for that."""
        if self.repository is None:
            return None
        passing = f"now/{os.getpid()}"
        try:
            return changed_between(before, take(self.repository, passing, "now", like=before), self.repository)
        finally:
            forget(self.repository, passing)

    def nearest_round(self, now: Snapshot, left: Snapshot, base: int, latest: int) -> tuple[int, set[str]]:
        """The round whose files are there, or most of them, and the names of the files that are not as it has them.

        That is the round they were left with unless another one is nearer. What measuring left behind does not count.
        """
        files: dict[int, Snapshot | None] = {}
        for number in (base, *range(latest, -1, -1)):
            with suppress(SnapshotsLostError):  # a lost round cannot have been restored
                files[number] = self.files_of(number)
        beside = self._differing(files.get(base), left) - self._differing(left, now)
        found = {number: self._differing(snapshot, now) - beside for number, snapshot in files.items()}
        nearest = min(found, key=lambda number: len(found[number]), default=base)
        return nearest, found.get(nearest, set())

    def _differing(self, one: Snapshot | None, other: Snapshot) -> set[str]:
        if one is None or self.repository is None:
            return set()
        return files_between(self.repository, one, other)

    def changes(self, before: int, after: int) -> FileChanges | None:
        """What changed from one round to another."""
        with self._told_what_is_lost():
            return changed_between(self.files_of(before), self.files_of(after), self.repository)

    def changes_since(self, start: str, after: int) -> FileChanges | None:
        """What changed from how a round found the files."""
        return changed_between(self.state(start), self.files_of(after), self.repository)

    def keep_start(self, number: int, base: int) -> str:
        """Keep the files as a round finds them, where measuring left others than those of the round before."""
        before = self.files_of(base)
        if self.repository is None or before is None or is_unchanged(self.repository, before):
            return ""
        kept = self.keep_state(f"start-{number:03d}")
        return kept.ref if kept else ""

    def keep_before(self, to: int, now: int) -> Snapshot | None:
        """Keep the files as they are, before those of a round take their place."""
        snapshot = self.files_of(to)
        if self.repository is None or snapshot is None:
            return None
        with self._told_what_is_lost():
            return keep_before(self.repository, snapshot, self._ref(f"before-going-back-{now:03d}"))

    def go_back(self, to: int, now: int, kept: Snapshot | None = None) -> Restored | None:
        """Bring a round's files back, after keeping the present state, if that has not just been done."""
        self._look_for_git()
        snapshot = self.files_of(to)
        if self.repository is None or snapshot is None:
            return None
        if not is_whole(self.repository, snapshot.commit):
            raise SnapshotsLostError(f"{_named([to])} are gone: git no longer has them")
        self.name_again()
        return restore(self.repository, snapshot, kept or self._ref(f"before-going-back-{now:03d}"))

    def branch(self, wanted: str, number: int) -> tuple[str, Committed] | None:
        """Put what the rounds changed on a branch, as one commit on top of what was checked out at the beginning.

        Returns where it is, in words: the branch, and why it is not the wanted one if that was not free.
        """
        before, after = self.files_of(0), self.files_of(number)
        if self.repository is None or before is None or after is None:
            return None
        head = Baseline(self.repository, after.baseline).facts.head if after.baseline else ""
        parent, title = head or head_of(self.repository), f"headway loop {self.loop_id}"
        before = self._without_files_of_rounds(before)
        done = commit_changes(self.repository, before, after, parent, f"Round {number} of {title}")
        name, why = put_on_branch(self.repository, self.prefix, wanted, done.commit)
        return f"{name}, because {why}" if why else name, done

    def _without_files_of_rounds(self, before: Snapshot) -> Snapshot:
        """The files of the baseline with a person's edits, but without those that they took over from a round.

        Only rounds from before the first edit can tell: the later ones have the edits in them.
        """
        if self.repository is None or not self._found:
            return before
        first = self.state(self._refs[0])
        edited, taken_over = self._differing(first, before), set[str]()
        for number in range(1, self._found[0].number + 1):
            with suppress(SnapshotsLostError):  # nothing can have been taken from a lost round
                taken_over |= edited - self._differing(self.state(self._refs[number]), before)
        tree = overlaid(self.repository, before.tree, before.tree, first.tree, taken_over)
        return msgspec.structs.replace(before, tree=tree)

    def ignored_since_start(self) -> list[str]:
        """Files that git ignores, so that no round and no branch has them, and that were made or changed since."""
        first = self.files_of(0)
        if self.repository is None or first is None or not first.baseline:
            return []
        return Baseline(self.repository, first.baseline).ignored_since()

    def state(self, ref: str) -> Snapshot:
        """The snapshot under a ref."""
        try:
            return self._loaded(ref)
        except KeyError as error:
            raise SnapshotsLostError(f"kept files are gone: {error.args[0]}") from error

    def files_of(self, number: int) -> Snapshot | None:
        """The files of a round, with what a person has changed since."""
        if self.repository is None:
            return None
        try:
            snapshot = self._loaded(self._refs.get(number) or self._ref(f"round-{number:03d}"))
        except KeyError as error:
            raise SnapshotsLostError(f"{_named([number])} are gone: {error.args[0]}") from error
        later = [found for found in self._found if number <= found.number]
        return self._with_edits(snapshot, number, later) if later else snapshot

    def name_again(self) -> list[int]:
        """Restore deleted refs of rounds; returns the rounds for which this is no longer possible."""
        if self.repository is None:
            return []
        there = set(refs_at(self.repository, self.prefix)) if self.repository.room.is_dir() else set()
        lost = []
        for number, ref in sorted(self._refs.items()):
            known = self._known.get(ref)
            if ref not in there and known and is_whole(self.repository, known.commit):
                name_again(self.repository, ref, known.commit)
            elif ref not in there:
                lost.append(number)
        return lost

    def what_is_kept(self) -> str:
        """A sentence about the finished rounds of a loop that ended early."""
        try:
            lost = set(self.name_again())
            for number, ref in self._refs.items() if self.repository else ():
                if number not in lost and self.repository and not is_whole(self.repository, ref):
                    lost.add(number)
        except GitError as error:
            return f"Whether finished rounds are still kept could not be found out: {error}."
        return f"{_named(sorted(lost)).capitalize()} are gone." if lost else ALL_KEPT

    @contextmanager
    def _told_what_is_lost(self) -> Iterator[None]:
        """If git fails because files of rounds were removed, say which."""
        try:
            yield
        except GitError as error:
            if (kept := self.what_is_kept()) == ALL_KEPT:
                raise
            raise SnapshotsLostError(f"{kept[:1].lower()}{kept[1:].removesuffix('.')} ({error})") from error

    def has_edits_since(self, number: int) -> bool:
        """Did a person change files after a round, so that its files come with these changes?"""
        return any(number <= found.number for found in self._found)

    def _loaded(self, ref: str) -> Snapshot:
        assert self.repository is not None  # noqa: S101 (refs are only told where there is one; this tells mypy)
        if ref not in self._known:
            self._look_for_git()
            self._known[ref] = load(self.repository, ref)
        return self._known[ref]

    def _with_edits(self, snapshot: Snapshot, number: int, later: list[FilesFound]) -> Snapshot:
        assert self.repository is not None  # noqa: S101 (asked for by files_of alone; this tells mypy)
        ref = self._ref(f"round-{number:03d}-with-edits-{len(self._found)}")
        if ref not in self._known:
            tree, modes = snapshot.tree, snapshot.modes
            for found in later:
                since, now = self.state(found.since), self.state(found.now)
                tree = overlaid(self.repository, tree, since.tree, now.tree)
                modes = {path: mode for path, mode in modes.items() if since.modes.get(path) == now.modes.get(path)}
                modes |= {path: mode for path, mode in now.modes.items() if since.modes.get(path) != mode}
            self._known[ref] = derive(
                self.repository, ref, f"round {number} with a person's edits", snapshot, tree, modes
            )
        return self._known[ref]

    def _taken(self, name: str, what: str, *, first: bool = False) -> Snapshot | None:
        if self.repository is None:
            return None
        self._look_for_git()
        like = None if first else self.state(self._refs.get(0) or self._ref("round-000"))  # its rules hold
        message = f"headway loop {self.loop_id}, {what}"
        snapshot = take(self.repository, self._ref(name), message, like=like, first=first, replace=False)
        self._known[snapshot.ref] = snapshot
        return snapshot

    def _look_for_git(self) -> None:
        """An agent may have removed or recreated the git directory; its content is then lost."""
        if self.repository is not None and not self.repository.room.is_dir():
            raise SnapshotsLostError(
                f"{self.repository.git_dir} was removed, and the files kept of every round with it"
            )

    @property
    def prefix(self) -> str:
        """What all refs of the loop begin with."""
        return f"refs/headway/loops/{self.loop_id}"

    def _ref(self, name: str) -> str:
        return f"{self.prefix}/{name}"


def _named(rounds: Sequence[int]) -> str:
    names = [f"round {number}" if number else "the baseline" for number in rounds]
    return f"the files of {', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]}"


def branch_exists(repository: Repository, name: str) -> bool:
    """Is there a branch of that name?"""
    return bool(repository.refs.text("for-each-ref", "--format=%(objectname)", f"refs/heads/{name}"))


def is_branch_name(repository: Repository, name: str) -> bool:
    """Would git take it as the name of a branch?"""
    try:
        return repository.refs.text("check-ref-format", "--branch", name) == name  # @{-1} means another one
    except GitError:
        return False
