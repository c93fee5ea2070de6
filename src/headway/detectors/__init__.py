"""All detectors. The folder is the registry: a new file is a new detector, and nothing is listed by hand."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from headway.core.detector import Detector


@cache
def built_in() -> dict[str, type[Detector]]:
    """The detectors that come with Headway, by id: step scale first, each scale by name."""
    found: dict[str, type[Detector]] = {}
    for scale in ("step", "iteration", "run"):
        found.update(_detectors_in(scale))
    return found


def _detectors_in(scale: str) -> dict[str, type[Detector]]:
    package = import_module(f"{__name__}.{scale}")
    found = {}
    for info in iter_modules(package.__path__):
        module = import_module(f"{package.__name__}.{info.name}")
        found[info.name] = getattr(module, info.name.title().replace("_", ""))
    return found
