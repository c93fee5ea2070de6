"""Looks for words in the files of a snapshot."""

import os
from collections.abc import Collection

from headway.snapshots.git import GitError
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
