"""Reads `go test -json`: one record for each event of a test."""

import re

import msgspec

from headway.core.iteration import Measurements
from headway.probes.json_text import decoded
from headway.probes.outcomes import FAILED, PASSED, SKIPPED, Outcomes
from headway.probes.probe import Plan, ProbeError, Reading, Where
from headway.probes.report import read_report

_NOT_BUILT = re.compile(rb"FAIL\t(\S+) \[")
"""How older versions report a package that did not build: as plain text between the records."""
_OUTCOMES = {"pass": PASSED, "fail": FAILED, "skip": SKIPPED}


class _Record(msgspec.Struct, rename="pascal"):
    action: str
    package: str = ""
    test: str = ""


def parse(data: bytes) -> Measurements:
    """Count the tests without subtests. A package that failed without a failing test did not build: one failure."""
    ended: dict[str, dict[str, str]] = {}
    for number, line in enumerate(data.splitlines(), 1):
        if line.startswith(b"{"):  # messages of the compiler are plain text
            record = _record(line, number)
            if outcome := _OUTCOMES.get(record.action):
                ended.setdefault(record.package, {})[record.test] = outcome
        elif not_built := _NOT_BUILT.match(line):
            ended[not_built[1].decode("utf-8", "replace")] = {"": FAILED}
    if not ended:
        raise ProbeError('no package has ended; expected records of `go test -json`, such as {"Action":"pass"}')
    return _counted(ended)


def _record(line: bytes, number: int) -> _Record:
    try:
        return decoded(line, _Record, "a record of `go test -json`")
    except ProbeError as error:
        raise ProbeError(f"line {number}: {error}") from error


def _counted(ended: dict[str, dict[str, str]]) -> Measurements:
    outcomes = Outcomes()
    for package, tests in ended.items():
        parents = {test.rpartition("/")[0] for test in tests if test}
        for test, outcome in tests.items():
            if test and test not in parents:
                outcomes.add(f"{package}::{test}", outcome)
        if tests.get("") == FAILED and FAILED not in [outcome for test, outcome in tests.items() if test]:
            outcomes.add(package, FAILED)
    return outcomes.measured()


def run(plan: Plan, where: Where) -> Reading:
    """Run the tests, and read the records that they print."""
    return read_report(plan, where, parse)
