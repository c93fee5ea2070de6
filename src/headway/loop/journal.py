"""Stores the facts of a loop on disk, one line each. A fact is on disk before the loop acts on it.

A process that is killed while writing leaves a partial line, which is dropped when the journal is next opened. The
journal is written again as a whole if it is deleted while the loop runs (agents do run `git clean -fdx`), replaced by
another file (`git stash --all && git stash pop`) or changed in place (`: > journal.jsonl`).
"""

import os
from pathlib import Path

import msgspec

from headway.loop.facts import FORMAT, AnyFact, Fact, Started
from headway.store.loop_files import StorageError

JOURNAL = "journal.jsonl"

_decoder: msgspec.json.Decoder[Fact] = msgspec.json.Decoder(AnyFact)


class JournalError(StorageError):
    """A journal cannot be read; the message names the file, the line and what was expected."""


class Journal:
    """The journal in a loop's folder. Its content is held in memory too, so that it can be written again."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / JOURNAL
        self._file: int | None = None
        self._whole = b""
        """The expected content of the file."""
        self._time = 0
        """The time of our last write."""

    def append(self, fact: Fact) -> None:
        """Write a fact. When this returns, it is on disk."""
        line = msgspec.json.encode(fact) + b"\n"
        try:
            if self._file is None:
                self._file = self._opened(self.path)
                self._whole = _content(self._file)
                _sync_folder(self.path.parent)  # so that the file name survives a power cut too
            elif not self._is_as_left(self._file):
                self._file = self._put_back(self._file)
            _write(self._file, line)
            os.fsync(self._file)
            self._whole, self._time = self._whole + line, os.fstat(self._file).st_mtime_ns
        except OSError as error:
            raise StorageError(f"{self.path}: {error.strerror}; expected a place that can be written") from error

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def read(self, *, mend: bool = True) -> list[Fact]:
        """All facts so far. A partial last line is removed, or only skipped if another process may be writing it."""
        try:
            data = self.path.read_bytes()
            whole = data[: data.rfind(b"\n") + 1]
            if mend and len(whole) < len(data):
                os.truncate(self.path, len(whole))
        except OSError as error:
            raise JournalError(f"{self.path}: {error.strerror}; expected the journal of a loop") from error
        facts = [self._decoded(number, line) for number, line in enumerate(whole.splitlines(), 1)]
        if not facts or not isinstance(facts[0], Started) or facts[0].format not in (0, FORMAT):
            raise JournalError(f"{self.path}: expected the journal of a loop in format {FORMAT}")
        return facts

    def _decoded(self, number: int, line: bytes) -> Fact:
        try:
            return _decoder.decode(line)
        except msgspec.MsgspecError as error:
            raise JournalError(f"{self.path}: line {number}: expected a fact of a loop: {error}") from error

    def _opened(self, path: Path) -> int:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)

    def _is_as_left(self, held: int) -> bool:
        """Check that the path still leads to our open file, and that its content is what we wrote."""
        try:
            there = self.path.stat()
        except OSError:
            return False
        ours = os.fstat(held)
        if (there.st_dev, there.st_ino, there.st_size) != (ours.st_dev, ours.st_ino, len(self._whole)):
            return False
        return there.st_mtime_ns == self._time or _content(held) == self._whole

    def _put_back(self, held: int) -> int:
        """Write the whole journal again, to a new file."""
        beside = self.path.with_name(f"{JOURNAL}.new")
        beside.unlink(missing_ok=True)
        copy = self._opened(beside)
        try:
            _write(copy, self._whole)
            os.fsync(copy)
            beside.replace(self.path)
            _sync_folder(self.path.parent)
        except BaseException:
            os.close(copy)
            raise
        os.close(held)
        return copy


def _content(file: int) -> bytes:
    return os.pread(file, os.fstat(file).st_size, 0)


def _sync_folder(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]
