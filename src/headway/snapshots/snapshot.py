"""A snapshot: the project's files at one moment, kept as git objects under `refs/headway/`.

Taking one never touches the user's index, HEAD, branches, stash, reflogs, hooks or settings: files are listed with
read-only commands and hashed through an index of our own. One tree holds the files of the project and of every
repository nested in it; one ref makes it whole or not at all.

Not kept: ignored files, empty folders, `.git` folders of nested repositories (their files are), owners and times. The
first snapshot of a loop writes down what its user's rules ignore, which permissions are unusual and which folders there
are; those that follow go by that (see `baseline.py`).
Files are kept as they lie on the disk, so an LFS file is kept with its real content.
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
    """The project's root: where it was taken, or loaded from."""
    ref: str
    commit: str
    tree: str
    parts: dict[str, str] = {}
    """Nested repositories: relative folder → the commit that holds this part's files alone."""
    files: int = 0
    message: str = ""
    baseline: str = ""
    """The commit that says what was the user's when the loop began; empty outside of a loop."""
    modes: dict[str, int] = {}
    """Permissions that differ from those at the baseline, or from the usual ones (see `permissions.py`)."""


class Manifest(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a snapshot's commit message ends with, so that it can be loaded again."""

    files: int
    parts: dict[str, str] = {}
    baseline: str = ""
    modes: dict[str, int] = {}
    """By paths as `permissions.as_text` writes them."""


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
    """Keep the project's files under a ref below `refs/headway/`; a snapshot already there is replaced.

    Files named in `also` are kept wherever they exist, even if a rule ignores them. The `first` snapshot of a loop
    remembers what the user's rules ignore, and one `like` it goes by that. Without `replace`, a ref that holds other
    files keeps them, and the name gets a number.
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
        return _kept(repository, ref, message, found.tree, manifest, replace=replace)
    except GitError:
        if replace or ref not in refs_at(repository, ref):
            raise
    there = next((one for one in list_snapshots(repository, ref) if one.ref == ref), None)
    if there and there.tree == found.tree and (there.baseline if first else there.modes == modes):
        return there
    return _kept(repository, free_ref(repository, ref), message, found.tree, manifest, replace=False)


def derive(
    repository: Repository, ref_name: str, message: str, source: Snapshot, tree: str, modes: dict[str, int]
) -> Snapshot:  # fmt: skip
    """Keep a tree that was made of others as a snapshot of the same loop; one already there is replaced."""
    files = len(repository.store.fields("ls-tree", "-r", "-z", "--name-only", "--full-tree", tree))
    manifest = Manifest(files, source.parts, source.baseline, {as_text(path): mode for path, mode in modes.items()})
    return _kept(repository, ref_of(ref_name), message, tree, manifest, replace=True)


def is_unchanged(repository: Repository, since: Snapshot) -> bool:
    """Are the project's files still those of a snapshot? Permissions aside. Nothing is kept."""
    theirs = Baseline(repository, since.baseline) if since.baseline else None
    return _files(repository, (), theirs, expected=since.tree).tree == since.tree


def _files(
    repository: Repository, also: Iterable[str], baseline: Baseline | None, *, expected: str = ""
) -> Files:  # fmt: skip
    """The project's files. Where they are expected to be those of a tree, nothing is written if they are."""
    with Listing(repository, baseline) as listing, Index(repository, "", expected) as index:  # both at the same time
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


def _kept(
    repository: Repository, ref: str, message: str, tree: str, about: Manifest, *, replace: bool
) -> Snapshot:  # fmt: skip
    parents = [*([about.baseline] if about.baseline else []), *about.parts.values()]
    with Running(repository.refs, NAME) as naming:  # it is ready by the time the commit is
        commit = _commit(repository, tree, _with_manifest(message, about), parents)
        put_in_place(repository, naming, ref, commit, replace=replace)
    return _snapshot(repository, ref, commit, tree, message, about)


def _snapshot(repository: Repository, ref: str, commit: str, tree: str, message: str, about: Manifest) -> Snapshot:
    modes = {as_path(text): mode for text, mode in about.modes.items()}
    return Snapshot(
        str(repository.root), ref, commit, tree, about.parts, about.files, message, about.baseline, modes
    )  # fmt: skip


def overlaid(repository: Repository, tree: str, before: str, after: str, only: Collection[str] | None = None) -> str:
    """A tree with everything that differs between two others as the second has it; with `only`, of these paths."""
    with scratch_folder(repository) as scratch:
        return overlay(repository.hashing("", scratch / "index"), tree, before, after, only)


def files_between(repository: Repository, one: Snapshot, other: Snapshot) -> set[str]:
    """The names of the files that two snapshots do not have alike; permissions aside."""
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
    """All snapshots at or below a prefix, in the order of their names, numbers counted as numbers."""
    place = refs_below(prefix)
    repository = folder if isinstance(folder, Repository) else Repository.at(folder)
    fields = repository.refs.fields("for-each-ref", "--sort=version:refname", f"--format={FORMAT}", place)
    each = (_loaded(repository, *record) for record in zip(*[iter(fields)] * 4, strict=True))
    return [snapshot for snapshot in each if snapshot is not None]


def forget(folder: str | Path | Repository, prefix: str = "") -> int:
    """Delete the refs at or below a prefix, ours only; returns how many. Git drops the files when it next cleans up."""
    repository = folder if isinstance(folder, Repository) else Repository.at(folder)
    refs = refs_at(repository, prefix)
    orders = joined(word for ref in refs for word in (f"delete {ref}", ""))
    repository.refs.run(*NAME, given=orders)
    _forget_copies(repository)
    return len(refs)


def _forget_copies(repository: Repository) -> None:
    """Remove the copies of rules that no snapshot goes by any more; they are made again where one does."""
    copies = repository.room / "rules"
    if copies.is_dir():
        used = {snapshot.baseline for snapshot in list_snapshots(repository)}
        for copy in copies.iterdir():
            if copy.name not in used:
                shutil.rmtree(copy, ignore_errors=True)


def _commit(repository: Repository, tree: str, message: str, parents: Iterable[str] = ()) -> str:
    """A commit of a tree. Parts are parents of the whole, which keeps them from being cleaned away."""
    options = [word for parent in dict.fromkeys(parents) for word in ("-p", parent)]
    text = message.replace("\0", "").encode("utf-8", "backslashreplace")
    return repository.store.text("commit-tree", tree, *options, "-F", "-", given=text)


def _with_manifest(message: str, manifest: Manifest) -> str:
    return f"{message}\n\n{msgspec.json.encode(manifest).decode()}\n"


def _loaded(repository: Repository, ref: str, commit: str, tree: str, text: str) -> Snapshot | None:
    """A snapshot read back, or None for a ref that is not a snapshot."""
    message, _, last = text.rstrip("\n").rpartition("\n")
    try:
        manifest = msgspec.json.decode(last, type=Manifest)
    except msgspec.MsgspecError:
        return None
    return _snapshot(repository, ref.lstrip("\n"), commit, tree, message.removesuffix("\n"), manifest)
