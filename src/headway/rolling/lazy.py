"""Attributes that are computed on first access."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

O = TypeVar("O")  # noqa: E741
T = TypeVar("T")


class lazy(Generic[O, T]):  # noqa: N801  # used like `property`
    """`functools.cached_property` without the lock that it takes in Python 3.11: most steps have several of these."""

    def __init__(self, compute: Callable[[O], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type[O]) -> "lazy[O, T]": ...
    @overload
    def __get__(self, owner: O, kind: type[O]) -> T: ...
    def __get__(self, owner: Any, kind: Any = None) -> Any:
        if owner is None:
            return self
        found = owner.__dict__[self._name] = self._compute(owner)
        return found
