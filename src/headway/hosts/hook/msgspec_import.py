"""Imports msgspec without modules that Headway does not need for it, because importing those takes longer.

Stand-ins replace these modules during the import. If msgspec needs more of them, it is imported in the usual way.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_Module = type(sys)


def import_msgspec() -> None:
    """Import msgspec with stand-ins for some modules, or without them if it needs more of these modules."""
    before = set(sys.modules)
    stand_ins = {} if "msgspec" in before else _stand_ins()
    sys.modules.update({name: one for name, one in stand_ins.items() if name not in before})
    try:
        import msgspec  # noqa: F401
    except Exception:
        for name in sys.modules.keys() - before:
            del sys.modules[name]
    for name in stand_ins.keys() - before:
        sys.modules.pop(name, None)


def _stand_ins() -> "dict[str, Any]":
    found: dict[str, Any] = {name: _Later(name) for name in ("msgspec.inspect", "msgspec._json_schema")}
    found["typing_extensions"] = None  # `typing` has the same names
    found["platform"] = platform = _Module("platform")  # `uuid` uses nothing else of it
    platform.system = lambda: os.uname().sysname  # type: ignore[attr-defined]
    if sys.version_info < (3, 12):
        found["datetime"] = __import__("_datetime")  # the implementation of `datetime`
    return found


class _Later(_Module):  # type: ignore[misc, valid-type]
    """A module that is imported when one of its attributes is used."""

    def __getattr__(self, name: str) -> "Any":
        if name[:2] == "__":
            raise AttributeError(name)
        if self.__name__ in sys.modules and sys.modules[self.__name__] is self:  # msgspec stores it to call it later
            return lambda *given, **named: getattr(self, name)(*given, **named)
        return getattr(__import__(self.__name__, fromlist=[name]), name)
