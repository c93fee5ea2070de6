"""Stores events while the database is busy. The next call of the hook processes them.

Each event is one file that only its user can read, with secrets masked. A process renames the file before it processes
the event, so that other processes skip it. If that process is killed, the file is free again after a while. Processing
an event twice changes nothing: the session stores its name together with the result.
"""

import json
import os
import time
from itertools import filterfalse, islice

from headway.store.place import make_private, queue_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MOST_AT_ONCE = 8
"""Number of waiting events that one call processes besides its own."""
FREE_AFTER_SECONDS = 60.0
"""Seconds after which an unfinished event can be taken again."""
_TAKEN = ".taken"
_WAITING = ".json"


def put(event: "dict[str, Any]") -> None:
    """Store an event. Its file is written completely or not at all."""
    folder = queue_folder()
    make_private(folder)
    place = os.path.join(folder, f"{time.time_ns():020}-{os.getpid()}")
    descriptor = os.open(f"{place}.tmp", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(event, file)
    os.replace(f"{place}.tmp", place + _WAITING)


def waiting() -> list[str]:
    """The names of all waiting events, oldest first."""
    try:
        names = os.listdir(queue_folder())
    except OSError:
        return []
    return sorted(name for name in names if name.endswith((_WAITING, _TAKEN)))


def take() -> "Iterator[tuple[str, dict[str, Any]]]":
    """Events that no other process has taken, with their names. Call `done` or `give_back` for each."""
    for name in islice(filterfalse(_is_under_way, waiting()), MOST_AT_ONCE):
        place = os.path.join(queue_folder(), name)
        taken = place.removesuffix(_TAKEN).removesuffix(_WAITING) + _TAKEN
        try:
            os.rename(place, taken)
            os.utime(taken)
            with open(taken, encoding="utf-8") as file:
                yield os.path.basename(taken), json.load(file)
        except OSError:  # another process was faster
            continue
        except ValueError:  # not one of our events
            done(os.path.basename(taken))


def _is_under_way(name: str) -> bool:
    """Whether a process has taken this event a short time ago: it is processing it, or was killed."""
    try:
        age = time.time() - os.stat(os.path.join(queue_folder(), name)).st_mtime
    except OSError:  # it is done
        return True
    return name.endswith(_TAKEN) and age < FREE_AFTER_SECONDS


def done(name: str) -> None:
    """An event was processed."""
    place = os.path.join(queue_folder(), name)
    if os.path.exists(place):
        os.unlink(place)


def give_back(name: str) -> None:
    """An event has to wait again."""
    place = os.path.join(queue_folder(), name)
    os.replace(place, place.removesuffix(_TAKEN) + _WAITING)
