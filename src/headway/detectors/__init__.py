"""All detectors. The folder is the registry: adding a file adds a detector, and nothing is listed by hand."""

import os
from functools import cache
from importlib import import_module

from headway.core.detector import Detector

SCALES = ("step", "iteration", "run")


@cache
def built_in(scales: tuple[str, ...] = SCALES) -> dict[str, type[Detector]]:
    """The detectors that come with Headway, by id: step scale first, each scale by name."""
    return {id: _load(scale, id) for scale in scales for id in _ids(scale)}


def is_built_in(id: str) -> bool:
    """Whether a detector with this id comes with Headway. No detector is loaded."""
    return any(id in _ids(scale) for scale in SCALES)


@cache
def _ids(scale: str) -> list[str]:
    """Names of the modules in a folder. `pkgutil` could do this too, but it imports `inspect`."""
    (folder,) = import_module(f"{__name__}.{scale}").__path__
    names = os.listdir(folder)  # noqa: PTH208
    return sorted(name[:-3] for name in names if name.endswith(".py") and name != "__init__.py")


def _load(scale: str, id: str) -> type[Detector]:
    kind: type[Detector] = getattr(import_module(f"{__name__}.{scale}.{id}"), id.title().replace("_", ""))
    return kind
