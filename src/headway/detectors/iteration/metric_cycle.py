"""The measurements repeat in a cycle.

Why it matters: rounds that return to the numbers of earlier rounds undo each other, and will continue to do so.
Fires: when test count, pass rate, coverage, errors and failing tests have gone through the same values twice (A-B-A-B).
The current round is compared with the `window` rounds it was built upon, once more than `after` rounds were made. Both
A must be equal and both B must be equal, and A and B must differ in a count, in the failing tests, or by more than two
points of pass rate or coverage. Only what was measured in all of these rounds can differ.
Clears: with new numbers.
Blind to: numbers that stay the same (see stalled), cycles that do not fit into the window twice, and rounds that were
rolled back. A single return to earlier numbers is a regression or a repair, not a cycle.
"""

from typing import Any

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration, Measurements
from headway.core.limits import Sizes
from headway.core.session import Session
from headway.scoring.suite import steadied
from headway.scoring.verdict import NO_CHANGE

SHORTEST = 3
"""Earlier rounds that the shortest cycle needs: A-B-A, followed by B."""
RATES = ("pass rate", "coverage")
"""Numbers that must differ by more than a little."""


class MetricCycle(Detector):
    """Measurements that go through the same values twice."""

    severity: Severity = Severity.CRITICAL
    window: int = 5
    """Number of earlier rounds to compare."""
    after: int = 1
    """Number of rounds after which to start looking."""
    confidence = 0.85

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Look for measurements that repeat with different ones in between."""
        rounds = self._lineage(iteration, session)
        if iteration.number <= self.after:
            return
        period = _period([_numbers(steadied(iteration.measured, one.measured)[1]) for one in rounds])
        if period:
            numbers = [one.number for one in rounds[: 2 * period]][::-1]
            twice = "the measurements of tests, coverage and errors have gone through the same values twice"
            message = f"Metrics match round {rounds[period].number} again: {twice}."
            yield self.finding(message, identity="cycle", rounds=tuple(numbers))

    def settings_error(self, sizes: Sizes) -> str | None:
        """The shortest cycle must fit into the window twice."""
        if self.window >= SHORTEST:
            return None
        return f"window is {self.window}, but a cycle takes at least {SHORTEST} earlier rounds"

    def _lineage(self, iteration: Iteration, session: Session) -> list[Iteration]:
        """A round and the rounds it was built upon, latest first. Rounds that were rolled back are not included."""
        found: list[Iteration] = [iteration]
        before = session.round_before(iteration)
        while before is not None and len(found) <= self.window:
            found.append(before)
            before = session.round_before(before) if before.number else None
        return found


def _numbers(measured: Measurements) -> dict[str, Any] | None:
    """The numbers of a round that were measured, by name; None if there are none."""
    rates = zip(RATES, (measured.pass_rate, measured.coverage_percentage), strict=True)
    numbers = {"test count": measured.test_count, **measured.error_parts, **dict(rates)}
    known: dict[str, Any] = {name: number for name, number in numbers.items() if number is not None}
    if known and measured.failing_tests is not None:
        known["failing tests"] = frozenset(measured.failing_tests)
    return known or None


def _period(latest_first: list[dict[str, Any] | None]) -> int:
    """Length of a cycle that occurred twice; 0 if there is none, or if the numbers hardly changed."""
    for period in range(2, len(latest_first) // 2 + 1):
        once = latest_first[:period]
        known = [numbers for numbers in once if numbers is not None]
        if once == latest_first[period : 2 * period] and len(known) == period and _moves(known):
            return period
    return 0


def _moves(rounds: list[dict[str, Any]]) -> bool:
    """Whether a number that all of these rounds measured has changed."""
    shared = [name for name in rounds[0] if all(name in one for one in rounds)]
    return any(_differ(name, rounds[0][name], other[name]) for name in shared for other in rounds[1:])


def _differ(name: str, one: Any, other: Any) -> bool:
    """Whether the difference counts as a change."""
    return bool(abs(one - other) > NO_CHANGE if name in RATES else one != other)
