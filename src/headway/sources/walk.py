"""Everything in a folder that may be a recording."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from headway.sources.head import Head
from headway.sources.packed import PACKED
from headway.sources.source import Source

ENDINGS = (".jsonl", ".json", ".ndjson", ".traj", ".eval", ".db", "chat.history.md")
"""How the names of recordings end; each may be compressed besides."""
NOT_ENTERED = {".git", "node_modules", ".venv", "__pycache__"}


def sources_in(path: Path, is_recording: Callable[[Head], bool] = lambda _: False) -> Iterator[Source]:
    """A file as it is; a folder with everything in it that may be a recording.

    A folder of which `is_recording` says that it is one recording as a whole is not walked any further.
    """
    if path.is_file():
        yield Source(path)
    elif path.is_dir():
        yield from _walk(path, is_recording)
    else:  # a pipe can be read only once
        yield Source(path, content=path.read_bytes())


def _walk(top: Path, is_recording: Callable[[Head], bool]) -> Iterator[Source]:
    for folder, folders, files in os.walk(top):
        here = Source(Path(folder))
        if is_recording(here.head()):
            folders.clear()
            yield here
            continue
        folders[:] = sorted(set(folders) - NOT_ENTERED)
        for name in sorted(files):
            if may_be_recording(name) and (Path(folder) / name).is_file():
                yield Source(Path(folder) / name)


def may_be_recording(name: str) -> bool:
    """Whether a file is worth a look, by its name."""
    for packed in PACKED:
        name = name.removesuffix(packed)
    return name.endswith(ENDINGS)
