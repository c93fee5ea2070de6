"""The measurements go round in a circle.

Why it matters: rounds that bring back the numbers of earlier rounds undo each other, and will go on doing so.
Fires: when tests, pass rate, coverage and errors are those of a round within the last `window`, with other numbers in
between; before `after` rounds it is not looked for.
Clears: with numbers that are new.
Blind to: numbers that simply stay the same (stalled), and circles longer than the window.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration, Measurements
from headway.core.session import Session
from headway.core.sizes import Sizes


class MetricCycle(Detector):
    """The same numbers again, after others."""

    severity: Severity = Severity.CRITICAL
    window: int = 5
    """Rounds that are looked back."""
    after: int = 1
    """Rounds before which it is not looked for. The seed has 10 here; a true cycle need not wait for that."""
    confidence = 0.85

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Look for the same numbers in the latest rounds, with a different round in between."""
        earlier = [one for one in session.iterations if one.number < iteration.number][-self.window :]
        now = _signature(iteration.measured)
        if now is None or iteration.number < self.after or not earlier or _signature(earlier[-1].measured) == now:
            return
        same = [one.number for one in earlier if one.number > 0 and _signature(one.measured) == now]
        if same:
            yield self.finding(
                f"Round {iteration.number} has the numbers of round {same[-1]} again, with others in between.",
                identity="cycle",
                rounds=(*same, iteration.number),
            )

    def mistake(self, sizes: Sizes) -> str | None:
        """There must be room for the earlier round and a different one in between."""
        return f"window is {self.window}, but a cycle takes at least 2 earlier rounds" if self.window < 2 else None


def _signature(measured: Measurements) -> tuple[float | None, ...] | None:
    rate = measured.pass_rate
    numbers = (measured.test_count, rate and round(rate, 1), measured.coverage_percentage, measured.errors)
    return numbers if any(number is not None for number in numbers) else None
