"""Failing tests that disappear instead of passing.

Why it matters: a test suite that is green because failing tests were deleted or skipped proves nothing.
Fires: when, in `limit` runs of one command, the number of failing tests fell by more than the number of passing tests
rose. Advice only.
Clears: when the user speaks.
Blind to: a test that is deleted while another passing one is added, and outputs that do not show how many tests passed.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.secrets import mask


class VanishingTests(Detector):
    """Fewer failing tests, but no more passing ones."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 2
    """Runs with disappearing tests that trigger a finding."""
    confidence = 0.8
    clears = "Restore the tests and make them pass, or report why they were removed."
    kinds = frozenset(("test", "run", "build"))
    only_tests = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Check how many failing tests have disappeared."""
        history = session.tests.of(step.call)
        if history is None or history.last_step != step.number or history.vanished_at != step.number:
            return
        if history.vanishings >= self.limit:
            command = mask(step.meaning.command or step.tool_name)[:80]
            yield self.finding(
                f"{history.vanished} failing tests of `{command}` disappeared or were skipped over "
                f"{history.vanishings + 1} runs instead of passing.",
                identity=f"{step.call.digest:x}",
                count=history.vanished,
                runs=history.vanishings,
            )
