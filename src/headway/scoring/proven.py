"""What a round's measurements prove: without what the round may have made up itself.

A new test that passes says nothing about a test that fails. A round that changed the settings of a check cannot be
better in it, and lines that coverage no longer counts are not covered. The quality score keeps its formula; which round
is best, and whether a target is reached, rests on what is left.
"""

from typing import Any, NamedTuple

import msgspec

from headway.core.iteration import Measurements
from headway.scoring.suite import suite_changes
from headway.tools.test_files import is_test_file

_CHECKS = {
    "lint_errors": "lint errors",
    "lint_warnings": "lint warnings",
    "type_errors": "type errors",
    "error_count": "errors",
    "complexity_score": "complexity",
    "coverage_percentage": "coverage",
}
"""Measurements whose settings a project's files hold. More is better of coverage, less of all others."""


class Proven(NamedTuple):
    """Measurements that a round can be judged by."""

    measured: Measurements
    set_aside: tuple[str, ...] = ()
    """What was set aside, in words that follow a number: "without 40 new tests"."""


def proven(measured: Measurements, baseline: Measurements | None) -> Proven:
    """The measurements without new passing tests, if any test fails, and without gains from changed settings."""
    if baseline is None:
        return Proven(measured)
    fields: dict[str, Any] = {}
    set_aside = []
    if new := 0 if measured.all_passed else _new_passing(measured, baseline):
        fields |= _without_tests(measured, new)
        set_aside.append(_new_tests_in_words(new, by_name=_is_named(measured, baseline)))
    bounds = _bounds(measured, baseline)
    if bounds:
        fields |= bounds
        names = " and ".join(_CHECKS[name] for name in bounds)
        set_aside.append(f"with {names} as at the baseline")
    return Proven(msgspec.structs.replace(measured, **fields), tuple(set_aside)) if fields else Proven(measured)


def _new_passing(now: Measurements, baseline: Measurements) -> int:
    """How many passing tests are new; a new test in place of a working one that is gone may be the same one."""
    if now.tests_passed is None or _is_partly_loaded(baseline):
        return 0
    suite = suite_changes(now, baseline)
    if suite is not None and _is_named(now, baseline):
        return max(0, len(suite.new) - len(suite.passed_and_gone))
    more = (now.tests_run or 0) - (baseline.tests_run or 0) - len(suite.new_failing if suite else ())
    return min(now.tests_passed, max(0, more))


def _is_named(now: Measurements, baseline: Measurements) -> bool:
    return now.passing_tests is not None and (baseline.passing_tests is not None or baseline.test_count == 0)


def _new_tests_in_words(new: int, *, by_name: bool) -> str:
    """Without names it is only known how many were added, not that those are the ones that pass."""
    if by_name:
        return f"without {new} new test{'s' * (new > 1)}"
    return f"without {new} test{'s' * (new > 1)} that pass{'es' * (new == 1)}, as many as were added"


def _is_partly_loaded(measured: Measurements) -> bool:
    """Whether a test file could not be loaded: how many tests it holds is unknown, so none can be called new."""
    return measured.test_count is None and bool(measured.failing_tests or measured.tests_fault or measured.tests_failed)


def _without_tests(measured: Measurements, new: int) -> dict[str, int | None]:
    count, passed = measured.test_count, measured.tests_passed or 0
    return {"tests_passed": passed - new, "test_count": None if count is None else max(0, count - new)}


def _bounds(now: Measurements, baseline: Measurements) -> dict[str, float | None]:
    """The measurements that cannot be better than at the baseline, because what they measure was narrowed."""
    if any(not is_test_file(path) for path in now.changed_measure or ()):
        return {name: getattr(baseline, name) for name in _CHECKS if _is_better(name, now, baseline)}
    if not _is_better("coverage_percentage", now, baseline) or baseline.coverage_percentage is None:
        return {}
    covered = max(baseline.coverage_percentage, _covered_of_all(now, baseline))
    return {"coverage_percentage": covered} if covered < (now.coverage_percentage or 0.0) else {}


def _is_better(name: str, now: Measurements, baseline: Measurements) -> bool:
    """Whether a measurement is better than at the baseline, or was not made there."""
    ours, theirs = getattr(now, name), getattr(baseline, name)
    if ours is None or theirs is None:
        return ours is not None
    return bool(ours > theirs if name == "coverage_percentage" else ours < theirs)


def _covered_of_all(now: Measurements, baseline: Measurements) -> float:
    """The coverage in percent of the lines that were counted at the baseline, if those were more."""
    covered, total, before = now.coverage_lines_covered, now.coverage_lines_total, baseline.coverage_lines_total
    if covered is None or total is None or not before or total >= before:
        return 100.0
    return 100.0 * covered / before
