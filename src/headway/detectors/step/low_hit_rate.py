"""Most recent searches found nothing.

Why it matters: the search terms do not fit this code base, even if one of them matches now and then.
Fires: when less than `rate` of the last `window` searches found anything. Advice only: a check that nothing is left
also finds nothing. It is therefore only recorded, until it is so for the last 50 searches: then the agent is nudged
once.
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
    worth_saying = KEPT_SEARCHES

    def on_step(self, step: Step, session: Session) -> Findings:
        """Check the rate after every search."""
        found = session.turn.found[-self.window :]
        if step.hits is None or len(found) < self.window:
            return
        hit_rate = sum(found) / self.window
        if hit_rate < self.rate:
            lasted = self._lasted(session.turn.found)
            told = session.turn.found[-lasted:] if lasted >= self.worth_saying else found
            yield self.finding(
                f"{len(told) - sum(told)} of the last {len(told)} searches with a known number of hits found nothing.",
                lasted=lasted,
                hit_rate=hit_rate,
                count=self.window,
            )

    def _lasted(self, found: list[bool]) -> int:
        """The most recent searches, as many as possible, of which too few found anything; 0 if none of them did.

        Where none did, it is a streak (see empty_streak).
        """
        hits, longest = 0, self.window
        for count, one in enumerate(reversed(found), 1):
            hits += one
            longest = count if count > longest and hits < self.rate * count else longest
        return longest if any(found[-longest:]) else 0

    def settings_error(self, sizes: Sizes) -> str | None:
        """The turn must keep enough searches."""
        if self.window > KEPT_SEARCHES:
            return f"window is {self.window}, but only the last {KEPT_SEARCHES} searches are kept"
        return None
