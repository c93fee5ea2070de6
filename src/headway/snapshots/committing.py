"""A commit of the changes between two snapshots on top of another commit, as a person would have made it.

The files go through git's own filters and line endings, like `git add`. Files that did not change stay as they are in
the commit below: files outside a sparse checkout, submodules, everything untouched. A person's uncommitted edits are
left out, as far as they can be told apart.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from headway.snapshots import files
from headway.snapshots.baseline import RULES_FILE, Baseline, ignored_among
from headway.snapshots.filters import as_before
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
    """The commit, and what it does not hold."""

    commit: str
    left_out: tuple[str, ...] = ()
    """Files that changed, and that were there before without ever having been committed: they are a person's own."""
    mixed: tuple[str, ...] = ()
    """Files in which a person's uncommitted edits overlap with the changes, so that the commit has both."""
    nested: tuple[str, ...] = ()
    """Repositories inside the project in which something changed: they have commits of their own."""
    ignored: tuple[str, ...] = ()
    """New files that the rules in the commit ignore: `git add` would not take them, either."""


class Decided(msgspec.Struct):
    """What happens to the changed files."""

    lines: list[str] = []
    left_out: list[str] = []
    mixed: list[str] = []


def commit_changes(
    repository: Repository, before: Snapshot, after: Snapshot, parent: str, message: str
) -> Committed:  # fmt: skip
    """Commit what changed from one snapshot to the other on top of `parent`; no ref is moved."""
    store = repository.store
    writes, removals = steps_between(store, before.tree, after.tree)
    old, _ = steps_between(store, after.tree, before.tree)
    inner = {f"{folder}/" for folder in {*before.parts, *after.parts}}
    paths = [path for path in (*(one.path for one in writes), *removals) if not _lies_in(path, inner)]
    with scratch_folder(repository) as scratch:
        known = Baseline(repository, after.baseline).facts.filters if after.baseline else None
        git = partial(_git, repository, scratch, as_before(repository.refs, known))
        top = _entries(store.fields("ls-tree", "-r", "-z", "--full-tree", parent))
        ignored = _ignored(git("rules"), store, after.tree, [path for path in paths if path not in top])
        paths = [path for path in paths if path not in ignored]
        writes = [one for one in writes if one.path not in ignored]
        was = _cleaned(git("was"), store, top, _with_attributes(store, before.tree, old), paths)
        now = _cleaned(git("now"), store, top, _with_attributes(store, after.tree, writes), paths)
        decided = _decide(git("now"), scratch, paths, top, was, now)
        result = git("result")
        result.run(*INFO, given=joined(f"{about}\t{path}" for path, about in top.items()))
        result.run(*INFO, given=joined(decided.lines))
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
    """The user's git with its filters, on an index and in a folder of our own."""
    (scratch / name).mkdir(exist_ok=True)
    places = {
        "GIT_DIR": repository.git_dir,
        "GIT_WORK_TREE": scratch / name,
        "GIT_INDEX_FILE": scratch / f"{name}.index",
    }
    return Git(scratch / name, {key: str(value) for key, value in places.items()} | filters)


def _entries(lines: Iterable[str]) -> dict[str, str]:
    """Mode and id of every file, as `--index-info` takes it."""
    pairs = (line.split("\t", 1) for line in lines)
    return {path: f"{about.split()[0]} {about.split()[2]}" for about, path in pairs}


def _ignored(git: Git, store: Git, tree: str, paths: list[str]) -> set[str]:
    """Which of these paths the rules in a tree ignore, and the user's own rules beside them."""
    rules = [entry for entry in entries_of(store, tree) if entry.path.rpartition("/")[2] == RULES_FILE]
    with Blobs(store) as blobs:
        for entry in rules:
            files.write(git.folder, entry, partial(blobs.copy, entry.blob))
    return ignored_among(git, paths) if paths else set()


def _with_attributes(store: Git, tree: str, entries: Iterable[StoredFile]) -> list[StoredFile]:
    """Those entries, and all files that say how others are converted."""
    chosen = {entry.path: entry for entry in entries}
    for entry in entries_of(store, tree):
        if entry.path.rpartition("/")[2] == ATTRIBUTES:
            chosen[entry.path] = entry
    return [*chosen.values()]


def _cleaned(git: Git, store: Git, top: dict[str, str], entries: list[StoredFile], paths: list[str]) -> dict[str, str]:
    """Mode and id of the changed files as git would add them."""
    git.run(*INFO, given=joined(f"{about}\t{path}" for path, about in top.items()))
    with Blobs(store) as blobs:
        for entry in entries:
            files.write(git.folder, entry, partial(blobs.copy, entry.blob))
    git.run(*TAKE_IN, given=joined(paths))
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
    """The committed file with the changes from old to new; None where a person's edits overlap with them."""
    places = [scratch / name for name in ("there", "old", "new")]
    for place, about in zip(places, (there, old, new), strict=True):
        place.write_bytes(git.run("cat-file", "blob", about.split()[1]))
    try:
        content = git.run("merge-file", "-p", "-q", *map(str, places))
    except GitError:
        return None
    return f"{new.split()[0]} {git.text('hash-object', '-w', '--no-filters', '--stdin', given=content)}"


def _as_the_user(repository: Repository) -> Git:
    """Git that commits in the user's name, where git knows it."""
    return Git(repository.root, {**repository.refs.places, **dict(_names(repository.refs))})


def _names(git: Git) -> Iterator[tuple[str, str]]:
    for key in ("name", "email"):
        try:
            value = git.text("config", f"user.{key}")
        except GitError:
            continue
        for role in ("AUTHOR", "COMMITTER"):
            yield f"GIT_{role}_{key.upper()}", value
