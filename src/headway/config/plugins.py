"""Detectors of other packages, from the entry-point group `headway.detectors`.

Searching the installed packages is slow, so it is done only if settings or commands need it.
"""

from functools import cache

from headway.core.detector import Detector


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
