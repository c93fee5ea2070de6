"""Nothing has improved for several rounds.

Why it matters: another round like these costs as much and will achieve as little.
Fires: when the last `rounds` rounds were plateaus of the same quality and none of the measurements that decide a
verdict improved: tests, coverage, errors, build. A difference of up to two points in pass rate or coverage is no
change. Lines and complexity are not considered.
Clears: with a round that improves something, or whose progress score is `progress` or more.
Blind to: work without measurements. Tests, coverage, errors or a build must be measured.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.limits import Sizes
from headway.core.session import Session
from headway.scoring.verdict import STALL_PROGRESS, STALL_ROUNDS, judged_by, stalled_for


class Stalled(Detector):
    """Rounds without any improvement."""

    severity: Severity = Severity.CRITICAL
    rounds: int = STALL_ROUNDS
    """Rounds without improvement that trigger a finding."""
    progress: float = STALL_PROGRESS
    """Progress score from which on a round counts as progress. New output alone scores at most 0.43."""
    confidence = 0.8

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Check the latest rounds, including this one."""
        count = stalled_for(session.iterations, self.rounds, self.progress)
        if count:
            last = session.iterations[-count:]
            known = [one.measured for one in map(session.round_before, last) if one is not None]
            compared = judged_by(*known, *(one.measured for one in last))
            if not compared:  # in each round something else was measured
                return
            what = f"none of these has improved for {count} rounds: {', '.join(compared)}"
            only = f"{compared[0]} has not improved for {count} rounds"
            told = only if len(compared) == 1 else what
            yield self.finding(
                f"{told[0].upper()}{told[1:]}. Try a different approach, or ask a person for help.",
                identity="stall",
                rounds=tuple(range(iteration.number - count + 1, iteration.number + 1)),
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The session must keep enough rounds besides the baseline."""
        if self.rounds < sizes.iterations:
            return None
        return f"rounds is {self.rounds}, but the session keeps only session.iterations = {sizes.iterations}"
