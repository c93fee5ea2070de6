"""The branch that gets a loop's result. A branch with other commits, or one that is checked out, is not changed."""

from itertools import count

from headway.snapshots import Repository, name_again, refs_at

MADE = "on-branch"
"""Below this, refs tell which commits the loop itself has put on a branch."""


def put_on_branch(repository: Repository, prefix: str, wanted: str, commit: str) -> tuple[str, str]:
    """Put a commit on a branch; returns its name, and if that is not the wanted one, why."""
    made, why = set(refs_at(repository, f"{prefix}/{MADE}")), ""
    for number in count(1):
        name = wanted if number == 1 else f"{wanted}-{number}"
        tip, place = _tip(repository, name)
        is_ours = f"{prefix}/{MADE}/{tip}" in made
        if is_ours and _says_the_same(repository, tip, commit):
            break
        if not tip or (is_ours and not place):
            name_again(repository, f"{prefix}/{MADE}/{commit}", commit)  # first, so that a kill leaves no doubt
            repository.refs.run("update-ref", f"refs/heads/{name}", commit, tip or "0" * len(commit))
            break
        why = (
            why or f"{wanted} {f'is checked out in {place}' if is_ours else 'has a commit that this loop did not make'}"
        )
    return name, why


def _tip(repository: Repository, name: str) -> tuple[str, str]:
    """The commit of a branch, and the folder in which it is checked out; each empty where there is none."""
    ref, form = f"refs/heads/{name}", "--format=%(refname) %(objectname) %(worktreepath)"
    for line in repository.refs.text("for-each-ref", form, ref).splitlines():
        found, commit, place = f"{line} ".split(" ", 2)
        if found == ref:
            return commit, place.strip()
    return "", ""


def _says_the_same(repository: Repository, one: str, other: str) -> bool:
    """Do two commits have the same files, parent and message?"""
    return len({repository.refs.text("show", "-s", "--format=%T %P %B", commit) for commit in (one, other)}) == 1
