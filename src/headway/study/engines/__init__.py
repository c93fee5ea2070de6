"""Where work is done that is too much for one process: in processes of this machine, or on a Ray cluster.

An engine calls one function for each of many items. The function and the items must be picklable, and the result may
depend on the item and on what all items have in common, and on nothing else: so every engine gives the same results.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

import msgspec

Item = TypeVar("Item")
Common = TypeVar("Common")
Result = TypeVar("Result")

TRIES = 3
"""How often an item is tried before it is set aside."""


class Failure(msgspec.Struct, frozen=True):
    """An item that failed every time it was tried."""

    why: str


class Engine(Protocol):
    """Does work in other processes."""

    @property
    def workers(self) -> int:
        """How many items are worked on at the same time."""

    def run(
        self, work: Callable[[Item, Common], Result], items: Iterable[Item], common: Common
    ) -> Iterator[tuple[Item, Result | Failure]]:
        """The result of each item, or why it has none, as the results come in."""

    def close(self) -> None:
        """End the processes."""


class Here:
    """The process that asks. Exceptions are not caught: there is little to do, and trying again would not help."""

    workers = 1

    def run(
        self, work: Callable[[Item, Common], Result], items: Iterable[Item], common: Common
    ) -> Iterator[tuple[Item, Result | Failure]]:
        """The result of each item, in order."""
        return ((item, work(item, common)) for item in items)

    def close(self) -> None:
        """There is no other process."""


def failure(error: BaseException) -> Failure:
    """What an exception says, on one line."""
    return Failure(" ".join(f"{type(error).__name__}: {error}".split()))
