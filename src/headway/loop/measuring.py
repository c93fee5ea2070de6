"""How the rounds of a loop are measured: the same way every time, so that they can be compared."""

from collections.abc import Sequence
from pathlib import Path

from headway.loop.facts import Measured
from headway.probes import Plan, measured_in, propose, tested_by


def plans_for(folder: Path, test_command: str | None, before: Sequence[Measured]) -> list[Plan]:
    """The plans that measured something in the round before, and what the project has come to offer besides.

    Looking afresh each time would be a way out for an agent: who deletes all tests would have nothing to measure.
    """
    kept = [one.plan for one in before if measured_in(one.reading.measured)]
    names = {plan.name for plan in kept}
    proposed = tested_by(test_command, propose(folder)) if test_command else propose(folder)
    return [*kept, *(plan for plan in proposed if plan.name not in names)]
