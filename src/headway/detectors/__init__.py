"""All detectors. The folder is the registry: adding a file adds a detector, and nothing is listed by hand.

`looks_at_data.py` says what each of them looks at, so that only those are loaded for which something happens. It is
made from the classes by `make data`; a detector that is not in it yet is loaded to find out.
"""

import os
from functools import cache
from importlib import import_module

from headway.core.detector import Detector
from headway.core.watch import LooksAt
from headway.detectors.looks_at_data import DATA

SCALES = ("step", "iteration", "run")


@cache
def built_in() -> dict[str, type[Detector]]:
    """The detectors that come with Headway, by id: step scale first, each scale by name."""
    return {id: load(id) for id in scales_by_id()}


@cache
def scales_by_id() -> dict[str, str]:
    """Their ids, in the same order, and the scale of each; none is loaded to find out."""
    return {id: scale for scale in SCALES for id in _ids(scale)}


@cache
def looks_at(id: str) -> LooksAt:
    """What a detector of ours looks at."""
    return LooksAt(**DATA[id]) if id in DATA else LooksAt.of(load(id))


@cache
def load(id: str) -> type[Detector]:
    """The class of a detector of ours."""
    kind: type[Detector] = getattr(import_module(f"{__name__}.{scales_by_id()[id]}.{id}"), id.title().replace("_", ""))
    return kind


def _ids(scale: str) -> list[str]:
    """Names of the modules in a folder. `pkgutil` could do this too, but it imports `inspect`."""
    (here,) = __path__
    names = os.listdir(os.path.join(here, scale))  # noqa: PTH118, PTH208
    return sorted(name[:-3] for name in names if name.endswith(".py") and name != "__init__.py")
