"""The measurements go round in a circle.

Why it matters: rounds that bring back the numbers of earlier rounds undo each other, and will go on doing so.
Fires: when tests, pass rate, coverage and errors are those of one of the last `window` rounds this one came from, with
other numbers in between, and there were more than `after` rounds.
Clears: with numbers that are new.
Blind to: numbers that simply stay the same (stalled), and circles longer than the window.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.core.sizes import Sizes
from headway.scoring.verdict import NO_CHANGE


class MetricCycle(Detector):
    """The same numbers again, after others."""

    severity: Severity = Severity.CRITICAL
    window: int = 5
    """Rounds that are looked back."""
    after: int = 1
    """Rounds that must have been made before it is looked for. The seed has 10 here; a true cycle need not wait."""
    confidence = 0.85

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Look for the same numbers in the latest rounds, with a different round in between."""
        earlier = self._lineage(iteration, session)
        if iteration.number <= self.after or not earlier or _is_like(iteration, earlier[0]):
            return
        same = [one.number for one in earlier if one.number > 0 and _is_like(iteration, one)]
        if same:
            yield self.finding(
                f"Round {iteration.number} has the numbers of round {same[0]} again, with others in between.",
                identity="cycle",
                rounds=(*reversed(same), iteration.number),
            )

    def mistake(self, sizes: Sizes) -> str | None:
        """There must be room for the earlier round and a different one in between."""
        return f"window is {self.window}, but a cycle takes at least 2 earlier rounds" if self.window < 2 else None

    def _lineage(self, iteration: Iteration, session: Session) -> list[Iteration]:
        """The rounds it came from, latest first: what was rolled back does not count."""
        found: list[Iteration] = []
        before = session.round_before(iteration)
        while before is not None and len(found) < self.window:
            found.append(before)
            before = session.round_before(before) if before.number else None
        return found


def _is_like(one: Iteration, other: Iteration) -> bool:
    """The same tests and errors, and rates that differ by no more than counts as a change."""
    a, b = one.measured, other.measured
    if all(value is None for value in (a.test_count, a.pass_rate, a.coverage_percentage, a.errors)):
        return False
    close = _is_close(a.pass_rate, b.pass_rate) and _is_close(a.coverage_percentage, b.coverage_percentage)
    return (a.test_count, a.errors) == (b.test_count, b.errors) and close


def _is_close(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= NO_CHANGE
