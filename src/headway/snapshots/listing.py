"""Asks git which files are in the project, and remembers the answer for as long as it holds."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from headway.snapshots.baseline import TOP, Baseline, whole_folders
from headway.snapshots.folders import GIT_FOLDER, Folders
from headway.snapshots.git import GitError, Running
from headway.snapshots.names import OWN_FOLDER
from headway.snapshots.repository import Repository

GITLINK = "160000"
GITLINK_WORD = f" {GITLINK} ".encode()
FILE, REPOSITORY = "file", "repository"
UNTRACKED = "? "
"""How the record of an untracked file begins."""
RULES = "--exclude-standard"
"""What the user ignores is left out of the untracked files."""
LISTING = ("ls-files", "-z", "-t", "--stage", "--others", "-x", f"{OWN_FOLDER}/")
IGNORED = ("ls-files", "-z", "--others", "--ignored", "--directory", "-x", f"{OWN_FOLDER}/")

NAMED = 100
"""Folders that git is asked about by their names. About more of them it is asked without names."""


class Listing:
    """The listing of the project itself. Git is at work on it from the beginning of the `with` block on.

    In a loop, where the rules stay the same, git is not asked if the answer that it gave before still holds.
    """

    def __init__(self, repository: Repository, baseline: Baseline | None) -> None:
        self._repository, self._baseline = repository, baseline
        is_foreign = repository.private and os.path.lexists(repository.root / GIT_FOLDER)  # `git init` was run
        self._answer = None if baseline is None or is_foreign else _answer(repository, baseline.commit)

    def __enter__(self) -> "Listing":
        self._stack, self._running = ExitStack(), None
        if self._answer is None or not self._answer.holds():
            git, words = self._repository.listing(""), by_rules(LISTING, "", self._baseline)
            self._running = self._stack.enter_context(Running(git, words))
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def output(self) -> bytes:
        """What git prints, or printed before."""
        if self._running is None:
            return self._answer.printed if self._answer else b""
        try:
            printed = self._running.output()
        except GitError:
            return listed(self._repository, "", self._baseline)
        if self._answer is not None:
            self._answer.remember(printed)
        return printed


class Answer:
    """What git listed last in the project of a loop."""

    def __init__(self, repository: Repository, baseline: Baseline) -> None:
        self.printed = b""
        self._repository, self._baseline = repository, baseline
        places = repository.listing("").places
        index = Path(places.get("GIT_INDEX_FILE") or f"{places['GIT_DIR']}/index")
        known = (os.fsdecode(folder) for folder in baseline.facts.directories)
        self._folders = Folders(repository, (name for name in known if name != TOP), (index, index.with_name("config")))

    def holds(self) -> bool:
        """Would git list the same again?"""
        return self._folders.are_unchanged()

    def remember(self, printed: bytes) -> None:
        """Git has been asked since `holds` was."""
        self.printed = printed
        self._folders.note(self._ignored_below)

    def _ignored_below(self, folders: list[str]) -> list[str]:
        words = ("--literal-pathspecs", *by_rules(IGNORED, "", self._baseline))
        named = ("--", *folders) if len(folders) <= NAMED else ()
        return list(whole_folders(os.fsdecode(asked(self._repository, "", (*words, *named))).split("\0")[:-1]))


@lru_cache(maxsize=2)
def _answer(repository: Repository, baseline: str) -> Answer:
    return Answer(repository, Baseline(repository, baseline))


def listed(repository: Repository, folder: str, baseline: Baseline | None = None) -> bytes:
    """The listing of one part."""
    return asked(repository, folder, by_rules(LISTING, folder, baseline))


def asked(repository: Repository, folder: str, words: tuple[str, ...]) -> bytes:
    """What git lists in a part. Where its index is damaged, it is asked to do without."""
    try:
        return repository.listing(folder).run(*words)
    except GitError:
        return repository.listing(folder, index=False).run(*words)


def by_rules(words: tuple[str, ...], folder: str, baseline: Baseline | None) -> tuple[str, ...]:
    """A command for git that lists files: by the baseline's rules, by the present ones where there is no baseline.

    In a repository that was not there at the baseline all files are listed, and asked about later.
    """
    if baseline is None:
        return (*words, RULES)
    rules = baseline.rules_file(folder)
    return (*words, f"--exclude-from={rules}") if rules else words


class Glance(NamedTuple):
    """What is known about a listing without reading all its names."""

    tracked: bytes
    """A digest of what is listed of tracked files."""
    untracked: bytes
    """The records of untracked files."""
    may_nest: bool
    """Could a repository be among them?"""


@lru_cache(maxsize=2)
def glance(listing: bytes) -> Glance:
    """The same for the same listing, which in a loop may be there for many rounds."""
    end = 0
    while listing.startswith(UNTRACKED.encode(), end):  # git prints the untracked files first
        end = listing.index(b"\0", end) + 1
    may_nest = b"/\0" in listing[:end] or GITLINK_WORD in listing
    return Glance(hashlib.sha256(listing[end:]).digest(), listing[:end], may_nest)


def records(listing: bytes) -> Iterator[tuple[str, str]]:
    """Each listed path and what is there: tracked ones come with their mode, the others with a question mark.

    A folder among the others is a repository that git does not look into; git ends its name with a slash.
    """
    for record in os.fsdecode(listing).split("\0")[:-1]:
        if record.startswith("?"):
            path = record[2:]
            yield (REPOSITORY, path.rstrip("/")) if path.endswith("/") else (FILE, path)
        else:
            about, path = record.split("\t", 1)
            yield (REPOSITORY if GITLINK in about.split() else FILE), path
