"""Records which folders were created for a settings file, so that uninstalling removes only those.

An empty folder does not show who created it. The paths are in a file of Headway's state folder. If that file cannot be
written or is gone, empty folders stay.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from headway.store.place import make_private, state_folder


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents."""
    missing = _missing(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):
        if missing:
            ours = _missing(_state())
            make_private(str(_state()))
            _remember({*_made(), *missing, *ours})


def remove_empty(folder: Path) -> None:
    """Remove a folder and its parents, as far as Headway created them and they are empty."""
    with suppress(OSError):
        made = _made()
        rest = _without_empty(made, folder)
        if rest.issubset((_state(), *_state().parents)):
            _record().unlink(missing_ok=True)
            _without_empty(rest, _state())
        elif rest != made:
            _remember(rest)


def _without_empty(made: set[Path], folder: Path) -> set[Path]:
    """The recorded folders that are left after removing the empty ones, from a folder upwards."""
    rest = set(made)
    for one in (folder, *folder.parents):
        if one not in made:
            break
        try:
            one.rmdir()
        except OSError:  # not empty
            break
        rest.discard(one)
    return rest


def _missing(folder: Path) -> list[Path]:
    return [one for one in (folder, *folder.parents) if not one.exists()]


def _state() -> Path:
    return Path(state_folder()).resolve()


def _record() -> Path:
    return _state() / "made-folders"


def _made() -> set[Path]:
    try:
        return {Path(os.fsdecode(name)) for name in _record().read_bytes().split(b"\0") if name}
    except OSError:
        return set()


def _remember(folders: Iterable[Path]) -> None:
    content = b"\0".join(sorted(map(os.fsencode, folders)))
    descriptor = os.open(_record(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, content)
    finally:
        os.close(descriptor)
