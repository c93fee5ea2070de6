"""Asks git which files are in the project, and caches the answer."""

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
"""The prefix of the record of an untracked file."""
RULES = "--exclude-standard"
"""Leaves ignored files out of the untracked ones."""
LISTING = ("ls-files", "-z", "-t", "--stage", "--others", "-x", f"{OWN_FOLDER}/")
IGNORED = ("ls-files", "-z", "--others", "--ignored", "--directory", "-x", f"{OWN_FOLDER}/")

NAMED = 100
"""Up to this many folders, git is asked about each by name. For more, it is asked about all folders."""


class Listing:
    """The listing of the project. Git starts to work on it on entering the `with` block.

    In a loop, where the rules stay the same, a cached listing is used while it is still valid.
    """

    def __init__(self, repository: Repository, baseline: Baseline | None) -> None:
        self._repository, self._baseline = repository, baseline
        is_foreign = repository.private and os.path.lexists(repository.root / GIT_FOLDER)  # `git init` was run
        self._cached_listing = None if baseline is None or is_foreign else _cached_listing(repository, baseline.commit)

    def __enter__(self) -> "Listing":
        self._stack, self._running = ExitStack(), None
        if self._cached_listing is None or not self._cached_listing.is_valid():
            git, words = self._repository.listing(""), by_rules(LISTING, "", self._baseline)
            self._running = self._stack.enter_context(Running(git, words))
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def output(self) -> bytes:
        """The output of git, or the cached output."""
        if self._running is None:
            return self._cached_listing.printed if self._cached_listing else b""
        try:
            printed = self._running.output()
        except GitError:
            return list_part(self._repository, "", self._baseline)
        if self._cached_listing is not None:
            self._cached_listing.remember(printed)
        return printed


class CachedListing:
    """The cached listing of a loop's project."""

    def __init__(self, repository: Repository, baseline: Baseline) -> None:
        self.printed = b""
        self._repository, self._baseline = repository, baseline
        places = repository.listing("").places
        index = Path(places.get("GIT_INDEX_FILE") or f"{places['GIT_DIR']}/index")
        known = (os.fsdecode(folder) for folder in baseline.facts.directories)
        self._folders = Folders(repository, (name for name in known if name != TOP), (index, index.with_name("config")))

    def is_valid(self) -> bool:
        """Check that git would list the same files again."""
        return self._folders.are_unchanged()

    def remember(self, printed: bytes) -> None:
        """Cache a new listing, made after the latest call of `is_valid`."""
        self.printed = printed
        self._folders.note(self._ignored_below)

    def _ignored_below(self, folders: list[str]) -> list[str]:
        words = ("--literal-pathspecs", *by_rules(IGNORED, "", self._baseline))
        named = ("--", *folders) if len(folders) <= NAMED else ()
        return list(whole_folders(os.fsdecode(ls_files(self._repository, "", (*words, *named))).split("\0")[:-1]))


@lru_cache(maxsize=2)
def _cached_listing(repository: Repository, baseline: str) -> CachedListing:
    return CachedListing(repository, Baseline(repository, baseline))


def list_part(repository: Repository, folder: str, baseline: Baseline | None = None) -> bytes:
    """The listing of one part."""
    return ls_files(repository, folder, by_rules(LISTING, folder, baseline))


def ls_files(repository: Repository, folder: str, words: tuple[str, ...]) -> bytes:
    """The output of git's listing in a part. If its index is damaged, the listing is made without it."""
    try:
        return repository.listing(folder).run(*words)
    except GitError:
        return repository.listing(folder, index=False).run(*words)


def by_rules(words: tuple[str, ...], folder: str, baseline: Baseline | None) -> tuple[str, ...]:
    """A listing command with the rules of the baseline, or with the current rules if there is no baseline.

    In a repository that is new since the baseline, all files are listed and checked against the rules later.
    """
    if baseline is None:
        return (*words, RULES)
    rules = baseline.rules_file(folder)
    return (*words, f"--exclude-from={rules}") if rules else words


class ListingSummary(NamedTuple):
    """What can be said about a listing without reading all names in it."""

    tracked: bytes
    """A digest of the records of tracked files."""
    untracked: bytes
    """The records of untracked files."""
    may_nest: bool
    """Whether a nested repository may be among them."""


@lru_cache(maxsize=2)
def summary(listing: bytes) -> ListingSummary:
    """Summarise a listing. The result is cached, because in a loop the listing may stay the same for many rounds."""
    end = 0
    while listing.startswith(UNTRACKED.encode(), end):  # git prints the untracked files first
        end = listing.index(b"\0", end) + 1
    may_nest = b"/\0" in listing[:end] or GITLINK_WORD in listing
    return ListingSummary(hashlib.sha256(listing[end:]).digest(), listing[:end], may_nest)


def records(listing: bytes) -> Iterator[tuple[str, str]]:
    """Each listed path and its kind: a file or a nested repository.

    Git prints tracked files with their mode, untracked ones with a question mark. An untracked repository is a folder,
    which git prints with a slash at the end.
    """
    for record in os.fsdecode(listing).split("\0")[:-1]:
        if record.startswith("?"):
            path = record[2:]
            yield (REPOSITORY, path.rstrip("/")) if path.endswith("/") else (FILE, path)
        else:
            about, path = record.split("\t", 1)
            yield (REPOSITORY if GITLINK in about.split() else FILE), path
