"""Imports what a call of the hook needs in less time: most of that call is importing.

Headway's own modules are read from the bytecode that Python has left beside them, with a third of the system calls.
msgspec comes without what only other users of msgspec need. Where something does not fit, Python imports it as ever.
"""

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from _imp import _fix_co_filename  # type: ignore[attr-defined]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType
    from typing import Any

_LARGEST = 1 << 16
_Module = type(sys)


def find_quickly() -> None:
    """Import modules of ours in this way from now on, unless their bytecode is elsewhere."""
    if os.name == "posix" and sys.pycache_prefix is None and not sys.flags.optimize:
        sys.meta_path.insert(0, _Finder)


class _Finder:
    @staticmethod
    def find_spec(name: str, path: "Sequence[str] | None" = None, _: object = None) -> ModuleSpec | None:
        if not path or not name.startswith("headway."):
            return None
        folder, own = path[0], name.rpartition(".")[2]
        return _spec(name, folder, own) or _spec(name, f"{folder}/{own}", "__init__")


def _spec(name: str, folder: str, own: str) -> ModuleSpec | None:
    loader = _Loader(name, f"{folder}/{own}.py")
    try:
        found = os.stat(loader.path)
    except OSError:
        return None
    marks = (int(found.st_mtime) & 0xFFFFFFFF | (found.st_size & 0xFFFFFFFF) << 32).to_bytes(8, "little")
    loader.head = MAGIC_NUMBER + bytes(4) + marks
    loader.cached = f"{folder}/__pycache__/{own}.{sys.implementation.cache_tag}.pyc"
    spec = ModuleSpec(name, loader, origin=loader.path, is_package=own == "__init__")
    spec.has_location, spec.cached = True, loader.cached
    if spec.submodule_search_locations is not None:
        spec.submodule_search_locations.append(folder)
    return spec


class _Loader(SourceFileLoader):
    cached, head = "", b""
    """The file with the bytecode, and how it begins if it is current."""

    def get_code(self, fullname: str) -> "CodeType | None":
        try:
            file = os.open(self.cached, os.O_RDONLY | os.O_CLOEXEC)
            data = os.read(file, _LARGEST)
            os.close(file)
        except OSError:
            data = b""
        if data[:16] != self.head or len(data) == _LARGEST:
            return super().get_code(fullname)
        code: CodeType = marshal.loads(memoryview(data)[16:])  # noqa: S302 - as Python itself does
        _fix_co_filename(code, self.path)
        return code


def import_msgspec() -> None:
    """Import msgspec while others stand in for some modules; without them, if it needs more of these modules."""
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
    found["typing_extensions"] = None  # `typing` has the same
    found["platform"] = platform = _Module("platform")  # `uuid` asks it for nothing else
    platform.system = lambda: os.uname().sysname  # type: ignore[attr-defined]
    if sys.version_info < (3, 12):
        found["datetime"] = __import__("_datetime")  # what `datetime` consists of, once it has been imported
    return found


class _Later(_Module):  # type: ignore[misc, valid-type]
    """A module that is imported when something of it is used."""

    def __getattr__(self, name: str) -> "Any":
        if name[:2] == "__":
            raise AttributeError(name)
        if self.__name__ in sys.modules and sys.modules[self.__name__] is self:  # msgspec takes it, and will call it
            return lambda *given, **named: getattr(self, name)(*given, **named)
        return getattr(__import__(self.__name__, fromlist=[name]), name)
