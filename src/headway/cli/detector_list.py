"""All detectors: built-in ones and those of installed plug-ins."""

from headway.core.detector import Detector
from headway.detectors import built_in, plugin_detectors


def all_detectors() -> dict[str, type[Detector]]:
    """Detectors by id."""
    return {**built_in(), **plugin_detectors()}
