"""Puts a loop's result on a branch. A branch with other commits, or one that is checked out, is not changed."""

from contextlib import suppress
from itertools import count

import msgspec

from headway.loop.round_snapshots import RoundSnapshots, SnapshotsLostError
from headway.snapshots import (
    Baseline,
    Committed,
    GitError,
    Repository,
    Snapshot,
    commit_changes,
    head_of,
    overlaid,
    refs_at,
    set_ref,
)

MADE = "on-branch"
"""The namespace of refs that record which commits the loop itself put on a branch."""


def commit_to_branch(snapshots: RoundSnapshots, wanted: str, number: int) -> tuple[str, Committed] | None:
    """Put the rounds' changes on a branch, as one commit on top of what was checked out at the beginning.

    Returns the name of the branch, with the reason if it is not the wanted one.
    """
    repository, before, after = snapshots.repository, snapshots.files_of(0), snapshots.files_of(number)
    if repository is None or before is None or after is None:
        return None
    head = Baseline(repository, after.baseline).facts.head if after.baseline else ""
    parent, title = head or head_of(repository), f"headway loop {snapshots.loop_id}"
    before = _without_files_of_rounds(repository, snapshots, before)
    done = commit_changes(repository, before, after, parent, f"Round {number} of {title}")
    name, why = _put_on_branch(repository, snapshots.prefix, wanted, done.commit)
    return f"{name}, because {why}" if why else name, done


def _without_files_of_rounds(repository: Repository, snapshots: RoundSnapshots, before: Snapshot) -> Snapshot:
    """The baseline with the user's edits, except for files that the user copied from a round.

    Only rounds before the first edit can show that, because later rounds contain the edits.
    """
    if not snapshots.edits:
        return before
    first = snapshots.saved_round(0)
    edited, copied = snapshots.differing(first, before), set[str]()
    for number in range(1, snapshots.edits[0].number + 1):
        with suppress(SnapshotsLostError):  # nothing can have been copied from a lost round
            copied |= edited - snapshots.differing(snapshots.saved_round(number), before)
    return msgspec.structs.replace(before, tree=overlaid(repository, before.tree, before.tree, first.tree, copied))


def _put_on_branch(repository: Repository, prefix: str, wanted: str, commit: str) -> tuple[str, str]:
    """Put a commit on a branch; returns the branch's name and, if it is not the wanted one, why."""
    made, why = set(refs_at(repository, f"{prefix}/{MADE}")), ""
    for number in count(1):
        name = wanted if number == 1 else f"{wanted}-{number}"
        tip, place = _tip(repository, name)
        is_ours = f"{prefix}/{MADE}/{tip}" in made
        if is_ours and _says_the_same(repository, tip, commit):
            break
        if not tip or (is_ours and not place):
            set_ref(repository, f"{prefix}/{MADE}/{commit}", commit)  # first: we may be killed
            repository.refs.run("update-ref", f"refs/heads/{name}", commit, tip or "0" * len(commit))
            break
        why = (
            why or f"{wanted} {f'is checked out in {place}' if is_ours else 'has a commit that this loop did not make'}"
        )
    return name, why


def _tip(repository: Repository, name: str) -> tuple[str, str]:
    """The commit of a branch, and the folder in which it is checked out; each empty if there is none."""
    ref, form = f"refs/heads/{name}", "--format=%(refname) %(objectname) %(worktreepath)"
    for line in repository.refs.text("for-each-ref", form, ref).splitlines():
        found, commit, place = f"{line} ".split(" ", 2)
        if found == ref:
            return commit, place.strip()
    return "", ""


def _says_the_same(repository: Repository, one: str, other: str) -> bool:
    """Check that two commits have the same files, parent and message."""
    return len({repository.refs.text("show", "-s", "--format=%T %P %B", commit) for commit in (one, other)}) == 1


def branch_exists(repository: Repository, name: str) -> bool:
    """Check whether a branch exists."""
    return bool(repository.refs.text("for-each-ref", "--format=%(objectname)", f"refs/heads/{name}"))


def is_branch_name(repository: Repository, name: str) -> bool:
    """Check whether git accepts a branch name."""
    try:
        return repository.refs.text("check-ref-format", "--branch", name) == name  # `@{-1}` is another branch
    except GitError:
        return False
