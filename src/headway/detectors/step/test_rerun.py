"""Running the same failing tests again without a change.

Why it matters: tests do not start to pass because they are run again.
Fires: at the `limit`-th run of the same tests with the same failures and no change in between. A different output
filter (`| tail -20`) does not make it a different run. Runs in one parallel batch count once.
Clears: when a file is changed, when the result differs, after a call that waits or a pause of a minute, after a
compaction, and when the user sends a message.
Blind to: outputs that do not show which tests failed, and repeats that the user asked for.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.testing import command_of


class TestRerun(Detector):
    """Failing tests, run again without a change."""

    __test__ = False  # it is not a test itself

    severity: Severity = Severity.HIGH
    limit: int = 3
    """Equal runs that trigger a finding, including the first."""
    confidence = 0.9
    clears = "Run the tests again after a change and they will be accepted."
    kinds = frozenset(("test", "run", "build"))
    only_tests = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Check how often these tests gave this result."""
        history = session.tests.of(step.call)
        if step.tests is None or history is None or not step.tests.failed or session.is_expected_repeat(step):
            return
        if not step.tests.failing:  # it is unknown which tests failed: equal counts may be different failures
            return
        if history.same_since_change >= self.limit:
            count, failed = history.same_since_change + history.repeated_in_batch, step.tests.failed
            yield self.finding(
                f"This is run {count} of `{command_of(step)}` with the same {failed} "
                f"failing test{'s' * (failed > 1)} and no change seen in between.",
                identity=f"call:{step.call.digest:x}",
                repeats=[step.call.digest],
                count=count,
                failed=failed,
                failing=step.tests.failing[:10],
            )
