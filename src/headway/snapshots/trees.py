"""Lists, compares and combines git trees."""

from collections.abc import Collection

import msgspec

from headway.snapshots.git import Git, joined

TREE = "040000"
SYMLINK = "120000"
EXECUTABLE = "100755"
GONE = "000000"


class StoredFile(msgspec.Struct, frozen=True):
    """One stored file."""

    path: str
    mode: str
    blob: str


def entries_of(git: Git, tree: str) -> list[StoredFile]:
    """All files of a tree."""
    found = (line.split("\t", 1) for line in git.fields("ls-tree", "-r", "-z", "--full-tree", tree))
    return [StoredFile(path, *about.split()[::2]) for about, path in found]


def steps_between(git: Git, present: str, wanted: str) -> tuple[list[StoredFile], list[str]]:
    """The files to write and the paths to remove to get from one tree to another."""
    fields = iter(git.fields("diff-tree", "-r", "-z", "--raw", "--no-renames", present, wanted))
    writes, removals = [], []
    for about, path in zip(fields, fields, strict=True):
        _, mode, _, blob, _ = about.split()
        if mode == GONE:
            removals.append(path)
        else:
            writes.append(StoredFile(path, mode, blob))
    return writes, removals


def overlay(git: Git, tree: str, before: str, after: str, only: Collection[str] | None = None) -> str:
    """A tree with the differences between two other trees applied. `git` must have its own index.

    With `only`, just the differences of these paths.
    """
    writes, removals = steps_between(git, before, after)
    if only is not None:
        writes, removals = [one for one in writes if one.path in only], [path for path in removals if path in only]
    none = "0" * len(tree)
    lines = [f"0 {none}\t{path}" for path in removals] + [f"{one.mode} {one.blob}\t{one.path}" for one in writes]
    git.run("read-tree", tree)
    git.run("update-index", "-z", "--replace", "--index-info", stdin=joined(lines))
    return git.text("write-tree")


def graft(git: Git, tree: str | None, path: str, subtree: str) -> str:
    """A tree with another tree inserted at a path."""
    name, _, rest = path.partition("/")
    lines = git.fields("ls-tree", "-z", tree) if tree else []
    about_of = {found: about for about, found in (line.split("\t", 1) for line in lines)}
    if rest:
        inner = about_of.get(name, "").split()
        subtree = graft(git, inner[2] if inner[:1] == [TREE] else None, rest, subtree)
    about_of[name] = f"{TREE} tree {subtree}"
    return git.text("mktree", "-z", stdin=joined(f"{about}\t{found}" for found, about in about_of.items()))
