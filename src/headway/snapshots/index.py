"""Hashes the files of one part into a tree, with an index of our own that caches earlier hashes.

The work happens on a copy in a scratch folder. The finished index then replaces the cached one, so two processes never
write the same file, a killed process leaves the cache intact, and no lock file is left behind.

A note beside the cached index records the listing it was made for. If the listing is the same again, only the files
that git reports as changed are checked, and the other names are not even read.
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
"""Length of an index's checksum in bytes. Of a longer checksum, the last bytes are used."""
LIST_CHANGED = ("diff-files", "-z", "--name-only", "--no-renames", "--ignore-submodules=dirty")
"""Does not look into nested repositories: git would use their settings, and run their filters."""
RACY_SECONDS = 2.0
"""Git compares times in whole seconds, so it misses new permissions within the second of an earlier change."""
UPDATE = ("update-index", "-z", "--add", "--remove", "--replace", "--stdin")
"""With `--remove`, a file that vanishes while we look is removed from the index instead of an error."""


class Note(msgspec.Struct, frozen=True):
    """Describes the cached index."""

    index: bytes
    """The checksum of the index that this note describes."""
    listing: bytes
    """A digest of the part's listing, without its untracked files."""
    absent: bytes
    """Listed files that did not exist, and so are not in the index."""
    modes: dict[bytes, int] | None = None
    """Unusual permissions of its files; None if not checked."""
    recent: bytes = b""
    """Files that changed just before they were checked."""
    tree: str = ""
    untracked: bytes = b""
    """The part's untracked files, as git listed them."""


class Hashed(msgspec.Struct, frozen=True):
    """The tree of a part's files."""

    tree: str
    files: int
    modes: dict[str, int]
    """Unusual permissions of the files."""


class Index:
    """The index of one part. On entering the `with` block, git starts to look for changed files in the background.

    The git process that will add them is started too; it reads the index and waits for paths. It is not started if the
    files are expected to match an existing tree, because then there may be nothing to write.
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
                _link_or_copy(self._remembered, self._place)
            self._looking = stack.enter_context(Running(self._git, LIST_CHANGED)) if self._place.exists() else None
            self._writing = None if self._expected else stack.enter_context(Running(self._git, UPDATE))
            self._modes: dict[str, int] | None = None
            self._recent: set[str] = set()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def tree_of(self, part: Part) -> Hashed:
        """The tree of exactly the part's files."""
        try:
            return self._hashed(part, paths_in(self._looking.output()) if self._looking else set())
        except GitError:
            # The remembered index may be damaged, or name objects that a `git gc` has dropped since.
            with suppress(GitError):
                self._write((), ())  # a waiting process holds a lock
            self._place.unlink(missing_ok=True)
            return self._hashed(part, set())

    def _hashed(self, part: Part, changed: set[str]) -> Hashed:
        digest, note = hashlib.sha256(part.fingerprint).digest(), self._note()
        if note is not None and note.index != _checksum(self._place):
            note = None  # it describes another index
        noted = None if note is None else note.modes
        self._modes = None if noted is None else {os.fsdecode(path): mode for path, mode in noted.items()}
        self._recent = paths_in(note.recent) if note else set()
        is_known = note is not None and note.listing == digest and not part.also
        added = part.added_since(note.untracked, changed) if note and is_known else None
        if note is None or added is None:
            absent, expected = self._update_to_listing(part, changed)
        elif not changed and not added and self._is_expected(note):
            return Hashed(note.tree, _entries(self._place), self._modes or {})
        else:
            absent, expected = self._update(changed, paths_in(note.absent) | added)
        tree, files = self._git.text("write-tree"), _entries(self._place)
        # A file that vanished and came back while we looked is in neither set. Then nothing can be cached.
        self._remember(None if part.also or files != expected else digest, absent, tree, part.untracked)
        return Hashed(tree, files, self._modes or {})

    def _is_expected(self, note: Note) -> bool:
        """Check that the unchanged index is that of the expected tree, and that absent files are still absent."""
        if not self._expected or note.tree != self._expected:
            return False
        return not present(str(self._git.folder), paths_in(note.absent))

    def _update(self, changed: set[str], absent: set[str]) -> tuple[set[str], int]:
        """Update the index when the listing is nearly the same: check only changed files and those absent before."""
        others = self._git.fields("ls-files", "-z") if self._modes is None else ()
        fresh = self._check_files(changed | absent, others)
        gone = changed - fresh
        expected = _entries(self._place) - len(gone) + len(fresh & absent)
        self._write(gone, fresh)
        return (changed | absent) - fresh, expected

    def _update_to_listing(self, part: Part, changed: set[str]) -> tuple[set[str], int]:
        """Update the index to the listing. Files that git reports as unchanged are not checked again."""
        known, listed = set(self._git.fields("ls-files", "-z") if self._place.exists() else ()), set(part.files)
        unchanged = (known & listed) - changed
        fresh = self._check_files(listed - unchanged, unchanged)
        self._forget_modes(known - listed)
        self._write(known - unchanged - fresh, fresh)
        return listed - unchanged - fresh, len(unchanged) + len(fresh)

    def _check_files(self, paths: Collection[str], others: Iterable[str]) -> set[str]:
        """The paths that exist. Permissions of `others` are checked only if they were never checked before."""
        root, now = str(self._git.folder), time.time()
        found = present(root, paths)
        others = others if self._modes is None else self._recent.difference(paths)
        looked_at = found | present(root, others)
        self._forget_modes([*paths, *others])
        self._modes = (self._modes or {}) | unusual(looked_at)
        self._recent = {path for path, one in looked_at.items() if one.st_ctime > now - RACY_SECONDS}
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
            self._git.run(*UPDATE, stdin=joined(fresh))
        if gone:
            self._git.run("update-index", "-z", "--force-remove", "--stdin", stdin=joined(gone))

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
            return  # a part without files has no index, and an unchanged note is already saved
        # Renaming over a file makes the file system flush the new one first. A cache does not need that.
        self._remembered.unlink(missing_ok=True)
        self._place.replace(self._remembered)
        self._note_place.write_bytes(msgspec.msgpack.encode(note))
        self._note_place.replace(self._remembered_note)


def tree_of(repository: Repository, part: Part) -> Hashed:
    """The tree of exactly the part's files."""
    with Index(repository, part.folder) as index:
        return index.tree_of(part)


def _link_or_copy(source: Path, target: Path) -> None:
    """Hard-link an index. This is safe because git never changes an index in place, it renames a new file over it.

    If hard links are not possible, the index is copied with its time, by which git recognises entries that may have
    changed in the same second.
    """
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copy2(source, target)


def _entries(index: Path) -> int:
    """The number of files in an index, from its header."""
    with suppress(FileNotFoundError), index.open("rb") as file:
        return int.from_bytes(file.read(12)[8:])
    return 0


def _checksum(index: Path) -> bytes:
    """The checksum at the end of an index (our settings require it); empty if there is no index."""
    with suppress(OSError), index.open("rb") as file:
        file.seek(-CHECKSUM, os.SEEK_END)
        return file.read()
    return b""
