"""Recognises that pytest stopped before the first test, from its output.

An error in a `conftest.py` stops all tests, and pytest writes no report. That is not a failed measurement: the error
broke the tests, like an error in a test file.
"""

import re
from pathlib import Path

from headway.core.iteration import Measurements

_GAVE_UP = re.compile(
    rb"""^(?:ImportError while loading conftest '|INTERNALERROR>\s+File ")(?P<path>[^'"\n]*conftest\.py)['"]""",
    re.MULTILINE,
)


def not_loaded(printed: bytes, folder: Path) -> Measurements | None:
    """The broken file as the one failing test, with the number of tests unknown; None without such an error."""
    found = _GAVE_UP.findall(printed)
    if not found:
        return None
    path = Path(found[-1].decode("utf-8", "replace"))
    name = path.relative_to(folder) if path.is_relative_to(folder) else path
    return Measurements(tests_passed=0, tests_failed=1, failing_tests=(str(name),), passing_tests=())
