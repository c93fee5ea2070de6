"""A round that made the work much worse than it has been.

Why it matters: going on from here means repairing first; going back costs nothing.
Fires: when a round is a regression and its quality lies more than `below` under the best round so far. New tests that
fail are left out of the quality as long as every test that worked still works: a test may be written first.
Clears: with the next round that does not.
Blind to: rounds that measured something else than the best one.
"""

import msgspec

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration, Measurements
from headway.core.session import Session
from headway.scoring.best import best_so_far
from headway.scoring.better import comparable
from headway.scoring.quality import quality_score
from headway.scoring.suite import suite_changes
from headway.scoring.verdict import EXACT, only_new_tests_fail, worse_in


class QualityDrop(Detector):
    """Far below the best round."""

    severity: Severity = Severity.CRITICAL
    below: float = 0.1
    """How far under the best quality a regression may lie."""
    confidence = 0.9

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the quality with the best so far."""
        best = best_so_far([one for one in session.iterations if 0 < one.number < iteration.number])
        before = session.round_that_worked(iteration)
        if before is None or best is None or not best.quality or not iteration.quality:
            return
        if not worse_in(iteration.measured, before.measured):
            return
        if not comparable(iteration, best):
            return
        baseline = next((one.measured for one in session.iterations if one.number == 0), None)
        score = quality_score(_without_new_failures(iteration.measured, best.measured), baseline)
        now, peak = score.value if score else iteration.quality.value, best.quality.value
        if round(peak - now, EXACT) > self.below:
            yield self.finding(
                f"Quality fell to {now:.2f}, from {peak:.2f} in round {best.number}.",
                identity=f"quality {' '.join(_lost(iteration.measured, before.measured))}".strip(),
                now=now,
                best=peak,
            )


def _lost(now: Measurements, before: Measurements) -> tuple[str, ...]:
    """The tests that it fell with: another drop because of other tests is not the same again."""
    suite = suite_changes(now, before)
    return (*suite.lost_tests, *suite.failed_and_gone, *suite.silenced)[:10] if suite is not None else ()


def _without_new_failures(now: Measurements, best: Measurements) -> Measurements:
    """The same without the tests that are new since the best round and fail; all of it where a working test broke."""
    new = only_new_tests_fail(now, best)
    if not new or now.tests_failed is None:
        return now
    failing = set(best.failing_tests or ())
    return msgspec.structs.replace(
        now,
        test_count=None if now.test_count is None else now.test_count - new,
        tests_failed=now.tests_failed - new,
        failing_tests=None if now.failing_tests is None else tuple(t for t in now.failing_tests if t in failing),
    )
