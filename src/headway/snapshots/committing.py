"""Commits the changes between two snapshots on top of another commit.

Files go through git's filters and line ending conversion, as in `git add`. Files that did not change stay as they are
in the parent commit, including submodules and files outside a sparse checkout. The user's own uncommitted edits are
left out, as far as they can be told apart.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from headway.snapshots import files
from headway.snapshots.baseline import RULES_FILE, Baseline, ignored_among
from headway.snapshots.filters import filter_overrides
from headway.snapshots.git import Blobs, Git, GitError, joined
from headway.snapshots.names import readable
from headway.snapshots.repository import Repository
from headway.snapshots.scratch import scratch_folder
from headway.snapshots.snapshot import Snapshot
from headway.snapshots.trees import StoredFile, entries_of, steps_between

ATTRIBUTES = ".gitattributes"
TAKE_IN = ("update-index", "-z", "--add", "--remove", "--replace", "--stdin")
INFO = ("update-index", "-z", "--replace", "--index-info")


class Committed(msgspec.Struct, frozen=True):
    """The commit, and the changes that it does not contain."""

    commit: str
    left_out: tuple[str, ...] = ()
    """Changed files that existed before the loop and were never committed: they are the user's."""
    mixed: tuple[str, ...] = ()
    """Files in which the user's uncommitted edits overlap with the changes, so the commit contains both."""
    nested: tuple[str, ...] = ()
    """Nested repositories with changes. They need commits of their own."""
    ignored: tuple[str, ...] = ()
    """New files that the rules in the parent commit ignore. `git add` would not add them either."""


class Decided(msgspec.Struct):
    """The index entries to commit, and the files that are left out or mixed."""

    lines: list[str] = []
    left_out: list[str] = []
    mixed: list[str] = []


def commit_changes(
    repository: Repository, before: Snapshot, after: Snapshot, parent: str, message: str
) -> Committed:  # fmt: skip
    """Commit the changes from one snapshot to another on top of `parent`. No ref is moved."""
    store = repository.store
    writes, removals = steps_between(store, before.tree, after.tree)
    old, _ = steps_between(store, after.tree, before.tree)
    inner = {f"{folder}/" for folder in {*before.parts, *after.parts}}
    paths = [path for path in (*(one.path for one in writes), *removals) if not _lies_in(path, inner)]
    with scratch_folder(repository) as scratch:
        known = Baseline(repository, after.baseline).facts.filters if after.baseline else None
        git = partial(_git, repository, scratch, filter_overrides(repository.refs, known))
        top = _entries(store.fields("ls-tree", "-r", "-z", "--full-tree", parent))
        ignored = _ignored(git("rules"), store, after.tree, [path for path in paths if path not in top])
        paths = [path for path in paths if path not in ignored]
        writes = [one for one in writes if one.path not in ignored]
        was = _cleaned(git("was"), store, top, _with_attributes(store, before.tree, old), paths)
        now = _cleaned(git("now"), store, top, _with_attributes(store, after.tree, writes), paths)
        decided = _decide(git("now"), scratch, paths, top, was, now)
        result = git("result")
        result.run(*INFO, stdin=joined(f"{about}\t{path}" for path, about in top.items()))
        result.run(*INFO, stdin=joined(decided.lines))
        tree = result.text("write-tree")
        commit = _as_the_user(repository).text("commit-tree", tree, "-p", parent, "-m", message)
    changed = {
        folder for folder in inner for path in (*(one.path for one in writes), *removals) if _lies_in(path, [folder])
    }
    return Committed(
        commit,
        tuple(map(readable, decided.left_out)),
        tuple(map(readable, decided.mixed)),
        tuple(sorted(folder.rstrip("/") for folder in changed)),
        tuple(map(readable, sorted(ignored))),
    )


def _lies_in(path: str, folders: Iterable[str]) -> bool:
    return readable(path).startswith(tuple(folders))


def _git(repository: Repository, scratch: Path, filters: dict[str, str], name: str) -> Git:
    """The user's git with its filters, using our own index and work tree."""
    (scratch / name).mkdir(exist_ok=True)
    places = {
        "GIT_DIR": repository.git_dir,
        "GIT_WORK_TREE": scratch / name,
        "GIT_INDEX_FILE": scratch / f"{name}.index",
    }
    return Git(scratch / name, {key: str(value) for key, value in places.items()} | filters)


def _entries(lines: Iterable[str]) -> dict[str, str]:
    """The mode and id of every file, in the format of `--index-info`."""
    pairs = (line.split("\t", 1) for line in lines)
    return {path: f"{about.split()[0]} {about.split()[2]}" for about, path in pairs}


def _ignored(git: Git, store: Git, tree: str, paths: list[str]) -> set[str]:
    """The given paths that the rules in a tree, or the user's own rules, ignore."""
    rules = [entry for entry in entries_of(store, tree) if entry.path.rpartition("/")[2] == RULES_FILE]
    with Blobs(store) as blobs:
        for entry in rules:
            files.write(git.folder, entry, partial(blobs.copy, entry.blob))
    return ignored_among(git, paths) if paths else set()


def _with_attributes(store: Git, tree: str, entries: Iterable[StoredFile]) -> list[StoredFile]:
    """The given entries, and all `.gitattributes` files, which say how others are converted."""
    chosen = {entry.path: entry for entry in entries}
    for entry in entries_of(store, tree):
        if entry.path.rpartition("/")[2] == ATTRIBUTES:
            chosen[entry.path] = entry
    return [*chosen.values()]


def _cleaned(git: Git, store: Git, top: dict[str, str], entries: list[StoredFile], paths: list[str]) -> dict[str, str]:
    """The mode and id of the changed files as `git add` would store them."""
    git.run(*INFO, stdin=joined(f"{about}\t{path}" for path, about in top.items()))
    with Blobs(store) as blobs:
        for entry in entries:
            files.write(git.folder, entry, partial(blobs.copy, entry.blob))
    git.run(*TAKE_IN, stdin=joined(paths))
    lines = (line.split("\t", 1) for line in git.fields("ls-files", "-z", "--stage"))
    return {path: about.rpartition(" ")[0] for about, path in lines}


def _decide(
    git: Git, scratch: Path, paths: list[str], top: dict[str, str], was: dict[str, str], now: dict[str, str]
) -> Decided:
    decided = Decided()
    for path in paths:
        there, old, new = top.get(path), was.get(path), now.get(path)
        if old == new or new == there:
            continue
        if old is not None and there is None:
            decided.left_out.append(path)
        elif old != there and old and there and new:
            merged = _merged(git, scratch, there, old, new)
            decided.lines.append(f"{merged or new}\t{path}")
            decided.mixed += [] if merged else [path]
        else:
            decided.lines.append(f"{new or '0 ' + '0' * len((there or '').split()[-1])}\t{path}")
    return decided


def _merged(git: Git, scratch: Path, there: str, old: str, new: str) -> str | None:
    """The committed file with the changes from old to new applied; None if the user's edits overlap with them."""
    places = [scratch / name for name in ("there", "old", "new")]
    for place, about in zip(places, (there, old, new), strict=True):
        place.write_bytes(git.run("cat-file", "blob", about.split()[1]))
    try:
        content = git.run("merge-file", "-p", "-q", *map(str, places))
    except GitError:
        return None
    return f"{new.split()[0]} {git.text('hash-object', '-w', '--no-filters', '--stdin', stdin=content)}"


def _as_the_user(repository: Repository) -> Git:
    """Git that commits under the user's name, if git knows it."""
    return Git(repository.root, {**repository.refs.places, **dict(_names(repository.refs))})


def _names(git: Git) -> Iterator[tuple[str, str]]:
    for key in ("name", "email"):
        try:
            value = git.text("config", f"user.{key}")
        except GitError:
            continue
        for role in ("AUTHOR", "COMMITTER"):
            yield f"GIT_{role}_{key.upper()}", value
