"""Tests by identity, each with its outcome: the counting that several reports share."""

from collections.abc import Iterable
from typing import Final

from headway.core.iteration import Measurements

PASSED: Final = "passed"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
MOST_NAMED: Final = 1_000
"""Ids of failing or skipped tests that are kept; of more, none, since half a list would look like repaired tests."""
MOST_PASSING: Final = 10_000
"""The same for passing tests."""
_WORSE = (SKIPPED, PASSED, FAILED)


class Outcomes:
    """Counts each test once. A test that is reported twice (it failed again at its end) has the worse outcome."""

    def __init__(self) -> None:
        self._by_test: dict[tuple[str, str], str] = {}
        self.unloaded = False
        """Whether a file of tests could not be loaded: how many tests it has is unknown."""

    def __len__(self) -> int:
        return len(self._by_test)

    def add(self, test: str, outcome: str, file: str = "") -> None:
        """Note the outcome of a test; tests of the same name in two files are two."""
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
            failing_tests=named(self._that(FAILED)),
            skipped_tests=named(self._that(SKIPPED)),
            passing_tests=named(self._that(PASSED), MOST_PASSING),
        )

    def _that(self, wanted: str) -> Iterable[str]:
        return (test for (test, _), outcome in self._by_test.items() if outcome == wanted)


def named(tests: Iterable[str], most: int = MOST_NAMED) -> tuple[str, ...] | None:
    """Tests by their ids, each once, if they are not too many."""
    found = tuple(dict.fromkeys(tests))
    return found if len(found) <= most else None
