"""A tree of one part's files, hashed through an index of our own that remembers what it hashed before.

Work goes on under a name in a scratch folder, and what comes out is put back whole, so two processes never write the
same file, a killed one leaves it as it was, and no lock can stay in the way. Whoever finishes last is remembered.

A note beside it tells which listing it was brought to. Is the listing the same again, then only what git itself finds
changed is looked at, and none of the other names are even read.
"""

import hashlib
import os
import shutil
from collections.abc import Collection
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec

from headway.snapshots.git import GitError, Running, joined, paths_in
from headway.snapshots.parts import Part, present
from headway.snapshots.repository import Repository
from headway.snapshots.scratch import scratch_folder

CHECKSUM = 20
"""Bytes of an index's checksum; of a longer one the end will do."""
LOOK = ("diff-files", "-z", "--name-only", "--no-renames", "--ignore-submodules=dirty")
"""Not what changed in a repository inside: git would look there by that repository's settings, and run its filters."""
WRITE = ("update-index", "-z", "--add", "--remove", "--replace", "--stdin")
"""`--remove`: a file that vanishes while we look is gone, not an error."""


class Note(msgspec.Struct, frozen=True):
    """What a remembered index was brought to."""

    index: bytes
    """The checksum of that index; another one was brought to something else."""
    listing: bytes
    """The digest of the part's listing."""
    absent: bytes
    """Listed files that were not there, and so are not in the index."""


class Index:
    """The index for one part. As soon as it is entered, git looks for changed files in the background.

    The git that will take them in is started too: until it is told of the first it has the index read and waits.
    """

    def __init__(self, repository: Repository, folder: str) -> None:
        self._repository, self._folder = repository, folder
        name = f"index-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}" if folder else "index"
        self._remembered = repository.room / name
        self._remembered_note = repository.room / f"{name}.note"

    def __enter__(self) -> "Index":
        with ExitStack() as stack:
            scratch = stack.enter_context(scratch_folder(self._repository))
            self._place, self._note_place = scratch / "index", scratch / "note"
            self._git = self._repository.hashing(self._folder, self._place)
            with suppress(FileNotFoundError):
                _lend(self._remembered, self._place)
            self._looking = stack.enter_context(Running(self._git, LOOK)) if self._place.exists() else None
            self._writing: Running | None = stack.enter_context(Running(self._git, WRITE))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def tree_of(self, part: Part) -> tuple[str, int]:
        """The id of a tree with exactly the part's files, and how many they are."""
        try:
            return self._hashed(part, paths_in(self._looking.output()) if self._looking else set())
        except GitError:
            # The remembered index may be damaged, or name objects that a `git gc` has dropped since.
            with suppress(GitError):
                self._write((), ())  # one that waits holds a lock
            self._place.unlink(missing_ok=True)
            return self._hashed(part, set())

    def _hashed(self, part: Part, changed: set[str]) -> tuple[str, int]:
        digest = hashlib.sha256(part.listing + (part.baseline.commit.encode() if part.baseline else b"")).digest()
        absent = None if part.also else self._absent_at(digest)
        if absent is None:
            absent, expected = self._bring_to(part, changed)
        else:
            absent, expected = self._update(changed, absent)
        tree, files = self._git.text("write-tree"), _entries(self._place)
        # A file that vanished and came back while we looked is in neither set: then there is nothing to rely on.
        self._remember(None if part.also or files != expected else digest, absent)
        return tree, files

    def _update(self, changed: set[str], absent: set[str]) -> tuple[set[str], int]:
        """The same files are listed as before: look at those that changed, and at those that were not there."""
        fresh = set(present(str(self._git.folder), changed | absent))
        gone = changed - fresh
        expected = _entries(self._place) - len(gone) + len(fresh & absent)
        self._write(gone, fresh)
        return (changed | absent) - fresh, expected

    def _bring_to(self, part: Part, changed: set[str]) -> tuple[set[str], int]:
        """Bring the index to the listed files; those it knows and git finds unchanged are not looked at again."""
        known, listed = set(self._git.fields("ls-files", "-z")), set(part.files)
        unchanged = (known & listed) - changed
        fresh = set(present(str(self._git.folder), listed - unchanged))
        self._write(known - unchanged - fresh, fresh)
        return listed - unchanged - fresh, len(unchanged) + len(fresh)

    def _write(self, gone: Collection[str], fresh: Collection[str]) -> None:
        writing, self._writing = self._writing, None
        if writing:
            writing.output(joined(fresh))
        elif fresh:
            self._git.run(*WRITE, given=joined(fresh))
        if gone:
            self._git.run("update-index", "-z", "--force-remove", "--stdin", given=joined(gone))

    def _absent_at(self, listing: bytes) -> set[str] | None:
        """Which listed files were not there, if this very index was brought to this very listing."""
        note = self._note()
        if note is None or note.listing != listing or note.index != _checksum(self._place):
            return None
        return paths_in(note.absent)

    def _note(self) -> Note | None:
        try:
            return msgspec.msgpack.decode(self._remembered_note.read_bytes(), type=Note)
        except (OSError, msgspec.MsgspecError):
            return None

    def _remember(self, listing: bytes | None, absent: set[str]) -> None:
        note = Note(_checksum(self._place), listing or b"", joined(sorted(absent)))
        if not note.index or note == self._note():
            return  # a part without files has no index; and what has not changed is remembered already
        # Renaming over a file would make the file system write out the new one first, and neither is precious.
        self._remembered.unlink(missing_ok=True)
        self._place.replace(self._remembered)
        self._note_place.write_bytes(msgspec.msgpack.encode(note))
        self._note_place.replace(self._remembered_note)


def tree_of(repository: Repository, part: Part) -> tuple[str, int]:
    """The id of a tree with exactly the part's files, and how many they are."""
    with Index(repository, part.folder) as index:
        return index.tree_of(part)


def _lend(source: Path, target: Path) -> None:
    """Give an index a second name: git never changes one in place, it puts a new one under the name.

    Where a file can have only one name, it is copied with its time, which git needs to tell which entries may have
    changed in the same instant.
    """
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copy2(source, target)


def _entries(index: Path) -> int:
    """How many files an index holds: the number after its signature and version."""
    with suppress(FileNotFoundError), index.open("rb") as file:
        return int.from_bytes(file.read(12)[8:])
    return 0


def _checksum(index: Path) -> bytes:
    """The hash that git puts at the end of an index (we forbid it to leave that out); empty if there is no index."""
    with suppress(OSError), index.open("rb") as file:
        file.seek(-CHECKSUM, os.SEEK_END)
        return file.read()
    return b""
