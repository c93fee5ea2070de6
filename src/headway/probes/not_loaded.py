"""Tests that could not even be loaded, told by what pytest prints when it gives up before the first of them.

A `conftest.py` with an error in it takes all tests down with it, and pytest writes no report. That is not a measuring
that failed: the error broke the tests, like an error in a test file.
"""

import re
from pathlib import Path

from headway.core.iteration import Measurements

_GAVE_UP = re.compile(
    rb"""^(?:ImportError while loading conftest '|INTERNALERROR>\s+File ")(?P<path>[^'"\n]*conftest\.py)['"]""",
    re.MULTILINE,
)


def not_loaded(printed: bytes, folder: Path) -> Measurements | None:
    """No test passed, and the file that is to blame failed; how many tests there are is unknown. None if none is."""
    found = _GAVE_UP.findall(printed)
    if not found:
        return None
    path = Path(found[-1].decode("utf-8", "replace"))
    name = path.relative_to(folder) if path.is_relative_to(folder) else path
    return Measurements(tests_passed=0, tests_failed=1, failing_tests=(str(name),), passing_tests=())
