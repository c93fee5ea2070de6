"""Reads the output of a test command, for runners that write no report.

Most runners print only the names of failing tests. pytest is asked for a report as well, which names all tests.
"""

import os
from pathlib import Path

import msgspec

from headway.core.iteration import Measurements
from headway.probes.command import CommandResult
from headway.probes.junit_xml import parse as parse_junit
from headway.probes.not_loaded import not_loaded
from headway.probes.probe import Plan, ProbeError, Reading, Where
from headway.probes.report import read_printed
from headway.tools.tests_seen import TestsSeen, tests_seen


def parse(data: bytes, exit_code: int | None = None) -> Measurements:
    """The counts in the last summary that a runner printed."""
    text = data.decode("utf-8", "replace")
    seen = tests_seen(text)
    if seen is None:
        ended = "" if exit_code is None else f"; it exited with {exit_code}"
        raise ProbeError(f"the command printed no summary of a test runner{ended}{_last_line(text)}")
    return Measurements(
        test_count=None if _unloaded(seen) else seen.total,
        tests_passed=seen.passed,
        tests_failed=seen.failed,
        tests_skipped=seen.skipped,
        failing_tests=_failing(seen),
    )


def _failing(seen: TestsSeen) -> tuple[str, ...] | None:
    """The failing tests, if all of them are known: a partial list would look like fixed tests."""
    return seen.failing if seen.failed is not None and len(seen.failing) == seen.failed else None


def _unloaded(seen: TestsSeen) -> bool:
    """Whether pytest could not load a whole file or folder, so that the number of its tests is unknown."""
    return seen.runner == "pytest" and any("::" not in name for name in seen.failing)


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return f" and printed last: {lines[-1].strip()[:200]}" if lines else ""


def run(plan: Plan, where: Where) -> Reading:
    """Run the test command and read its output."""
    asked = f"{os.environ.get('PYTEST_ADDOPTS', '')} --junitxml={{reports}}/{NAMES}".strip()
    plan = msgspec.structs.replace(plan, env={"PYTEST_ADDOPTS": asked, **plan.env})

    def measured(ran: CommandResult) -> Measurements:
        found = parse(ran.output, ran.exit_code)
        found = found if found.test_count != 0 else not_loaded(ran.output, where.folder) or found
        return _with_names(found, where.reports / NAMES)

    return read_printed(plan, where, measured)


NAMES = "names-of-tests.xml"


def _with_names(printed: Measurements, report: Path) -> Measurements:
    """The measurements with all tests by name, if pytest wrote a report and it belongs to the same run."""
    try:
        named = parse_junit(report.read_bytes())
    except (OSError, ProbeError):
        return printed
    counts = ("test_count", "tests_passed", "tests_failed", "tests_skipped")
    is_same = all(getattr(printed, count) == getattr(named, count) for count in counts)
    return named if is_same else printed
