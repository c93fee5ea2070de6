"""All detectors the commands know of: our own and those of other installed packages."""

from headway.config.plugins import plugin_detectors
from headway.core.detector import Detector
from headway.detectors import built_in


def all_detectors() -> dict[str, type[Detector]]:
    """Detectors by id."""
    return {**built_in(), **plugin_detectors()}
