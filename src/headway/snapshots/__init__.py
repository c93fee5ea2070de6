"""Snapshots of a project's files, kept and restored with git and without touching what the user has there."""

from headway.snapshots.baseline import Baseline, head_of
from headway.snapshots.committing import Committed, commit_changes
from headway.snapshots.comparison import Changes, FileChange, Status, changes, patch
from headway.snapshots.git import GitError, git_is_here
from headway.snapshots.mixing import export_mixed
from headway.snapshots.parts import lost_files
from headway.snapshots.refs import claim, is_whole, name_again, names_below, refs_at, text_at
from headway.snapshots.repository import Repository, is_ignored
from headway.snapshots.restoring import Restored, RestoreError, export, keep_before, permissions_between, restore
from headway.snapshots.snapshot import (
    Snapshot,
    derive,
    files_between,
    forget,
    is_unchanged,
    list_snapshots,
    load,
    overlaid,
    take,
)
from headway.snapshots.words import paths_in_tree, text_in, words_in

__all__ = [
    "Baseline",
    "Changes",
    "Committed",
    "FileChange",
    "GitError",
    "Repository",
    "RestoreError",
    "Restored",
    "Snapshot",
    "Status",
    "changes",
    "claim",
    "commit_changes",
    "derive",
    "export",
    "export_mixed",
    "files_between",
    "forget",
    "git_is_here",
    "head_of",
    "is_ignored",
    "is_unchanged",
    "is_whole",
    "keep_before",
    "list_snapshots",
    "load",
    "lost_files",
    "name_again",
    "names_below",
    "overlaid",
    "patch",
    "paths_in_tree",
    "permissions_between",
    "refs_at",
    "restore",
    "take",
    "text_at",
    "text_in",
    "words_in",
]
