"""Writes the files of one snapshot to a folder, with some files from an older snapshot."""

from collections.abc import Collection
from functools import partial
from pathlib import Path

from headway.snapshots import files
from headway.snapshots.git import Blobs
from headway.snapshots.names import readable
from headway.snapshots.repository import Repository
from headway.snapshots.restoring import permissions_in
from headway.snapshots.snapshot import Snapshot
from headway.snapshots.trees import entries_of


def export_mixed(snapshot: Snapshot, older: Snapshot, paths: Collection[str], folder: Path) -> None:
    """Write a snapshot to a new folder. Files named in `paths` come from the older snapshot, if it has them."""
    repository = Repository.at(snapshot.folder)
    store, allowed = repository.store, permissions_in(repository, snapshot)
    entries = [entry for entry in entries_of(store, snapshot.tree) if readable(entry.path) not in paths]
    entries += [entry for entry in entries_of(store, older.tree) if readable(entry.path) in paths]
    folder.mkdir(parents=True)
    with Blobs(store) as blobs:
        for entry in entries:
            files.write(folder, entry, partial(blobs.copy, entry.blob), allowed.of_entry(entry.path, entry.mode))
