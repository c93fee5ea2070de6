"""All detectors: built-in ones and those of installed plug-ins."""

from headway.config.plugins import plugin_detectors
from headway.core.detector import Detector
from headway.detectors import built_in


def all_detectors() -> dict[str, type[Detector]]:
    """Detectors by id."""
    return {**built_in(), **plugin_detectors()}
