"""All detectors. The folder is the registry: adding a file adds a detector, and nothing is listed by hand.

`looks_at.json` says what each of them looks at, so that a detector is loaded only when such an event comes. It is
made from the classes by `make data`; a detector that is not in it yet is loaded to find out. Other packages bring
detectors in the entry-point group `headway.detectors`. Searching the installed packages is slow, so it is done only if
settings or commands need it.
"""

import os
from functools import cache

from headway.core.detector import Detector
from headway.core.watch import LooksAt
from headway.rolling.lazy import packaged

SCALES = ("step", "iteration", "run")


@cache
def built_in() -> dict[str, type[Detector]]:
    """The detectors that come with Headway, by id: step scale first, each scale by name."""
    return {id: load(id) for id in scales_by_id()}


@cache
def scales_by_id() -> dict[str, str]:
    """The scale of each detector by id, in the same order; no detector is loaded for this."""
    return {id: scale for scale in SCALES for id in _ids(scale)}


@cache
def looks_at(id: str) -> LooksAt:
    """What a built-in detector looks at."""
    said = _said().get(id)
    return LooksAt.of(load(id)) if said is None else said


@cache
def _said() -> dict[str, LooksAt]:
    return packaged("detectors/looks_at.json", dict[str, LooksAt])


@cache
def load(id: str) -> type[Detector]:
    """The class of a built-in detector."""
    name = id.title().replace("_", "")
    kind: type[Detector] = getattr(__import__(f"{__name__}.{scales_by_id()[id]}.{id}", fromlist=[name]), name)
    return kind


def _ids(scale: str) -> list[str]:
    """Names of the modules in a folder. `pkgutil` could do this too, but it imports `inspect`."""
    (here,) = __path__
    names = os.listdir(os.path.join(here, scale))  # noqa: PTH118, PTH208
    return sorted(name[:-3] for name in names if name.endswith(".py") and name != "__init__.py")


@cache
def plugin_detectors() -> dict[str, type[Detector]]:
    """Detectors of other installed packages, by id. A detector that cannot be loaded is logged and left out."""
    import logging  # both are slow to import and rarely needed
    from importlib.metadata import entry_points

    log = logging.getLogger("headway")

    found: dict[str, type[Detector]] = {}
    for entry in entry_points(group="headway.detectors"):
        try:
            kind = entry.load()
        except Exception:
            log.exception("the detector %s of %s could not be loaded", entry.name, entry.value)
            continue
        if isinstance(kind, type) and issubclass(kind, Detector):
            found[kind.id] = kind
        else:
            log.error("the entry point %s names %s, which is not a Detector class", entry.name, entry.value)
    return found
