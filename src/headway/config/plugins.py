"""Detectors that other packages bring, through the entry-point group `headway.detectors`.

Looking through the installed packages is slow, so it is done only where settings or commands ask for it.
"""

import logging
from functools import cache

from headway.core.detector import Detector

log = logging.getLogger("headway")


@cache
def plugin_detectors() -> dict[str, type[Detector]]:
    """Detectors of other installed packages, by id. One that cannot be loaded is reported and left out."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

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
