"""Regular expressions that are compiled when they are first used.

Headway knows some hundred of them, and one step needs a few. Compiling all at import would take longer than everything
else a hook call does.
"""

import re
from typing import Any, cast


class _Lazy:
    """Stands in for a compiled pattern, and has its methods from the first use on."""

    def __init__(self, source: str, flags: int) -> None:
        self._given = source, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(*self._given)
        for method in ("match", "search", "fullmatch", "finditer", "findall", "split", "sub", "subn", "pattern"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern to be used like a compiled one."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
