"""Snapshots of a project's files, kept and restored with git and without touching what the user has there."""

from headway.snapshots.comparison import Changes, FileChange, Status, changes, patch
from headway.snapshots.git import GitError, git_is_here
from headway.snapshots.mixing import export_mixed
from headway.snapshots.repository import Repository
from headway.snapshots.restoring import Restored, RestoreError, export, restore
from headway.snapshots.snapshot import Snapshot, forget, list_snapshots, load, take
from headway.snapshots.words import words_in

__all__ = [
    "Changes",
    "FileChange",
    "GitError",
    "Repository",
    "RestoreError",
    "Restored",
    "Snapshot",
    "Status",
    "changes",
    "export",
    "export_mixed",
    "forget",
    "git_is_here",
    "list_snapshots",
    "load",
    "patch",
    "restore",
    "take",
    "words_in",
]
