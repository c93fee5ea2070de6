"""Nothing has changed for several rounds.

Why it matters: another round of the same kind costs as much as the ones before and will bring as little.
Fires: when the last `rounds` rounds were plateaus of the same quality in which nothing got better of what rounds are
judged by: tests, coverage, errors, the build. Two points of pass rate or coverage are no change, and lines and
complexity are not looked at.
Clears: with a round that moves something, or whose progress score is `progress` or more.
Blind to: work of which nothing is measured. Tests, coverage, errors or a build must be.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session
from headway.core.sizes import Sizes
from headway.scoring.verdict import STALL_PROGRESS, STALL_ROUNDS, judged_by, stalled_for


class Stalled(Detector):
    """Rounds without any movement."""

    severity: Severity = Severity.CRITICAL
    rounds: int = STALL_ROUNDS
    """Rounds without movement before we speak."""
    progress: float = STALL_PROGRESS
    """Progress score at which a round does not stand still. New words alone come to 0.43 at most."""
    confidence = 0.8

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Look at the latest rounds, this one included."""
        count = stalled_for(session.iterations, self.rounds, self.progress)
        if count:
            compared = judged_by(iteration.measured)
            what = f"none of these has improved for {count} rounds: {', '.join(compared)}"
            only = f"{compared[0]} has not improved for {count} rounds"
            told = only if len(compared) == 1 else what
            yield self.finding(
                f"{told[0].upper()}{told[1:]}. Consider a different approach, a person's help, or an alternative "
                "strategy.",
                identity="stall",
                rounds=tuple(range(iteration.number - count + 1, iteration.number + 1)),
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """As many rounds must be kept, besides the baseline."""
        if self.rounds < sizes.iterations:
            return None
        return f"rounds is {self.rounds}, but the session keeps only session.iterations = {sizes.iterations}"
