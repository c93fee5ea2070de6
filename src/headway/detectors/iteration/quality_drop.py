"""A round made the work much worse than the best round.

Why it matters: continuing from here means repairing first; going back costs nothing.
Fires: when a round is a regression and its quality is more than `below` under that of the best round so far. Tests that
are new and fail are left out of the comparison as long as no working test broke, so that tests can be written first.
Clears: with the next round for which this is not the case.
Blind to: rounds with different measurements than the best one.
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
    """How far below the best quality a regression may be."""
    confidence = 0.9

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Compare the quality with the best round so far."""
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
        aside = "" if now == iteration.quality.value else " (without new tests that fail)"
        if round(peak - now, EXACT) > self.below:
            yield self.finding(
                f"Quality fell to {now:.2f}{aside}, from {peak:.2f} in round {best.number}.",
                identity=f"quality {' '.join(_lost(iteration.measured, before.measured))}".strip(),
                now=now,
                best=peak,
            )


def _lost(now: Measurements, before: Measurements) -> tuple[str, ...]:
    """The tests behind the drop. A later drop because of different tests is a different finding."""
    suite = suite_changes(now, before)
    return (*suite.lost_tests, *suite.failed_and_gone, *suite.silenced)[:10] if suite is not None else ()


def _without_new_failures(now: Measurements, best: Measurements) -> Measurements:
    """The measurements without new failing tests; unchanged if a working test broke."""
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
