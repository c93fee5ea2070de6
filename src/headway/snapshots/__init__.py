"""Saves and restores snapshots of a project's files with git, without touching the user's index, HEAD or branches.

`snapshot.py` takes them as git objects below `refs/headway/`; `restoring.py` puts one back, and `comparison.py` lists
what differs. A folder without git gets a git directory of its own. `git.py` alone runs git, without a shell. `loop`
and the commands for stored loops call this; `setup` and `hosts` use its locks and its search for programs.
"""

from headway.snapshots.baseline import Baseline, head_of
from headway.snapshots.committing import Committed, commit_changes
from headway.snapshots.comparison import Changes, FileChange, Status, changes, patch
from headway.snapshots.git import GitError, git_is_installed
from headway.snapshots.mixing import export_mixed
from headway.snapshots.parts import lost_files
from headway.snapshots.refs import claim, is_complete, names_below, refs_at, set_ref, text_at
from headway.snapshots.repository import Repository, is_ignored, may_have_snapshots
from headway.snapshots.restoring import Restored, RestoreError, export, permissions_between, restore, save_before
from headway.snapshots.searching import paths_in_tree, text_in, words_in
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

__all__ = [
    "Baseline", "Changes", "Committed", "FileChange", "GitError", "Repository", "RestoreError", "Restored",
    "Snapshot", "Status", "changes", "claim", "commit_changes", "derive", "export", "export_mixed", "files_between",
    "forget", "git_is_installed", "head_of", "is_complete", "is_ignored", "is_unchanged", "list_snapshots", "load",
    "lost_files", "may_have_snapshots", "names_below", "overlaid", "patch", "paths_in_tree", "permissions_between",
    "refs_at", "restore", "save_before", "set_ref", "take", "text_at", "text_in", "words_in",
]  # fmt: skip
