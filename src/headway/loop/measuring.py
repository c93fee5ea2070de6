"""Measures the rounds of a loop in the same way every time, so that they can be compared.

A flaky test, or a tool that timed out once, could get a good round rolled back. So a suspicious result is measured
again, and only what shows twice counts. A test that both failed and passed on the same files is flaky. From then on,
its failure counts only if it fails five times in a row.
"""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from headway.core.iteration import Measurements
from headway.detectors.iteration.uncertain import NOT_NEEDED
from headway.loop.facts import Measured
from headway.loop.spec import LoopSpec
from headway.probes import Plan, Reading, has_result, measured_in, merged, propose, tested_by
from headway.probes.propose import LOOKED_FOR
from headway.scoring.verdict import deltas, fails_outside_now, fewer_tests, lost_tests
from headway.tools.meaning import Vocabulary

TESTS = "tests"
JUDGED = (TESTS, "coverage", "lint", "types", "build")
"""Plans whose measurements a round can be judged by."""


MAX_MEASUREMENTS = 5


class Confirmed(NamedTuple):
    """Readings that were confirmed."""

    readings: list[Reading]
    times: int = 1
    flaky: tuple[str, ...] = ()
    """Tests that failed in one measurement and not in another."""
    steady: tuple[str, ...] = ()
    """Tests that were flaky in an earlier round and failed every time now."""


def plans_for(folder: Path, spec: LoopSpec, before: Sequence[Measured] = ()) -> list[Plan]:
    """The plans that measured something in the round before, and new ones that fit the project now.

    Plans are not made from scratch each time. Otherwise an agent that deletes all tests would leave nothing to measure.
    """
    kept = [one.plan for one in before if has_result(one.reading.measured)]
    proposed = _proposed(folder, spec)
    found = [*kept, *(plan for plan in proposed if plan.name not in {one.name for one in kept})]
    failed = [one.plan for one in before if one.plan.name not in {plan.name for plan in found}]
    return [*found, *failed]


def _proposed(folder: Path, spec: LoopSpec) -> list[Plan]:
    """Plans that fit the project, with the user's test command, or with `--until` if that is the only test command."""
    proposed = propose(folder)
    if spec.test:
        return tested_by(spec.test, proposed)
    if spec.until and not any(plan.name == TESTS for plan in proposed) and is_test_command(spec.until):
        return tested_by(spec.until, proposed)
    return proposed


def is_test_command(line: str) -> bool:
    """Check whether a command line runs tests."""
    return Vocabulary.packaged().meaning("bash", {"command": line}).kind == "test"


def what_is_missing(readings: Sequence[Reading]) -> str:
    """Why no tests were measured, and what is needed."""
    reasons = [f"{one.how}: {one.reason}" for one in readings if one.measured.tests_fault and one.reason]
    if reasons:
        return "; ".join(reasons)
    return f"no tests were found (looked for {LOOKED_FOR[TESTS]})"


def measure_confirmed(
    measure: Callable[[], list[Reading]], before: Measurements | None, flaky: tuple[str, ...] = ()
) -> Confirmed:
    """Measure, and measure again what could be chance. `flaky` are tests that are known to be flaky."""
    first = measure()
    one = merged(first)
    if before is None or not (may_be_chance(_knowing(flaky, one), before) or _suspects([one], before, flaky)):
        return Confirmed(first)
    second = measure()
    other = merged(second)
    all_of_them = [one, other]
    while _suspects(all_of_them, before, flaky) and len(all_of_them) < MAX_MEASUREMENTS:
        all_of_them.append(merged(measure()))
    steady, chance = _suspects(all_of_them, before, flaky), _different(all_of_them)
    known = tuple({*flaky, *chance} - steady)
    is_first = may_be_chance(_knowing(known, other), before) or (one.tests_passed or 0) > (other.tests_passed or 0)
    return Confirmed(first if is_first else second, len(all_of_them), chance, tuple(sorted(steady)))


def _suspects(measured: Sequence[Measurements], before: Measurements, flaky: Collection[str]) -> set[str]:
    """Flaky tests that failed in every measurement so far, and did not fail every time before."""
    failed_before = {*(before.failing_tests or ())} - {*(before.flaky_tests or ())}
    failing = (frozenset(one.failing_tests or ()) for one in measured)
    return {test for test in flaky if test not in failed_before}.intersection(*failing)


def _different(measured: Sequence[Measurements]) -> tuple[str, ...]:
    """Tests that failed in one measurement of the same files and not in another."""
    named = [{*one.failing_tests} for one in measured if one.failing_tests is not None]
    return tuple(sorted(named[0].union(*named) - named[0].intersection(*named))) if named else ()


def may_be_chance(now: Measurements, before: Measurements) -> bool:
    """Check whether working tests fail or are skipped though none was deleted, or a measurement is missing."""
    deleted = now.test_count is not None and now.test_count < (before.test_count or 0)
    vanished = measured_in(before).keys() - measured_in(now).keys() - set(NOT_NEEDED)
    change = deltas(now, before)
    may_be_broken = change.suite is not None and bool(change.suite.unsure) and now.passing_tests is None
    lost = lost_tests(now, before) > 0 or fewer_tests(change) or fails_outside_now(now, before) or may_be_broken
    return bool(vanished) or (lost and not deleted)


def _knowing(flaky: tuple[str, ...], measured: Measurements) -> Measurements:
    return msgspec.structs.replace(measured, flaky_tests=flaky) if flaky else measured
