"""How the rounds of a loop are measured: the same way every time, so that they can be compared.

A test that fails now and then would take back a good round, and a tool that timed out once would too. So what looks
like that is measured a second time, and only what shows twice counts. A test that failed once and passed once on the
same files is flaky; it is remembered, and counts no more.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from headway.core.iteration import Measurements
from headway.detectors.iteration.uncertain import NOT_NEEDED
from headway.loop.facts import Measured
from headway.loop.order import Order
from headway.probes import Plan, Reading, has_result, measured_in, merged, propose, tested_by
from headway.probes.propose import LOOKED_FOR
from headway.scoring.verdict import deltas, fails_outside_now, fewer_tests, lost_tests
from headway.tools.meaning import Vocabulary

TESTS = "tests"
JUDGED = (TESTS, "coverage", "lint", "types", "build")
"""Plans that measure what a round can be judged by."""


class Sure(NamedTuple):
    """Readings that may be relied on."""

    readings: list[Reading]
    twice: bool = False
    """Whether it took a second measuring to say so."""
    flaky: tuple[str, ...] = ()
    """Tests that failed in one of the two and not in the other."""


def plans_for(folder: Path, order: Order, before: Sequence[Measured] = ()) -> list[Plan]:
    """The plans that measured something in the round before, and what the project has come to offer besides.

    Looking afresh each time would be a way out for an agent: who deletes all tests would have nothing to measure.
    """
    kept = [one.plan for one in before if has_result(one.reading.measured)]
    proposed = _proposed(folder, order)
    found = [*kept, *(plan for plan in proposed if plan.name not in {one.name for one in kept})]
    failed = [one.plan for one in before if one.plan.name not in {plan.name for plan in found}]
    return [*found, *failed]


def _proposed(folder: Path, order: Order) -> list[Plan]:
    """What fits the project; with the user's own test command, or with `--until` where that is the only one."""
    proposed = propose(folder)
    if order.test:
        return tested_by(order.test, proposed)
    if order.until and not any(plan.name == TESTS for plan in proposed) and is_test_command(order.until):
        return tested_by(order.until, proposed)
    return proposed


def is_test_command(line: str) -> bool:
    """Does a command line run tests?"""
    return Vocabulary.packaged().meaning("bash", {"command": line}).kind == "test"


def what_is_missing(readings: Sequence[Reading]) -> str:
    """Why no tests were measured, and what it would have taken."""
    reasons = [f"{one.how}: {one.reason}" for one in readings if one.measured.tests_fault and one.reason]
    if reasons:
        return "; ".join(reasons)
    return f"no tests were found (looked for {LOOKED_FOR[TESTS]})"


def measured_surely(
    measure: Callable[[], list[Reading]], before: Measurements | None, flaky: tuple[str, ...] = ()
) -> Sure:
    """Measure, and measure again what could be chance. `flaky` are tests that are known to fail now and then."""
    first = measure()
    one = merged(first)
    if before is None or not (may_be_chance(_knowing(flaky, one), before) or {*(one.failing_tests or ())} & {*flaky}):
        return Sure(first)
    second = measure()
    other = merged(second)
    chance = _different(one, other)
    if may_be_chance(_knowing((*flaky, *chance), other), before) or (one.tests_passed or 0) > (other.tests_passed or 0):
        return Sure(first, True, chance)
    return Sure(second, True, chance)


def _different(one: Measurements, other: Measurements) -> tuple[str, ...]:
    """Tests that failed in one of two measurings of the same files, and not in the other."""
    if one.failing_tests is None or other.failing_tests is None:
        return ()
    return tuple(sorted({*one.failing_tests} ^ {*other.failing_tests}))


def may_be_chance(now: Measurements, before: Measurements) -> bool:
    """Working tests fail or are skipped although none was deleted, or something can no longer be measured."""
    deleted = now.test_count is not None and now.test_count < (before.test_count or 0)
    vanished = measured_in(before).keys() - measured_in(now).keys() - set(NOT_NEEDED)
    change = deltas(now, before)
    may_be_broken = change.suite is not None and bool(change.suite.unsure) and now.passing_tests is None
    lost = lost_tests(now, before) > 0 or fewer_tests(change) or fails_outside_now(now, before) or may_be_broken
    return bool(vanished) or (lost and not deleted)


def _knowing(flaky: tuple[str, ...], measured: Measurements) -> Measurements:
    return msgspec.structs.replace(measured, flaky_tests=flaky) if flaky else measured
