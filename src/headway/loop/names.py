"""Finds new and deleted tests if the test command names only failing tests.

Such a command cannot tell a fixed test from a deleted one, or a broken test from a new one. The files can: an existing
test has its name in one of them.
"""

import re
from collections.abc import Callable, Sequence

from headway.core.iteration import Measurements

Look = Callable[[int, set[str]], set[str]]
"""Returns the given words that occur in the files of a round."""

_PLACE = re.compile(r"^.*(?:::|›|>)\s*")
_CASE = re.compile(r"\s*[\[(].*$", re.DOTALL)


def new_and_gone_tests(
    now: Measurements, earlier: Sequence[Measurements], began_from: int, number: int, look: Look
) -> Measurements:
    """The failing tests that are new since the baseline, and the earlier failing tests that were deleted.

    `earlier` are the measurements of the rounds before, the baseline first.
    """
    if now.failing_tests is None or now.passing_tests is not None or not earlier:
        return Measurements()
    failed = {test for one in earlier for test in one.failing_tests or ()}
    newly, cleared = set(now.failing_tests) - failed, failed - set(now.failing_tests)
    if not newly and not cleared:
        return Measurements(added_tests=_kept(now, earlier), removed_tests=())
    words = {test: _name(test) for test in newly | cleared}
    here = look(number, set(words.values()))
    before = look(0, set(words.values()))
    since = before | look(began_from, set(words.values())) if cleared and began_from else before
    added: tuple[str, ...] | None = None
    if all(words[test] in here | before for test in newly):  # otherwise the names are generated
        added = (*_kept(now, earlier), *sorted(test for test in newly if words[test] not in before))
    removed = sorted(test for test in cleared if words[test] in since and words[test] not in here)
    return Measurements(added_tests=added, removed_tests=tuple(removed))


def _kept(now: Measurements, earlier: Sequence[Measurements]) -> tuple[str, ...]:
    """Tests that were new in an earlier round and still fail."""
    known = {test for one in earlier for test in one.added_tests or ()}
    return tuple(test for test in now.failing_tests or () if test in known)


def _name(test: str) -> str:
    """The part of a test's id that occurs in a file: without path and parameters."""
    return _CASE.sub("", _PLACE.sub("", test)).strip() or test
