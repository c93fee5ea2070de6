"""Reads and writes our refs below `refs/headway/`. All worktrees of a repository share them."""

from headway.snapshots.git import GitError, Running, joined
from headway.snapshots.locks import exclusive_lock
from headway.snapshots.names import ref_of, refs_below
from headway.snapshots.repository import Repository

NAME = ("update-ref", "-z", "--stdin")


def refs_at(repository: Repository, prefix: str) -> list[str]:
    """All our refs at or below a prefix."""
    return repository.refs.text("for-each-ref", "--format=%(refname)", refs_below(prefix)).split()


def names_below(repository: Repository, prefix: str) -> list[str]:
    """The names directly below a prefix, without duplicates."""
    beginning = f"{refs_below(prefix)}/"
    return [*dict.fromkeys(ref.removeprefix(beginning).partition("/")[0] for ref in refs_at(repository, prefix))]


def free_ref(repository: Repository, wanted: str) -> str:
    """The wanted ref, or the first of name-2, name-3, … that is not taken."""
    taken = set(refs_at(repository, wanted.rpartition("/")[0]))
    number = 1
    while (name := wanted if number == 1 else f"{wanted}-{number}") in taken:
        number += 1
    return name


def claim(repository: Repository, ref_name: str, text: str) -> bool:
    """Store a short text under a new ref; returns False if the ref exists."""
    blob = repository.store.text("hash-object", "-w", "--stdin", stdin=text.encode("utf-8", "backslashreplace"))
    ref = ref_of(ref_name)
    try:
        with Running(repository.refs, NAME) as naming:
            put_in_place(repository, naming, ref, blob, replace=False)
    except GitError:
        if ref not in refs_at(repository, ref):
            raise
        return False
    return True


def text_at(repository: Repository, ref_name: str) -> str:
    """The text stored under a ref by `claim`; raises KeyError if there is none."""
    ref = ref_of(ref_name)
    if ref not in refs_at(repository, ref):
        raise KeyError(f"there is no {ref} for {repository.root}")
    return repository.refs.run("cat-file", "blob", ref).decode("utf-8", "replace")


def is_complete(repository: Repository, commit: str) -> bool:
    """Check that git still has a snapshot's commit and all its files."""
    try:
        repository.refs.run("rev-list", "--objects", "--no-walk", "--quiet", commit, "--")
    except GitError:
        return False
    return True


def set_ref(repository: Repository, ref: str, commit: str) -> None:
    """Point a ref at a commit."""
    with Running(repository.refs, NAME) as naming:
        put_in_place(repository, naming, ref, commit, replace=True)


def put_in_place(repository: Repository, naming: Running, ref: str, commit: str, *, replace: bool) -> None:
    """Create or move a ref. From this moment on the snapshot exists.

    A git process killed at this point leaves a lock file, and the next one waits a second for it. If it is still there
    and no other Headway process is working, the lock is stale.
    """
    with exclusive_lock(repository.room):
        order = joined([f"update {ref}", commit, ""] if replace else [f"create {ref}", commit])
        try:
            naming.output(order)
        except GitError as error:
            lock = repository.root / repository.refs.text("rev-parse", "--git-path", f"{ref}.lock")
            if f"{ref}.lock" not in error.message or not lock.is_file():
                raise
            lock.unlink()
            repository.refs.run(*NAME, stdin=order)
