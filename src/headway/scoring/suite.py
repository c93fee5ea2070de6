"""Compares the tests of two rounds by name.

Ideally both rounds name every test. If a runner names only failing tests, one that no longer fails may be fixed or
deleted, and one that newly fails may be broken or new. Then `removed_tests` and `added_tests` decide, if the files were
searched. Otherwise the numbers of tests limit what can have happened, and the rest is unknown.
"""

from collections.abc import Iterable

import msgspec

from headway.core.iteration import Measurements, SuiteChanges


def suite_changes(now: Measurements, before: Measurements) -> SuiteChanges | None:
    """The differences by name; None if the failing tests of either round are not known by name."""
    now, before = _none_named(now), _none_named(before)
    if now.failing_tests is None or before.failing_tests is None:
        return None
    now, before = steadied(now, before)
    by_name = now.passing_tests is not None and before.passing_tests is not None
    found = _from_all(now, before) if by_name else _from_failures(now, before)
    return msgspec.structs.replace(found, rewritten=_rewritten(now, before)) if now.rewritten_tests else found


def _none_named(measured: Measurements) -> Measurements:
    """The measurements with all names known if there are no tests at all."""
    if measured.test_count != 0 or measured.passing_tests is not None:
        return measured
    return msgspec.structs.replace(measured, passing_tests=(), failing_tests=(), skipped_tests=())


def _rewritten(now: Measurements, before: Measurements) -> tuple[str, ...]:
    """Tests that worked before and pass now, but only in a changed version."""
    not_working = {*(before.failing_tests or ()), *(before.rewritten_tests or ()), *(now.failing_tests or ())}
    return tuple(test for test in now.rewritten_tests or () if test not in not_working)


def steadied(now: Measurements, before: Measurements) -> tuple[Measurements, Measurements]:
    """Both rounds with flaky tests counted as passed, because their results are chance.

    A test that was flaky before and now fails every time counts as broken.
    """
    flaky = set(now.flaky_tests or ())
    was_flaky = flaky.union(before.flaky_tests or ())
    return _steady(now, flaky), _steady(before, was_flaky)


def _steady(measured: Measurements, flaky: set[str]) -> Measurements:
    chance = [test for test in measured.failing_tests or () if test in flaky]
    if not chance or measured.tests_passed is None or measured.tests_failed is None:
        return measured
    passing = measured.passing_tests
    return msgspec.structs.replace(
        measured,
        tests_passed=measured.tests_passed + len(chance),
        tests_failed=max(0, measured.tests_failed - len(chance)),
        failing_tests=tuple(test for test in measured.failing_tests or () if test not in flaky),
        passing_tests=None if passing is None else (*passing, *chance),
    )


def known_tests(measured: Measurements) -> int:
    """The number of tests; if test files could not be loaded, at least those with a result."""
    if measured.test_count is not None:
        return measured.test_count
    return (measured.tests_passed or 0) + (measured.tests_failed or 0) + (measured.tests_skipped or 0)


def _from_all(now: Measurements, before: Measurements) -> SuiteChanges:
    passed, failed, skipped = _sets(before)
    passes, fails, skips = _sets(now)
    had, has = passed | failed | skipped, passes | fails | skips
    moved = moved_tests(had - has, has - had)
    passed, failed, skipped = ({moved.get(test, test) for test in tests} for tests in (passed, failed, skipped))
    had = passed | failed | skipped
    broken, gone = (fails & passed) - failed, (passed | failed) - has - _files(before)
    if now.test_count is None:  # a test file cannot be loaded: its tests are not gone, they fail
        broken, gone = broken | (_files(now) - had if passed - has else set()), set()
    dropped, new = gone - failed, passes - had
    replaced = len(dropped) <= len(new)
    return SuiteChanges(
        fixed=_ordered((failed & passes) - fails, now.passing_tests),
        broken=_ordered(broken, now.failing_tests),
        gone=_ordered(gone, (*(before.failing_tests or ()), *(before.passing_tests or ()))),
        silenced=_ordered((skips & (passed | failed)) - skipped - passes - fails, now.skipped_tests),
        new=_ordered(new, now.passing_tests),
        new_failing=_ordered(fails - had - broken, now.failing_tests),
        lost=len(broken) + (0 if replaced else len(dropped)),
        unsure=_ordered(dropped, before.passing_tests) if replaced else (),
        gone_failing=len(gone & failed),
    )


def _from_failures(now: Measurements, before: Measurements) -> SuiteChanges:
    failed, fails = set(before.failing_tests or ()), set(now.failing_tests or ())
    cleared, newly = failed - fails, fails - failed
    gone = cleared.intersection(now.removed_tests or ())
    silenced = cleared.intersection(now.skipped_tests or ()) - set(before.skipped_tests or ())
    added = newly.intersection(now.added_tests or ())
    broken, lost, unsure = newly - added, len(newly - added), set[str]()
    if before.passing_tests is not None and now.test_count is not None:
        broken = newly.intersection(before.passing_tests)
        lost, added = len(broken), newly - broken
    elif now.added_tests is None:  # a new test that fails never worked before
        room = max(0, known_tests(now) - known_tests(before))
        lost = max(0, len(newly) - room)
        broken, unsure = (newly, set()) if not room else (set(), newly)
    fixed = cleared - gone - silenced
    grown = (now.tests_passed or 0) - (before.tests_passed or 0)
    if now.test_count is None or grown < len(fixed) - lost:  # not loaded or deleted, so they do not pass
        fixed = set()
    return SuiteChanges(
        fixed=_ordered(fixed, before.failing_tests),
        broken=_ordered(broken, now.failing_tests),
        gone=_ordered(gone, before.failing_tests),
        silenced=_ordered(silenced, now.skipped_tests),
        new_failing=_ordered(added, now.failing_tests),
        lost=lost,
        unsure=_ordered(unsure, now.failing_tests),
        gone_failing=len(gone),
    )


def _sets(measured: Measurements) -> tuple[set[str], set[str], set[str]]:
    """Passed, failed, skipped."""
    return set(measured.passing_tests or ()), set(measured.failing_tests or ()), set(measured.skipped_tests or ())


def _files(measured: Measurements) -> set[str]:
    """Failures that are not tests: files that could not be loaded."""
    if measured.test_count is not None:
        return set()
    return {name for name in measured.failing_tests or () if "::" not in name}


def moved_tests(gone: set[str], new: set[str]) -> dict[str, str]:
    """Tests that moved to another file under the same name, each with its new id; only unambiguous ones."""
    old, now = _by_name(gone), _by_name(new)
    return {tests[0]: now[name][0] for name, tests in old.items() if len(tests) == 1 and len(now.get(name, ())) == 1}


def _by_name(tests: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for test in tests:
        found.setdefault(test.rpartition("::")[2], []).append(test)
    return found


def _ordered(tests: set[str], order: Iterable[str] | None) -> tuple[str, ...]:
    """The tests in the runner's order without duplicates; others (a test that moved) at the end."""
    listed = [test for test in dict.fromkeys(order or ()) if test in tests]
    return (*listed, *sorted(tests.difference(listed)))
