"""Computes what a round changed in the project's files."""

from headway.core.iteration import FileChanges
from headway.snapshots import Repository, Snapshot, changes


def changed_between(
    before: Snapshot | None, after: Snapshot | None, repository: Repository | None = None
) -> FileChanges | None:
    """Changed lines and contents between two snapshots; None if a snapshot is missing, as without git."""
    if before is None or after is None:
        return None
    found = changes(before, after, repository)
    contents = {file.path: file.content for file in found.files}
    contents |= {file.old_path: "" for file in found.files if file.old_path is not None}
    return FileChanges(lines=found.lines, files=contents)
