"""Most of the latest searches found nothing.

Why it matters: the terms do not fit this code base, even if now and then one of them does.
Fires: when less than `rate` of the last `window` searches found anything.
Clears: when enough searches find something again, and when the user speaks.
Blind to: searches whose number of hits nobody can tell. It never stops a run: who checks that nothing is left finds
nothing.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.sizes import Sizes
from headway.core.step import Step
from headway.core.turn import KEPT_SEARCHES


class LowHitRate(Detector):
    """Few hits among the latest searches."""

    severity: Severity = Severity.MEDIUM
    advisory: bool = True
    rate: float = 0.3
    """Share of searches with a hit below which we speak."""
    window: int = 5
    """Latest searches that are counted."""
    confidence = 0.6
    clears = "List the folder or read a file first, then search for a name that occurs there."
    kinds = frozenset(("search",))

    def on_step(self, step: Step, session: Session) -> Findings:
        """Look at the rate whenever a search came back."""
        found = session.turn.found[-self.window :]
        if step.hits is None or len(found) < self.window:
            return
        hit_rate = sum(found) / self.window
        if hit_rate < self.rate:
            yield self.finding(
                f"{self.window - sum(found)} of the last {self.window} searches found nothing.",
                hit_rate=hit_rate,
                count=self.window,
            )

    def settings_error(self, sizes: Sizes) -> str | None:
        """The turn must keep as many searches as are looked at."""
        if self.window > KEPT_SEARCHES:
            return f"window is {self.window}, but only the last {KEPT_SEARCHES} searches are kept"
        return None
