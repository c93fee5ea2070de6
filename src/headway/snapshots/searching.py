"""Searches the files of a snapshot for words and paths, and reads single files."""

import os
from collections.abc import Collection, Iterable

from headway.snapshots.git import GitError
from headway.snapshots.names import readable
from headway.snapshots.repository import Repository
from headway.snapshots.snapshot import Snapshot


def words_in(snapshot: Snapshot, words: Collection[str], repository: Repository | None = None) -> set[str]:
    """The given words that occur as whole words in at least one text file."""
    wanted = {word for word in words if word and "\n" not in word}
    if not wanted:
        return set()
    store = (repository or Repository.at(snapshot.folder)).store
    options = ("grep", "-h", "-o", "-w", "-I", "-F", "--no-color", "-f", "-", snapshot.tree)
    try:
        printed = store.run(*options, stdin=os.fsencode("\n".join(sorted(wanted))))
    except GitError as error:
        if error.message:
            raise
        return set()  # git exits with an error if nothing was found
    return wanted.intersection(os.fsdecode(printed).splitlines())


def paths_in_tree(repository: Repository, snapshot: Snapshot, paths: Iterable[str]) -> set[str]:
    """The given paths at which a snapshot has a file."""
    words = ("--literal-pathspecs", "ls-tree", "-r", "-z", "--name-only", "--full-tree", snapshot.tree, "--", *paths)
    return set(map(readable, repository.store.fields(*words)))


def text_in(repository: Repository, snapshot: Snapshot, path: str) -> str | None:
    """The text of a file in a snapshot; None if there is no such file."""
    try:
        return repository.store.run("cat-file", "blob", f"{snapshot.tree}:{path}").decode("utf-8", "replace")
    except GitError:
        return None
