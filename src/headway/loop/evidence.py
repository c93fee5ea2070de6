"""Describes the rounds so far: current results, since when tests fail, and what was tried."""

from collections.abc import Sequence
from typing import NamedTuple

from headway.core.iteration import Iteration, Measurements
from headway.loop.facts import RoundEnded
from headway.probes import merged
from headway.reports.suite import names_of
from headway.reports.text import plain
from headway.reports.words import counted
from headway.scoring.assessment import RoundReport

MAX_NAMES = 10


def results_line(measured: Measurements) -> str:
    """The measurements of a round in one line; empty if nothing was measured that rounds are judged by."""
    facts = []
    if measured.tests_passed is None and measured.tests_fault is not None:
        facts.append(f"the tests could not be run: {plain(measured.tests_fault)}")
    elif measured.fails_outside_tests:
        passed = measured.tests_passed or 0
        none = "its one test does not" if passed == 1 else f"none of its {counted(passed, 'test')} does"
        facts.append(f"the test command fails with exit code {measured.tests_exit_code}, although {none}")
    elif measured.test_count == 0:
        facts.append("no tests ran")
    elif measured.tests_passed is not None and measured.test_count is not None:
        tests = f"{counted(measured.test_count, 'test')} pass{'es' * (measured.test_count == 1)}"
        skipped = f" ({measured.tests_skipped} skipped)" if measured.tests_skipped else ""
        facts.append(f"{measured.tests_passed} of {tests}{skipped}")
    elif measured.tests_failed:
        passing = counted(measured.tests_passed or 0, "test")
        facts.append(
            f"{passing} pass{'es' * (measured.tests_passed == 1)}, {measured.tests_failed} fail or cannot be run"
        )
    if measured.coverage_percentage is not None:
        facts.append(f"coverage {measured.coverage_percentage:.1f} %")
    if measured.errors is not None:
        facts.append(counted(measured.errors, "error"))
    if measured.build_status is not None:
        facts.append(f"build: {plain(measured.build_status)}")
    return ", ".join(facts)


def measuring_line(end: RoundEnded) -> str:
    """The changed files that decide how a round is measured, and the results of both versions of the tests."""
    if not end.measuring:
        is_shown = end.new_tests and end.old_tests is not None
        return f"has new test files: {names_of(end.new_tests, MAX_NAMES)}{_both_results(end)}" if is_shown else ""
    changed = set(end.changes.files) if end.changes else set()
    did = "changed how it is measured" if changed & set(end.measuring) else "is measured by what earlier rounds changed"
    return f"{did}: {names_of(end.measuring, MAX_NAMES)}{_both_results(end)}"


def unexplained_line(end: RoundEnded) -> str:
    """Tests that pass without a visible reason; empty if there are none."""
    if not end.unexplained:
        return ""
    return (
        f"tests changed although no file of the round changed: {names_of(end.unexplained, MAX_NAMES)}. They count as "
        "failing, because ignored files or the environment may make them pass"
    )


def lost_line(end: RoundEnded) -> str:
    """Ignored files that a round deleted; empty if there are none."""
    if not end.lost:
        return ""
    return f"ignored files are gone: {names_of(end.lost, MAX_NAMES)}. Headway has no copy of ignored files"


def _both_results(end: RoundEnded) -> str:
    if end.old_tests is None:
        return ""
    own, old = merged(one.reading for one in end.readings), end.old_tests.measured
    result = results_line(_tests_of(old)) or f"they could not be run ({plain(end.old_tests.reason or 'no result')})"
    failing = f" (failing: {names_of(old.failing_tests)})" if old.failing_tests else ""
    return f". With its own tests: {results_line(_tests_of(own))}; with the tests of the baseline: {result}{failing}"


def _tests_of(measured: Measurements) -> Measurements:
    """The measurements of tests only."""
    kept = ("test_count", "tests_passed", "tests_failed", "tests_skipped", "tests_exit_code", "tests_fault")
    return Measurements(**{name: getattr(measured, name) for name in kept})


class Since(NamedTuple):
    """The earliest state of the files in which a test fails: after a round, or after a person changed its files."""

    number: int
    edited: bool = False


def failing_since(rounds: Sequence[RoundReport], now: Iteration | None = None) -> list[tuple[str, Since]]:
    """The tests that fail now, each with the state since which it has failed without a break.

    `now` is the latest round with the changes of a person, if there are any.
    """
    lineage = _lineage(rounds, now)
    failing = lineage[0][1].failing_tests if lineage else None
    return [(test, _since(test, lineage)) for test in failing or ()]


def failing_lines(rounds: Sequence[RoundReport], now: Iteration | None = None) -> list[str]:
    """The same as lines of a list, longest failing first."""
    failing = sorted(failing_since(rounds, now), key=lambda item: item[1])
    lines = [f"- {plain(test)[:200]} ({_when(since)})" for test, since in failing[:MAX_NAMES]]
    return lines + ([f"- and {len(failing) - MAX_NAMES} more"] if len(failing) > MAX_NAMES else [])


def tried_lines(rounds: Sequence[RoundReport], most: int = 5) -> list[str]:
    """What the latest rounds did and achieved, one line each."""
    return [_tried(one) for one in rounds[-most:] if one.iteration.number > 0]


def _tried(report: RoundReport) -> str:
    one = report.iteration
    if one.changes is None:
        did = "made unknown changes"
    elif not one.changes.files:
        did = "changed no file"
    else:
        did = f"changed {counted(one.changes.lines, 'line')} in {names_of(sorted(one.changes.files), MAX_NAMES)}"
    stands = results_line(one.measured)
    return f"- round {one.number} {did}: {one.verdict}{'; ' + stands if stands else ''}"


def _lineage(rounds: Sequence[RoundReport], now: Iteration | None) -> list[tuple[Since, Measurements]]:
    """The latest round and what it is based on, latest first. Rounds that were rolled back are not among them.

    A round whose files a person changed before the next one is there twice: with the changes, and without them.
    """
    by_number = {one.iteration.number: one for one in rounds}
    found: list[tuple[Since, Measurements]] = []
    report = rounds[-1] if rounds else None
    while report is not None:
        one = report.iteration
        if now is not None and now.measured != one.measured:
            found.append((Since(one.number, edited=True), now.measured))
        found.append((Since(one.number), one.measured))
        now = report.previous
        report = by_number.get(now.number) if now is not None and now.number < one.number else None
    return found


def _since(test: str, lineage: Sequence[tuple[Since, Measurements]]) -> Since:
    since = lineage[0][0]
    for state, measured in lineage:
        if test not in (measured.failing_tests or ()):
            break
        since = state
    return since


def _when(since: Since) -> str:
    if since.edited:
        return "failing since files were changed by a person"
    return f"failing since round {since.number}" if since.number else "failing since before the first round"
