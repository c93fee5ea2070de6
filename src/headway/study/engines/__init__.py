"""Runs work in several processes of this machine, or on a Ray cluster.

An engine calls one function for each of many items. The function and the items must be picklable, and the result must
depend only on the item and on the arguments common to all items. So every engine gives the same results.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

import msgspec

Item = TypeVar("Item")
Common = TypeVar("Common")
Result = TypeVar("Result")

MAX_ATTEMPTS = 3


class Failure(msgspec.Struct, frozen=True):
    """An item that failed in every attempt."""

    why: str


class Engine(Protocol):
    """Does work in other processes."""

    @property
    def workers(self) -> int:
        """The number of items processed at the same time."""

    def run(
        self, work: Callable[[Item, Common], Result], items: Iterable[Item], common: Common
    ) -> Iterator[tuple[Item, Result | Failure]]:
        """The result of each item, or why it has none, as the results come in."""

    def close(self) -> None:
        """End the processes."""


class InThisProcess:
    """Runs everything in this process. Exceptions are not caught, because a retry would not help."""

    workers = 1

    def run(
        self, work: Callable[[Item, Common], Result], items: Iterable[Item], common: Common
    ) -> Iterator[tuple[Item, Result | Failure]]:
        """The result of each item, in order."""
        return ((item, work(item, common)) for item in items)

    def close(self) -> None:
        """Do nothing: there are no other processes."""


def failure(error: BaseException) -> Failure:
    """The message of an exception, on one line."""
    return Failure(" ".join(f"{type(error).__name__}: {error}".split()))
