"""One conversation in several processes: each event is processed by one of them at a time, from the newest state."""

import logging
import zlib
from collections.abc import Callable
from functools import partial, wraps
from threading import RLock
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import msgspec

from headway.hosts.stores import Store
from headway.monitor import SavedStateError

if TYPE_CHECKING:
    from headway.hosts.frameworks.conversation import Conversation

log = logging.getLogger("headway")

P = ParamSpec("P")
R = TypeVar("R")

STALE = -1
"""Version of a state in memory that may differ from the one in the store."""
TRIES = 1_000
"""How often an event is processed again because another worker was first."""


class Link:
    """A conversation's place in a store."""

    def __init__(self, store: Store, key: str) -> None:
        self._store, self._key, self._version = store, key, 0
        self._lock, self._is_inside = RLock(), False

    def refresh(self, conversation: "Conversation") -> None:
        """Load what other workers have written."""
        with self._lock:
            if self._is_inside:
                return
            found = self._store.newer(self._key, self._version)
            if found is not None:
                self._restore(conversation, found[1])
                self._version = found[0]
            elif self._version == STALE:
                conversation.restore(None)
                self._version = 0

    def _restore(self, conversation: "Conversation", state: bytes) -> None:
        try:
            conversation.restore(state)
        except (SavedStateError, msgspec.MsgspecError, zlib.error) as error:
            log.warning("the stored state of %s cannot be read and is replaced: %s", self._key, error)
            conversation.restore(None)

    def apply(self, conversation: "Conversation", operation: Callable[[], R]) -> R:
        """Do something with the newest state and write the result; do it again if another worker was first."""
        with self._lock:
            if self._is_inside:
                return operation()
            for _ in range(TRIES):
                self.refresh(conversation)
                conversation.forget_decided()
                version, self._version, self._is_inside = self._version, STALE, True
                try:
                    answer = operation()
                finally:
                    self._is_inside = False
                if self._store.swap(self._key, version, conversation.saved()):
                    self._version = version + 1
                    conversation.tell_decided()
                    return answer
        raise TimeoutError(f"other workers changed the conversation {self._key} {TRIES} times meanwhile")


def shared(
    operation: "Callable[Concatenate[Any, P], R]",
) -> "Callable[Concatenate[Any, P], R]":
    """An operation of a conversation, done with the newest state if the conversation has a store."""

    @wraps(operation)
    def applied(self: "Conversation", /, *args: P.args, **kwargs: P.kwargs) -> R:
        if self._link is None:
            return operation(self, *args, **kwargs)
        return self._link.apply(self, partial(operation, self, *args, **kwargs))

    return applied
