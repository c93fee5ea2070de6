"""Reads CTRF, a JSON test report for which most test runners have a plugin."""

import msgspec

from headway.core.iteration import Measurements
from headway.probes.json_text import Count, decoded
from headway.probes.outcomes import MOST_NAMED, MOST_PASSING, named
from headway.probes.probe import Plan, ProbeError, Reading, Where
from headway.probes.report import read_report


class _Summary(msgspec.Struct):
    tests: Count
    passed: Count
    failed: Count
    skipped: Count = 0
    pending: Count = 0
    other: Count = 0


class _Test(msgspec.Struct, rename="camel"):
    name: str
    status: str
    suite: str | list[str] | None = None
    file_path: str | None = None


class _Results(msgspec.Struct):
    summary: _Summary
    tests: list[_Test] = []


class _Report(msgspec.Struct):
    results: _Results


def parse(data: bytes) -> Measurements:
    """The counts of the summary, and the ids of the tests that failed or were skipped."""
    results = decoded(data, _Report, "a CTRF report").results
    summary = results.summary
    counted = summary.passed + summary.failed + summary.skipped + summary.pending + summary.other
    if counted != summary.tests:
        raise ProbeError(f"the summary counts {summary.tests} tests, but {counted} outcomes")
    skipped = summary.skipped + summary.pending
    return Measurements(
        test_count=summary.tests,
        tests_passed=summary.passed,
        tests_failed=summary.failed,
        tests_skipped=skipped,
        failing_tests=_named(results.tests, ("failed",), summary.failed),
        skipped_tests=_named(results.tests, ("skipped", "pending"), skipped),
        passing_tests=_named(results.tests, ("passed",), summary.passed, MOST_PASSING),
    )


def _named(tests: list[_Test], statuses: tuple[str, ...], count: int, most: int = MOST_NAMED) -> tuple[str, ...] | None:
    """The ids of all tests with these statuses; None if the report does not list as many as it counts."""
    found = named((_identity(test) for test in tests if test.status in statuses), most)
    return found if found is not None and len(found) == count else None


def _identity(test: _Test) -> str:
    suite = " > ".join(test.suite) if isinstance(test.suite, list) else test.suite
    place = suite or test.file_path
    return f"{place}::{test.name}" if place else test.name


def run(plan: Plan, where: Where) -> Reading:
    """Run the tests, and read the report that they wrote."""
    return read_report(plan, where, parse)
