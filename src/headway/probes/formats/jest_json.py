"""Reads the JSON report of Jest (`jest --json`), which Vitest writes too (`vitest --reporter=json`)."""

from collections.abc import Iterator

import msgspec

from headway.core.iteration import Measurements
from headway.probes.json_text import decoded
from headway.probes.outcomes import FAILED, PASSED, SKIPPED, Outcomes
from headway.probes.probe import Plan, Reading, Where
from headway.probes.report import read_report

_OUTCOMES = {"passed": PASSED, "failed": FAILED}
"""All other tests did not run: pending, todo, skipped, disabled."""


class _Test(msgspec.Struct, rename="camel"):
    full_name: str
    status: str


class _File(msgspec.Struct, rename="camel"):
    name: str
    status: str
    assertion_results: list[_Test]


class _Report(msgspec.Struct, rename="camel"):
    test_results: list[_File]


def parse(data: bytes) -> Measurements:
    """Count the tests of all files. A file that failed without a failing test could not be run: one failure."""
    outcomes = Outcomes()
    for file in decoded(data, _Report, "a JSON report of Jest or Vitest").test_results:
        for test, outcome in _tests(file):
            outcomes.add(test, outcome, file.name)
    return outcomes.measured()


def _tests(file: _File) -> Iterator[tuple[str, str]]:
    place = file.name.replace("\\", "/").rpartition("/")[2]  # the report has the path on the machine that wrote it
    for test in file.assertion_results:
        yield f"{place}::{test.full_name}", _OUTCOMES.get(test.status, SKIPPED)
    if file.status == "failed" and not any(test.status == "failed" for test in file.assertion_results):
        yield place, FAILED


def run(plan: Plan, where: Where) -> Reading:
    """Run the tests, and read the report that they wrote."""
    return read_report(plan, where, parse)
