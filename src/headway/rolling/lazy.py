"""Attributes, regular expressions and packaged data that are created at first use.

Headway has some hundred regular expressions, and one step needs a few. Compiling all at import would take longer than
everything else a hook call does. A long pattern may name words, one of which occurs in every text that it matches: as
long as no text contains one of them, the pattern is not compiled. A process that runs for longer compiles it soon,
because a compiled pattern is faster than a search for many words.
"""

import re
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast, overload

O = TypeVar("O")  # noqa: E741
T = TypeVar("T")

SOON = 8
"""Texts that are searched for words before a pattern is compiled anyway."""


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


def regex(source: str, flags: int = 0, words: tuple[str, ...] = ()) -> re.Pattern[str]:
    """A pattern, used like a compiled one. `words` are in lower case, and speed up only `match` and `search`."""
    return cast("re.Pattern[str]", _Worded(source, flags, words) if words else _Lazy(source, flags))


class _Lazy:
    """Compiles a pattern at the first use of one of its methods."""

    def __init__(self, source: str, flags: int) -> None:
        self._given = source, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._compile(), name)

    def _compile(self) -> re.Pattern[str]:
        compiled = re.compile(*self._given)
        for method in ("match", "search", "fullmatch", "finditer", "findall", "split", "sub", "subn", "pattern"):
            setattr(self, method, getattr(compiled, method))
        return compiled


class _Worded(_Lazy):
    """The same, for a pattern with words."""

    def __init__(self, source: str, flags: int, words: tuple[str, ...]) -> None:
        super().__init__(source, flags)
        self._words, self._looks = words, 0

    def match(self, text: str) -> re.Match[str] | None:
        return self._compile().match(text) if self._may_find(text) else None

    def search(self, text: str) -> re.Match[str] | None:
        return self._compile().search(text) if self._may_find(text) else None

    def _may_find(self, text: str) -> bool:
        self._looks += 1
        lowered = text.lower()
        return self._looks > SOON or any(word in lowered for word in self._words)


def packaged(name: str, kind: type[T]) -> T:
    """The decoded content of a JSON file of this package. `make data` generates these from the TOML files."""
    import msgspec  # masking a text must not need it

    return msgspec.json.decode(packaged_bytes(name), type=kind)


def packaged_bytes(name: str) -> bytes:
    """The content of a file of this package."""
    path = __file__[: __file__.rindex("rolling")] + name
    return cast(bytes, cast(Any, __spec__.loader).get_data(path))
