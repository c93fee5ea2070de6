"""A tree of one part's files, hashed through an index of our own that remembers what it hashed before.

Work goes on under a name in a scratch folder, and what comes out is put back whole, so two processes never write the
same file, a killed one leaves it as it was, and no lock can stay in the way. The last one to finish is remembered.

A note beside it tells which listing it was brought to. Is the listing the same again, then only what git itself finds
changed is looked at, and none of the other names are even read.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Collection, Iterable
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec

from headway.snapshots.git import GitError, Running, joined, paths_in
from headway.snapshots.on_disk import present
from headway.snapshots.parts import Part
from headway.snapshots.permissions import unusual
from headway.snapshots.repository import Repository
from headway.snapshots.scratch import scratch_folder

CHECKSUM = 20
"""Bytes of an index's checksum; of a longer one the end will do."""
LOOK = ("diff-files", "-z", "--name-only", "--no-renames", "--ignore-submodules=dirty")
"""Not what changed in a repository inside: git would look there by that repository's settings, and run its filters."""
CLOSE = 2.0
"""Git compares times in whole seconds, so it does not see new permissions within the second of an earlier change."""
WRITE = ("update-index", "-z", "--add", "--remove", "--replace", "--stdin")
"""`--remove`: a file that vanishes while we look is gone, not an error."""


class Note(msgspec.Struct, frozen=True):
    """What a remembered index was brought to."""

    index: bytes
    """The checksum of that index; another one was brought to something else."""
    listing: bytes
    """The digest of the part's listing, without its untracked files."""
    absent: bytes
    """Listed files that were not there, and so are not in the index."""
    modes: dict[bytes, int] | None = None
    """The unusual permissions of its files; None if not checked."""
    recent: bytes = b""
    """Files that changed just before they were looked at."""
    tree: str = ""
    """The tree of the files in the index."""
    untracked: bytes = b""
    """The part's untracked files, as git listed them."""


class Hashed(msgspec.Struct, frozen=True):
    """A part's files as a tree."""

    tree: str
    files: int
    """How many they are."""
    modes: dict[str, int]
    """Their unusual permissions."""


class Index:
    """The index for one part. As soon as it is entered, git looks for changed files in the background.

    The git that will take them in is started too: it reads the index and waits for the first path. Not
    where the files are expected to be those of a tree that git has: then nothing needs to be written if they are.
    """

    def __init__(self, repository: Repository, folder: str, expected: str = "") -> None:
        self._repository, self._folder, self._expected = repository, folder, expected
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
            self._writing = None if self._expected else stack.enter_context(Running(self._git, WRITE))
            self._modes: dict[str, int] | None = None
            self._recent: set[str] = set()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def tree_of(self, part: Part) -> Hashed:
        """A tree with exactly the part's files."""
        try:
            return self._hashed(part, paths_in(self._looking.output()) if self._looking else set())
        except GitError:
            # The remembered index may be damaged, or name objects that a `git gc` has dropped since.
            with suppress(GitError):
                self._write((), ())  # one that waits holds a lock
            self._place.unlink(missing_ok=True)
            return self._hashed(part, set())

    def _hashed(self, part: Part, changed: set[str]) -> Hashed:
        digest, note = hashlib.sha256(part.mark).digest(), self._note()
        if note is not None and note.index != _checksum(self._place):
            note = None  # it is about another index
        noted = None if note is None else note.modes
        self._modes = None if noted is None else {os.fsdecode(path): mode for path, mode in noted.items()}
        self._recent = paths_in(note.recent) if note else set()
        is_known = note is not None and note.listing == digest and not part.also
        added = part.added_since(note.untracked, changed) if note and is_known else None
        if note is None or added is None:
            absent, expected = self._bring_to(part, changed)
        elif not changed and not added and self._is_expected(note):
            return Hashed(note.tree, _entries(self._place), self._modes or {})
        else:
            absent, expected = self._update(changed, paths_in(note.absent) | added)
        tree, files = self._git.text("write-tree"), _entries(self._place)
        # A file that vanished and came back while we looked is in neither set: then there is nothing to rely on.
        self._remember(None if part.also or files != expected else digest, absent, tree, part.untracked)
        return Hashed(tree, files, self._modes or {})

    def _is_expected(self, note: Note) -> bool:
        """Is the index, in which nothing changed, that of the expected tree, and are absent files still absent?"""
        if not self._expected or note.tree != self._expected:
            return False
        return not present(str(self._git.folder), paths_in(note.absent))

    def _update(self, changed: set[str], absent: set[str]) -> tuple[set[str], int]:
        """Nearly the same files are listed as before: look at those that changed, and at those that were not there."""
        others = self._git.fields("ls-files", "-z") if self._modes is None else ()
        fresh = self._look_at(changed | absent, others)
        gone = changed - fresh
        expected = _entries(self._place) - len(gone) + len(fresh & absent)
        self._write(gone, fresh)
        return (changed | absent) - fresh, expected

    def _bring_to(self, part: Part, changed: set[str]) -> tuple[set[str], int]:
        """Bring the index to the listed files; those it knows and git finds unchanged are not looked at again."""
        known, listed = set(self._git.fields("ls-files", "-z")), set(part.files)
        unchanged = (known & listed) - changed
        fresh = self._look_at(listed - unchanged, unchanged)
        self._forget_modes(known - listed)
        self._write(known - unchanged - fresh, fresh)
        return listed - unchanged - fresh, len(unchanged) + len(fresh)

    def _look_at(self, paths: Collection[str], others: Iterable[str]) -> set[str]:
        """Those of the paths that are there. Permissions of others are checked only if they were not checked before."""
        root, now = str(self._git.folder), time.time()
        found = present(root, paths)
        others = others if self._modes is None else self._recent.difference(paths)
        looked_at = found | present(root, others)
        self._forget_modes([*paths, *others])
        self._modes = (self._modes or {}) | unusual(looked_at)
        self._recent = {path for path, one in looked_at.items() if one.st_ctime > now - CLOSE}
        return set(found)

    def _forget_modes(self, paths: Iterable[str]) -> None:
        known = self._modes or {}
        for path in paths if known else ():
            known.pop(path, None)

    def _write(self, gone: Collection[str], fresh: Collection[str]) -> None:
        writing, self._writing = self._writing, None
        if writing:
            writing.output(joined(fresh))
        elif fresh:
            self._git.run(*WRITE, given=joined(fresh))
        if gone:
            self._git.run("update-index", "-z", "--force-remove", "--stdin", given=joined(gone))

    def _modes_noted(self) -> dict[bytes, int]:
        return {os.fsencode(path): mode for path, mode in sorted((self._modes or {}).items())}

    def _note(self) -> Note | None:
        try:
            return msgspec.msgpack.decode(self._remembered_note.read_bytes(), type=Note)
        except (OSError, msgspec.MsgspecError):
            return None

    def _remember(self, listing: bytes | None, absent: set[str], tree: str, untracked: bytes) -> None:
        note = Note(
            _checksum(self._place),
            listing or b"",
            joined(sorted(absent)),
            self._modes_noted(),
            joined(sorted(self._recent)),
            tree,
            untracked,
        )
        if not note.index or note == self._note():
            return  # a part without files has no index; and what has not changed is remembered already
        # Renaming over a file would make the file system write out the new one first, and neither is precious.
        self._remembered.unlink(missing_ok=True)
        self._place.replace(self._remembered)
        self._note_place.write_bytes(msgspec.msgpack.encode(note))
        self._note_place.replace(self._remembered_note)


def tree_of(repository: Repository, part: Part) -> Hashed:
    """A tree with exactly the part's files."""
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
