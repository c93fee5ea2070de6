"""Looks into the files of a snapshot: for words, for a name, for what a file says."""

import os
from collections.abc import Collection, Iterable

from headway.snapshots.git import GitError
from headway.snapshots.names import readable
from headway.snapshots.repository import Repository
from headway.snapshots.snapshot import Snapshot


def words_in(snapshot: Snapshot, words: Collection[str], repository: Repository | None = None) -> set[str]:
    """Those of the words that stand by themselves in at least one text file."""
    wanted = {word for word in words if word and "\n" not in word}
    if not wanted:
        return set()
    store = (repository or Repository.at(snapshot.folder)).store
    options = ("grep", "-h", "-o", "-w", "-I", "-F", "--no-color", "-f", "-", snapshot.tree)
    try:
        printed = store.run(*options, given=os.fsencode("\n".join(sorted(wanted))))
    except GitError as error:
        if error.said:
            raise
        return set()  # nothing was found, which git says with an exit code
    return wanted.intersection(os.fsdecode(printed).splitlines())


def paths_in_tree(repository: Repository, snapshot: Snapshot, paths: Iterable[str]) -> set[str]:
    """Those of the paths that a snapshot has a file at."""
    words = ("--literal-pathspecs", "ls-tree", "-r", "-z", "--name-only", "--full-tree", snapshot.tree, "--", *paths)
    return set(map(readable, repository.store.fields(*words)))


def text_in(repository: Repository, snapshot: Snapshot, path: str) -> str | None:
    """What a file of a snapshot says; None if there is none."""
    try:
        return repository.store.run("cat-file", "blob", f"{snapshot.tree}:{path}").decode("utf-8", "replace")
    except GitError:
        return None
