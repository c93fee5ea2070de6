"""Failing tests that disappear instead of passing.

Why it matters: a test suite that is green because failing tests were deleted or skipped proves nothing.
Fires: when, in `limit` runs of one command, the number of failing tests fell by more than the number of passing tests
rose. Advice only.
Clears: when more tests fail or fewer pass than in the run before, and when the user sends a message.
Blind to: a test that is deleted while another passing one is added, and outputs that do not show how many tests passed.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.core.testing import command_of


class VanishingTests(Detector):
    """Fewer failing tests, but no more passing ones."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 2
    """Runs with disappearing tests that trigger a finding."""
    confidence = 0.8
    clears = "If tests were removed or skipped, restore them and make them pass, or report why."
    kinds = frozenset(("test", "run", "build"))
    only_tests = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Check how many failing tests have disappeared."""
        history = session.tests.of(step.call)
        if history is None or history.last_step != step.number or history.vanished_at != step.number:
            return
        first, last = history.vanished_from, history.last
        if first is not None and last is not None and history.vanishings >= self.limit and history.vanished > 0:
            rose = f"rose from {first.passed} to {last.passed}"
            passed = f"stayed at {last.passed}" if first.passed == last.passed else f"only {rose}"
            yield self.finding(
                f"Over {history.vanished_over} runs of `{command_of(step)}` that showed counts, the number of failing "
                f"tests fell from {first.failed} to {last.failed}, and the number of passing tests {passed}.",
                identity=f"{step.call.digest:x}",
                count=history.vanished,
                runs=history.vanishings,
            )
