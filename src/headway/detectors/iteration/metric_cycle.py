"""The measurements go round in a circle.

Why it matters: rounds that bring back the numbers of earlier rounds undo each other, and will go on doing so.
Fires: when tests, pass rate, coverage, errors and failing tests have gone through the same values twice over (A-B-A-B)
in the last rounds this one came from, `window` of them before it, and there were more than `after` rounds. The numbers
of A must be equal each time, and those of B more than two points of pass rate or coverage away from them.
Clears: with numbers that are new.
Blind to: numbers that simply stay the same (stalled), circles that do not fit twice into the window, and rounds that
were taken back. One return to earlier numbers is a regression or a repair, not a circle.
"""

from typing import Any, NamedTuple

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration, Measurements
from headway.core.session import Session
from headway.core.sizes import Sizes
from headway.scoring.suite import steadied
from headway.scoring.verdict import NO_CHANGE

SHORTEST = 3
"""Earlier rounds that the shortest circle needs: A-B-A, and then B again."""


class MetricCycle(Detector):
    """The same numbers again, after others, twice over."""

    severity: Severity = Severity.CRITICAL
    window: int = 5
    """Rounds that are looked back."""
    after: int = 1
    """Rounds that must have been made before it is looked for. A true cycle need not wait."""
    confidence = 0.85

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Look for numbers that have repeated themselves, with a different round in between."""
        rounds = self._lineage(iteration, session)
        if iteration.number <= self.after:
            return
        period = _period([_numbers(steadied(iteration.measured, one.measured)[1]) for one in rounds])
        if period:
            numbers = [one.number for one in rounds[: 2 * period]][::-1]
            told = f"Round {iteration.number} has the numbers of round {rounds[period].number} again"
            yield self.finding(f"{told}, with others in between.", identity="cycle", rounds=tuple(numbers))

    def settings_error(self, sizes: Sizes) -> str | None:
        """There must be room for two turns of the shortest circle."""
        if self.window >= SHORTEST:
            return None
        return f"window is {self.window}, but a cycle takes at least {SHORTEST} earlier rounds"

    def _lineage(self, iteration: Iteration, session: Session) -> list[Iteration]:
        """A round and those it came from, latest first: what was rolled back does not count."""
        found: list[Iteration] = [iteration]
        before = session.round_before(iteration)
        while before is not None and len(found) <= self.window:
            found.append(before)
            before = session.round_before(before) if before.number else None
        return found


class _Numbers(NamedTuple):
    """What a round is compared by."""

    counts: tuple[Any, ...]
    """Tests, errors, and the failing tests where they are known."""
    rates: tuple[float | None, float | None]
    """Pass rate and coverage."""


def _numbers(measured: Measurements) -> _Numbers | None:
    """The exact numbers of a round; None if nobody measured any."""
    rates = (measured.pass_rate, measured.coverage_percentage)
    if (measured.test_count, measured.errors, *rates) == (None,) * 4:
        return None
    failing = None if measured.failing_tests is None else frozenset(measured.failing_tests)
    return _Numbers((measured.test_count, measured.errors, failing), rates)


def _period(latest_first: list[_Numbers | None]) -> int:
    """After how many rounds the numbers come back, twice over; 0 if they do not, or hardly changed."""
    for period in range(2, len(latest_first) // 2 + 1):
        once = latest_first[:period]
        known = [numbers for numbers in once if numbers is not None]
        if once == latest_first[period : 2 * period] and len(known) == period and _moves(known):
            return period
    return 0


def _moves(numbers: list[_Numbers]) -> bool:
    return any(_differ(numbers[0], other) for other in numbers[1:])


def _differ(one: _Numbers, other: _Numbers) -> bool:
    """More than what counts as no change."""
    pairs = zip(one.rates, other.rates, strict=True)
    return one.counts != other.counts or any(
        (a is None) != (b is None) or abs((a or 0) - (b or 0)) > NO_CHANGE for a, b in pairs
    )
