"""Stores for the state of conversations, so that several workers on one conversation make the same decisions as one.

A store holds a state and its version for each key. A worker reads the state, processes an event, and replaces the state
if it still has that version; if another worker was first, it starts again from the new state.
"""

from threading import Lock
from typing import Protocol, runtime_checkable


@runtime_checkable
class Store(Protocol):
    """The interface of a store. Versions count from 1; a missing key has version 0."""

    def newer(self, key: str, than: int) -> tuple[int, bytes] | None:
        """The version and the state of a key, if its version differs from this one."""

    def swap(self, key: str, version: int, state: bytes) -> bool:
        """Replace the state if it has this version, and increment the version; False if another worker was first."""


class MemoryStore:
    """States in the memory of this process: for tests, and for several adapters that share conversations."""

    def __init__(self) -> None:
        self._states: dict[str, tuple[int, bytes]] = {}
        self._lock = Lock()

    def newer(self, key: str, than: int) -> tuple[int, bytes] | None:
        """The version and the state of a key, if its version is another one than this."""
        found = self._states.get(key)
        return found if found and found[0] != than else None

    def swap(self, key: str, version: int, state: bytes) -> bool:
        """Replace the state that has this version; False if another worker was first."""
        with self._lock:
            if self._states.get(key, (0, b""))[0] != version:
                return False
            self._states[key] = version + 1, state
            return True
