"""Most recent searches found nothing.

Why it matters: the search terms do not fit this code base, even if one of them matches now and then.
Fires: when less than `rate` of the last `window` searches found anything. Advice only: a check that nothing is left
also finds nothing.
Clears: when enough searches find something again, and when the user sends a message.
Blind to: searches whose number of hits is unknown.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.limits import Sizes
from headway.core.parts import KEPT_SEARCHES
from headway.core.session import Session
from headway.core.step import Step


class LowHitRate(Detector):
    """Few hits among the most recent searches."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    rate: float = 0.3
    """Share of searches with a hit (0-1) below which a finding is triggered."""
    window: int = 5
    """Number of recent searches to count."""
    confidence = 0.6
    clears = "List the folder or read a file first, then search for a name that occurs there."
    kinds = frozenset(("search",))

    def on_step(self, step: Step, session: Session) -> Findings:
        """Check the rate after every search."""
        found = session.turn.found[-self.window :]
        if step.hits is None or len(found) < self.window:
            return
        hit_rate = sum(found) / self.window
        if hit_rate < self.rate:
            searches = f"{self.window} searches with a known number of hits"
            yield self.finding(
                f"{self.window - sum(found)} of the last {searches} found nothing.",
                hit_rate=hit_rate,
                count=self.window,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The turn must keep enough searches."""
        if self.window > KEPT_SEARCHES:
            return f"window is {self.window}, but only the last {KEPT_SEARCHES} searches are kept"
        return None
