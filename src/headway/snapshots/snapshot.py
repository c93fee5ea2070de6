"""Takes snapshots: the project's files at one moment, stored as git objects under `refs/headway/`.

Taking a snapshot never touches the user's index, HEAD, branches, stash, reflogs, hooks or settings. Files are listed
with read-only commands and hashed through our own index. One tree holds the files of the project and of every nested
repository. One ref makes the snapshot complete or absent, never partial.

Not saved: ignored files, empty folders, `.git` folders of nested repositories (their files are saved), owners and
times. The first snapshot of a loop records the user's ignore rules, unusual permissions and folders, and later
snapshots use that record (see `baseline.py`).

Files are saved as they are on disk, so an LFS file is saved with its real content.
"""

import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec

from headway.snapshots.baseline import Baseline, remember
from headway.snapshots.git import GitError, Running, joined
from headway.snapshots.index import Index, tree_of
from headway.snapshots.listing import Listing
from headway.snapshots.names import readable, ref_of, refs_below
from headway.snapshots.parts import Part, below, parts_of
from headway.snapshots.permissions import as_path, as_text, differing
from headway.snapshots.refs import NAME, free_ref, put_in_place, refs_at
from headway.snapshots.repository import Repository
from headway.snapshots.scratch import scratch_folder
from headway.snapshots.trees import graft, overlay, steps_between

FORMAT = "%(refname)%00%(objectname)%00%(tree)%00%(contents)%00"


class Snapshot(msgspec.Struct, frozen=True):
    """The files of a project at one moment."""

    folder: str
    ref: str
    commit: str
    tree: str
    parts: dict[str, str] = {}
    """Nested repositories: relative folder → commit with the files of this part only."""
    files: int = 0
    message: str = ""
    baseline: str = ""
    """The commit with the record of the baseline; empty outside of a loop."""
    modes: dict[str, int] = {}
    """Permissions that differ from those at the baseline, or from the usual ones (see `permissions.py`)."""


class Manifest(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last line of a snapshot's commit message, from which it is loaded again."""

    files: int
    parts: dict[str, str] = {}
    baseline: str = ""
    modes: dict[str, int] = {}
    """Keys are paths in the form of `permissions.as_text`."""


class Files(msgspec.Struct, frozen=True):
    """The project's files as one tree."""

    tree: str
    count: int
    parts: list[Part]
    subtrees: dict[str, str]
    """The trees of nested repositories, by their folders."""
    modes: dict[str, int]
    """Unusual permissions."""


def take(
    folder: str | Path | Repository,
    ref_name: str,
    message: str,
    also: Iterable[str] = (),
    *,
    like: Snapshot | None = None,
    first: bool = False,
    replace: bool = True,
) -> Snapshot:
    """Save the project's files under a ref below `refs/headway/`.

    Files named in `also` are saved if they exist, even if a rule ignores them. The `first` snapshot of a loop records
    the user's ignore rules; a snapshot `like` it uses them. With `replace`, an existing snapshot is replaced. Without
    it, a ref that holds other files stays, and a number is added to the new name.
    """
    ref = ref_of(ref_name)
    repository = folder if isinstance(folder, Repository) else Repository.at(folder)
    baseline = like.baseline if like else ""
    theirs = Baseline(repository, baseline) if baseline else None
    found = _files(repository, also, theirs)
    modes = differing(str(repository.root), found.modes, theirs)
    if first:
        files = {part.folder: part.files for part in found.parts}
        baseline, modes = remember(repository, found.tree, files, modes), {}
    commits = {
        readable(folder): _commit(repository, subtree, f"{message}\n\npart {readable(folder)}")
        for folder, subtree in found.subtrees.items()
    }
    manifest = Manifest(found.count, commits, baseline, {as_text(path): mode for path, mode in modes.items()})
    try:
        return _save(repository, ref, message, found.tree, manifest, replace=replace)
    except GitError:
        if replace or ref not in refs_at(repository, ref):
            raise
    there = next((one for one in list_snapshots(repository, ref) if one.ref == ref), None)
    if there and there.tree == found.tree and (there.baseline if first else there.modes == modes):
        return there
    return _save(repository, free_ref(repository, ref), message, found.tree, manifest, replace=False)


def derive(
    repository: Repository, ref_name: str, message: str, source: Snapshot, tree: str, modes: dict[str, int]
) -> Snapshot:  # fmt: skip
    """Save a tree made from others as a snapshot of the same loop. An existing snapshot is replaced."""
    files = len(repository.store.fields("ls-tree", "-r", "-z", "--name-only", "--full-tree", tree))
    manifest = Manifest(files, source.parts, source.baseline, {as_text(path): mode for path, mode in modes.items()})
    return _save(repository, ref_of(ref_name), message, tree, manifest, replace=True)


def is_unchanged(repository: Repository, since: Snapshot) -> bool:
    """Check whether the project's files equal a snapshot, permissions aside. Nothing is saved."""
    theirs = Baseline(repository, since.baseline) if since.baseline else None
    return _files(repository, (), theirs, expected=since.tree).tree == since.tree


def _files(
    repository: Repository, also: Iterable[str], baseline: Baseline | None, *, expected: str = ""
) -> Files:  # fmt: skip
    """The tree of the project's files. If it equals the `expected` tree, nothing is written."""
    with Listing(repository, baseline) as listing, Index(repository, "", expected) as index:  # in parallel
        parts = parts_of(repository, listing.output(), also, baseline)
        whole = index.tree_of(parts[0])
    tree, count, modes = whole.tree, whole.files, dict(whole.modes)
    subtrees: dict[str, str] = {}
    for part in parts[1:]:
        inner = tree_of(repository, part)
        if inner.files:  # a submodule that is not checked out has none
            tree, count = graft(repository.store, tree, part.folder, inner.tree), count + inner.files
            modes |= {below(part.folder, path): mode for path, mode in inner.modes.items()}
            subtrees[part.folder] = inner.tree
    return Files(tree, count, parts, subtrees, modes)


def _save(
    repository: Repository, ref: str, message: str, tree: str, about: Manifest, *, replace: bool
) -> Snapshot:  # fmt: skip
    parents = [*([about.baseline] if about.baseline else []), *about.parts.values()]
    with Running(repository.refs, NAME) as naming:  # starts now, so that it is ready when the commit is
        commit = _commit(repository, tree, _with_manifest(message, about), parents)
        put_in_place(repository, naming, ref, commit, replace=replace)
    return _snapshot(repository, ref, commit, tree, message, about)


def _snapshot(repository: Repository, ref: str, commit: str, tree: str, message: str, about: Manifest) -> Snapshot:
    modes = {as_path(text): mode for text, mode in about.modes.items()}
    return Snapshot(
        str(repository.root), ref, commit, tree, about.parts, about.files, message, about.baseline, modes
    )  # fmt: skip


def overlaid(repository: Repository, tree: str, before: str, after: str, only: Collection[str] | None = None) -> str:
    """A tree with the differences between two other trees applied; with `only`, just those of these paths."""
    with scratch_folder(repository) as scratch:
        return overlay(repository.hashing("", scratch / "index"), tree, before, after, only)


def files_between(repository: Repository, one: Snapshot, other: Snapshot) -> set[str]:
    """The paths that differ between two snapshots, permissions aside."""
    writes, removals = steps_between(repository.store, one.tree, other.tree)
    return {*(entry.path for entry in writes), *removals}


def load(folder: str | Path | Repository, ref: str) -> Snapshot:
    """The snapshot under a ref; raises KeyError if there is none."""
    name = ref_of(ref)
    repository = folder if isinstance(folder, Repository) else Repository.at(folder)
    for snapshot in list_snapshots(repository, name):
        if snapshot.ref == name:
            return snapshot
    raise KeyError(f"there is no snapshot {name} for {repository.root}")


def list_snapshots(folder: str | Path | Repository, prefix: str = "") -> list[Snapshot]:
    """All snapshots at or below a prefix, sorted by name with numbers in numeric order."""
    place = refs_below(prefix)
    repository = folder if isinstance(folder, Repository) else Repository.at(folder)
    fields = repository.refs.fields("for-each-ref", "--sort=version:refname", f"--format={FORMAT}", place)
    each = (_decode(repository, *record) for record in zip(*[iter(fields)] * 4, strict=True))
    return [snapshot for snapshot in each if snapshot is not None]


def forget(folder: str | Path | Repository, prefix: str = "") -> int:
    """Delete our refs at or below a prefix; returns how many. Git deletes the files at its next clean-up."""
    repository = folder if isinstance(folder, Repository) else Repository.at(folder)
    refs = refs_at(repository, prefix)
    orders = joined(word for ref in refs for word in (f"delete {ref}", ""))
    repository.refs.run(*NAME, stdin=orders)
    _forget_copies(repository)
    return len(refs)


def _forget_copies(repository: Repository) -> None:
    """Remove copies of rules that no snapshot uses. They are created again on demand."""
    copies = repository.room / "rules"
    if copies.is_dir():
        used = {snapshot.baseline for snapshot in list_snapshots(repository)}
        for copy in copies.iterdir():
            if copy.name not in used:
                shutil.rmtree(copy, ignore_errors=True)


def _commit(repository: Repository, tree: str, message: str, parents: Iterable[str] = ()) -> str:
    """Commit a tree. The commits of parts are parents of the whole, so that git does not delete them."""
    options = [word for parent in dict.fromkeys(parents) for word in ("-p", parent)]
    text = message.replace("\0", "").encode("utf-8", "backslashreplace")
    return repository.store.text("commit-tree", tree, *options, "-F", "-", stdin=text)


def _with_manifest(message: str, manifest: Manifest) -> str:
    return f"{message}\n\n{msgspec.json.encode(manifest).decode()}\n"


def _decode(repository: Repository, ref: str, commit: str, tree: str, text: str) -> Snapshot | None:
    """Decode a snapshot; None for a ref that is not a snapshot."""
    message, _, last = text.rstrip("\n").rpartition("\n")
    try:
        manifest = msgspec.json.decode(last, type=Manifest)
    except msgspec.MsgspecError:
        return None
    return _snapshot(repository, ref.lstrip("\n"), commit, tree, message.removesuffix("\n"), manifest)
