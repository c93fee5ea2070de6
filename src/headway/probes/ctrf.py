"""CTRF, a JSON report of tests for which most runners have a plugin."""

import msgspec

from headway.core.iteration import Measurements
from headway.probes.json_text import Count, decoded
from headway.probes.outcomes import MOST_FAILING
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
    """The counts of the summary, and the ids of the tests that failed."""
    results = decoded(data, _Report, "a CTRF report").results
    summary = results.summary
    counted = summary.passed + summary.failed + summary.skipped + summary.pending + summary.other
    if counted != summary.tests:
        raise ProbeError(f"the summary counts {summary.tests} tests, but {counted} outcomes")
    failing = tuple(dict.fromkeys(_identity(test) for test in results.tests if test.status == "failed"))
    whole = len(failing) == summary.failed <= MOST_FAILING
    return Measurements(
        test_count=summary.tests,
        tests_passed=summary.passed,
        tests_failed=summary.failed,
        tests_skipped=summary.skipped + summary.pending,
        failing_tests=failing if whole else None,
    )


def _identity(test: _Test) -> str:
    suite = " > ".join(test.suite) if isinstance(test.suite, list) else test.suite
    place = suite or test.file_path
    return f"{place}::{test.name}" if place else test.name


def run(plan: Plan, where: Where) -> Reading:
    """Run the tests, and read the report that they wrote."""
    return read_report(plan, where, parse)
