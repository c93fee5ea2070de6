"""The facts of a loop on disk: one line each, brought to disk before anything follows from it.

A process that is killed while it writes leaves half a line, which is dropped when the journal is next opened. A journal
that vanishes while the loop is at work (agents do run `git clean -fdx`) is written again as a whole.
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
    """The journal in a loop's folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / JOURNAL
        self._lines: list[bytes] = []

    def append(self, fact: Fact) -> None:
        """Write a fact down; when this returns, it is on disk."""
        line = msgspec.json.encode(fact) + b"\n"
        try:
            missing = [] if self.path.exists() else self._lines
            if not self.path.exists():
                self._create()
            with self.path.open("ab") as file:
                file.write(b"".join([*missing, line]))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StorageError(f"{self.path}: {error.strerror}; expected a place that can be written") from error
        self._lines.append(line)

    def read(self) -> list[Fact]:
        """All facts so far; half a line at the end is removed."""
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise JournalError(f"{self.path}: {error.strerror}; expected the journal of a loop") from error
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.truncate(self.path, len(whole))
        self._lines = whole.splitlines(keepends=True)
        facts = [self._decoded(number, line) for number, line in enumerate(self._lines, 1)]
        if not facts or not isinstance(facts[0], Started) or facts[0].format != FORMAT:
            raise JournalError(f"{self.path}: expected the journal of a loop in format {FORMAT}")
        return facts

    def _decoded(self, number: int, line: bytes) -> Fact:
        try:
            return _decoder.decode(line)
        except msgspec.MsgspecError as error:
            raise JournalError(f"{self.path}: line {number}: expected a fact of a loop: {error}") from error

    def _create(self) -> None:
        """Make the file so that its name survives a power cut too."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
