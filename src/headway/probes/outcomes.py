"""Counts tests by their ids and outcomes; several report formats use it."""

from collections.abc import Iterable
from typing import Final

from headway.core.iteration import Measurements

PASSED: Final = "passed"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
MOST_NAMED: Final = 1_000
"""Maximum number of failing or skipped tests to name. With more, none are: a partial list would look like fixed tests.
"""
MOST_PASSING: Final = 10_000
"""The same for passing tests."""
_WORSE = (SKIPPED, PASSED, FAILED)


class Outcomes:
    """Counts each test once. A test that is reported twice (a failing teardown, for example) gets the worse outcome."""

    def __init__(self) -> None:
        self._by_test: dict[tuple[str, str], str] = {}
        self.unloaded = False
        """Whether a test file could not be loaded, so that the number of its tests is unknown."""

    def __len__(self) -> int:
        return len(self._by_test)

    def add(self, test: str, outcome: str, file: str = "") -> None:
        """Record the outcome of a test. Tests of the same name in two files are different tests."""
        key = (test, file)
        self._by_test[key] = max(outcome, self._by_test.get(key, outcome), key=_WORSE.index)

    def measured(self) -> Measurements:
        """The counts, and all tests by name."""
        outcomes = list(self._by_test.values())
        return Measurements(
            test_count=None if self.unloaded else len(outcomes),
            tests_passed=outcomes.count(PASSED),
            tests_failed=outcomes.count(FAILED),
            tests_skipped=outcomes.count(SKIPPED),
            failing_tests=named(self._with_outcome(FAILED)),
            skipped_tests=named(self._with_outcome(SKIPPED)),
            passing_tests=named(self._with_outcome(PASSED), MOST_PASSING),
        )

    def _with_outcome(self, wanted: str) -> Iterable[str]:
        return (test for (test, _), outcome in self._by_test.items() if outcome == wanted)


def named(tests: Iterable[str], most: int = MOST_NAMED) -> tuple[str, ...] | None:
    """The ids without duplicates, or None if there are too many."""
    found = tuple(dict.fromkeys(tests))
    return found if len(found) <= most else None
