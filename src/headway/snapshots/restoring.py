"""Restores a snapshot's files to an empty folder or to the project itself.

Restoring changes only files; index, HEAD and branches stay as they are. The current state is saved first, including
ignored files that would be overwritten, so everything removed or replaced is in a snapshot.
"""

import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from headway.snapshots import files
from headway.snapshots.baseline import Baseline
from headway.snapshots.git import Blobs, GitError
from headway.snapshots.moved import widened_permissions
from headway.snapshots.names import REFS, readable, ref_of
from headway.snapshots.parts import moved_files
from headway.snapshots.permissions import Permissions
from headway.snapshots.refs import free_ref
from headway.snapshots.repository import Repository
from headway.snapshots.scratch import writing
from headway.snapshots.snapshot import Snapshot, take
from headway.snapshots.trees import StoredFile, entries_of, steps_between

LOOPS = f"{REFS}loops/"
MAX_NAMES = 5


class Restored(msgspec.Struct, frozen=True):
    """What a restore changed."""

    snapshot: Snapshot
    kept: Snapshot
    """The state before."""
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()
    """Files and folders of which only the permissions were changed."""
    put_back: tuple[str, ...] = ()
    """The paths of ignored files and folders that had been moved and are in their places again."""


class RestoreError(RuntimeError):
    """Restoring failed. The message says why, what was done before that, and how to undo it."""

    def __init__(self, why: str, done: Restored, way_back: str) -> None:
        state = "nothing changed"
        if done.written or done.removed:
            state = f"files written: {len(done.written)}, removed: {len(done.removed)}. To undo that: {way_back}"
        super().__init__(f"restoring {done.snapshot.ref} stopped: {why}; {state}")
        self.done = done
        self.way_back = way_back


def export(snapshot: Snapshot, folder: str | Path) -> int:
    """Write a snapshot's files to a new or empty folder; returns the number of files."""
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FileExistsError(f"{target} is not an empty folder, so {snapshot.ref} was not written there")
    repository = Repository.at(snapshot.folder)
    store = repository.store
    entries = entries_of(store, snapshot.tree)
    target.mkdir(parents=True, exist_ok=True)
    allowed = permissions_in(repository, snapshot)
    with Blobs(store) as blobs:
        for entry in entries:
            files.write(target, entry, partial(blobs.copy, entry.blob), allowed.of_entry(entry.path, entry.mode))
    return len(entries)


def restore(
    folder: str | Path | Repository, snapshot: Snapshot, keep: str | Snapshot, spared: Collection[str] = ()
) -> Restored:  # fmt: skip
    """Restore the project's files to a snapshot, after saving the current ones.

    `keep` names the ref for saving them, or is the result of `save_before`. Files in `spared` are not removed
    if the snapshot lacks them. Ignored files that were moved return to their paths at the baseline.

    Files that no snapshot holds are never removed. If one is in the way, nothing is changed.
    """
    repository = folder if isinstance(folder, Repository) else Repository.at(folder)
    kept = save_before(repository, snapshot, keep) if isinstance(keep, str) else keep
    writes, removals = steps_between(repository.store, kept.tree, snapshot.tree)
    removals = [path for path in removals if readable(path) not in spared]
    theirs = Baseline(repository, snapshot.baseline) if snapshot.baseline else None
    moved = moved_files(repository, theirs) if theirs else {}
    _refuse_obstacles(repository, Restored(snapshot, kept), writes, [*removals, *_below(repository, moved)])
    with writing(repository, [entry.path for entry in writes]):
        return _apply(repository, Restored(snapshot, kept), Steps(writes, removals, moved, spared))


def permissions_between(repository: Repository, present: Snapshot, wanted: Snapshot) -> list[str]:
    """Files and folders of which only the permissions differ between two snapshots."""
    modes = permissions_in(repository, wanted).to_restore(str(repository.root), present.modes)
    return [path for path, _ in modes]


class Steps(msgspec.Struct, frozen=True):
    """The steps of a restore."""

    writes: Sequence[StoredFile]
    removals: Sequence[str]
    moved: dict[str, str]
    spared: Collection[str]


def permissions_in(repository: Repository, snapshot: Snapshot) -> Permissions:
    """The file permissions in a snapshot."""
    return Permissions(snapshot.modes, Baseline(repository, snapshot.baseline) if snapshot.baseline else None)


def _below(repository: Repository, moved: Iterable[str]) -> Iterator[str]:
    """All files that disappear from their present paths when moved files are put back."""
    for path in moved:
        yield path
        yield from files.files_below(repository.root, path)


def save_before(repository: Repository, snapshot: Snapshot, keep_ref: str) -> Snapshot:
    """Save the files as they are before another snapshot replaces them.

    If `keep_ref` exists, a number is added to it, so no saved state is ever replaced.
    """
    ref = free_ref(repository, ref_of(keep_ref))
    wanted = [entry.path for entry in entries_of(repository.store, snapshot.tree)]
    return take(repository, ref, f"before restoring {snapshot.ref}", also=wanted, like=snapshot)


def _apply(repository: Repository, plan: Restored, steps: Steps) -> Restored:
    """Apply the steps. Removals come first, so that a folder can replace a file and the other way round."""
    done: dict[str, list[str]] = {"written": [], "removed": [], "permissions": [], "put_back": []}
    theirs = Baseline(repository, plan.snapshot.baseline) if plan.snapshot.baseline else None
    allowed, root = Permissions(plan.snapshot.modes, theirs), repository.root
    folders = theirs.folders if theirs else []
    try:
        for path, mode in allowed.to_restore(str(root), plan.kept.modes):
            if path.endswith("/") and mode & 0o300 == 0o300:  # files can only be written to writable folders
                (root / path).chmod(mode)
                done["permissions"].append(readable(path))
        for path in steps.removals:
            files.remove(root, path, folders)
            done["removed"].append(readable(path))
        for path, origin in steps.moved.items():
            done["put_back"] += [readable(origin)] if files.put_back(root, path, origin, folders) else []
        with Blobs(repository.store) as blobs:
            for entry in steps.writes:
                wanted = allowed.of_entry(entry.path, entry.mode)
                files.write(root, entry, partial(blobs.copy, entry.blob), wanted)
                done["written"].append(readable(entry.path))
        for folder in folders:
            files.make_folder(root, folder)
        for path, mode in allowed.to_restore(str(root), plan.kept.modes):
            if readable(path) not in steps.spared:
                (root / path).chmod(mode)
                done["permissions"].append(readable(path))
        for path, mode in widened_permissions(str(root), theirs.facts.ignored) if theirs else ():
            (root / path).chmod(mode)  # close a secret that a round made readable for others
            done["permissions"].append(readable(path))
    except (OSError, GitError, ValueError) as error:
        raise RestoreError(str(error), _done(plan, done), _undo_command(repository, plan.kept)) from error
    return _done(plan, done)


def _done(plan: Restored, done: dict[str, list[str]]) -> Restored:
    return msgspec.structs.replace(plan, **{name: tuple(paths) for name, paths in done.items()})


def _refuse_obstacles(
    repository: Repository, plan: Restored, writes: Sequence[StoredFile], removals: Sequence[str]
) -> None:
    paths = [entry.path for entry in writes]
    found = sorted(set(map(readable, files.obstacles(repository.root, paths, removals))))
    if found:
        names = ", ".join(found[:MAX_NAMES]) + (f" and {len(found) - MAX_NAMES} more" if len(found) > MAX_NAMES else "")
        why = f"{names} would have to be removed, but no snapshot contains it (move it elsewhere and try again)"
        raise RestoreError(why, plan, _undo_command(repository, plan.kept))


def _undo_command(repository: Repository, kept: Snapshot) -> str:
    """The command with which a person can undo the restore; it changes files only."""
    loop, _, name = kept.ref.removeprefix(LOOPS).rpartition("/")
    if kept.ref.startswith(LOOPS) and loop:  # this command also removes files that did not exist before
        return shlex.join(["headway", "rollback", loop, name])
    places = [f"--git-dir={repository.git_dir}", f"--work-tree={repository.root}"]
    return shlex.join(
        ["git", "-C", str(repository.root), *places, "restore", "--worktree", f"--source={kept.ref}", "."]
    )
