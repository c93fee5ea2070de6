"""How the rounds of a loop are measured: the same way every time, so that they can be compared.

A test that fails now and then would take back a good round, and a tool that timed out once would end the loop. So what
looks like that is measured a second time, and only what shows twice counts.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from headway.core.iteration import Measurements
from headway.detectors.iteration.uncertain import NOT_NEEDED
from headway.loop.facts import Measured
from headway.probes import Plan, Reading, measured_in, merged, propose, tested_by
from headway.scoring.verdict import deltas, fewer_tests, lost_tests


def plans_for(folder: Path, test_command: str | None, before: Sequence[Measured]) -> list[Plan]:
    """The plans that measured something in the round before, and what the project has come to offer besides.

    Looking afresh each time would be a way out for an agent: who deletes all tests would have nothing to measure.
    """
    kept = [one.plan for one in before if measured_in(one.reading.measured)]
    names = {plan.name for plan in kept}
    proposed = tested_by(test_command, propose(folder)) if test_command else propose(folder)
    return [*kept, *(plan for plan in proposed if plan.name not in names)]


def measured_surely(measure: Callable[[], list[Reading]], before: Measurements | None) -> tuple[list[Reading], bool]:
    """Readings that may be relied on, and whether it took a second measuring to say so."""
    first = measure()
    if before is None or not may_be_chance(merged(first), before):
        return first, False
    second = measure()
    return (first if may_be_chance(merged(second), before) else second), True


def may_be_chance(now: Measurements, before: Measurements) -> bool:
    """Working tests fail or are skipped although none was deleted, or something can no longer be measured."""
    deleted = now.test_count is not None and now.test_count < (before.test_count or 0)
    vanished = measured_in(before).keys() - measured_in(now).keys() - set(NOT_NEEDED)
    lost = lost_tests(now, before) > 0 or fewer_tests(deltas(now, before))
    return bool(vanished) or (lost and not deleted)
