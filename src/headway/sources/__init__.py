"""Where recordings come from, opened safely: files, folders, archives, databases, standard input.

`source.py` opens one recording, however it is stored, and counts what its reader skips. `head.py` is its beginning, by
which readers recognise their format. `places.py` knows where agent programs keep recordings. A recording may be damaged
or malicious: reading it is limited, and nothing is written beside it. Readers, shapes, studies, the service and
commands call this; it imports only `rolling`.
"""

import os
import stat
from collections.abc import Callable, Iterator
from io import BufferedReader, BytesIO
from pathlib import Path

from headway.rolling.dates import seconds
from headway.sources.head import Head
from headway.sources.packed import BUFFER, PACKED, UnreadableError, readable
from headway.sources.source import Source

__all__ = ["Head", "Source", "UnreadableError", "readable", "seconds", "sources_in"]


ENDINGS = (".jsonl", ".json", ".ndjson", ".traj", ".eval", ".db", ".sqlite", ".parquet", "chat.history.md")
"""How the names of recordings end; each may be compressed besides."""
BESIDE = ".settings.json"
"""Endings of files that are beside recordings but are none themselves."""
NOT_ENTERED = {".git", "node_modules", ".venv", "__pycache__"}


def sources_in(path: Path, is_recording: Callable[[Head], bool] = lambda _: False) -> Iterator[Source]:
    """A file as it is; a folder with everything in it that may be a recording.

    A folder of which `is_recording` says that it is one recording as a whole is not walked any further.
    """
    if path.is_file():
        yield Source(path)
    elif path.is_dir():
        yield from _walk(path, is_recording)
    elif path.is_char_device() or path.is_block_device():  # /dev/zero has no end
        raise UnreadableError("it is a device and not a recording")
    else:  # a pipe can be read only once
        yield Source(path, content=path.read_bytes())


def _walk(top: Path, is_recording: Callable[[Head], bool]) -> Iterator[Source]:
    closed: list[OSError] = []
    for folder, folders, files in os.walk(top, onerror=closed.append):
        yield from _without_entry(closed)
        here = Source(Path(folder))
        if is_recording(here.head()):
            folders.clear()
            yield here
            continue
        folders[:] = sorted(set(folders) - NOT_ENTERED)
        for path in (Path(folder, name) for name in sorted(files) if may_be_recording(name)):
            if _is_file(path):
                yield Source(path)
    yield from _without_entry(closed)


def _without_entry(errors: list[OSError]) -> Iterator[Source]:
    """The folders that could not be looked into meanwhile; each is told once."""
    while errors:
        yield _Closed(errors.pop(0))


class _Closed(Source):
    """A folder that cannot be read; opening it raises the error."""

    def __init__(self, error: OSError) -> None:
        super().__init__(Path(error.filename))
        self.error = error

    @property
    def is_folder(self) -> bool:
        return False

    def open(self, buffer: int = BUFFER) -> BufferedReader | BytesIO:
        raise self.error


def _is_file(path: Path) -> bool:
    """Whether a file exists. An unreadable file exists; opening it raises the error."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except PermissionError:
        return True
    except OSError:
        return False


def may_be_recording(name: str) -> bool:
    """Whether a file is worth a look, by its name."""
    for packed in PACKED:
        name = name.removesuffix(packed)
    return name.endswith(ENDINGS) and not name.endswith(BESIDE)
