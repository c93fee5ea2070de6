"""Failing tests that disappear instead of passing.

Why it matters: a suite that is green because its failing tests were deleted or skipped says nothing about the work.
Fires: when failing tests of one command are gone or skipped in `limit` runs, one after the other, while no more tests
pass for it. This is advice, never a reason to stop.
Clears: when the user speaks.
Blind to: a test that is deleted while another passing one is added, and outputs that do not tell how many passed.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.secrets import mask


class VanishingTests(Detector):
    """Fewer failing tests, and no more passing ones."""

    severity: Severity = Severity.HIGH
    advisory: bool = True
    limit: int = 2
    """Runs from which failing tests disappeared before we speak."""
    confidence = 0.8
    clears = "Put the tests back and make them pass, or tell the user why they had to go before you end."
    kinds = frozenset(("test", "run", "build"))
    only_tests = True

    def on_step(self, step: Step, session: Session) -> Findings:
        """Ask the test log how many failing tests have disappeared."""
        history = session.tests.of(step.call)
        if history is None or history.last_step != step.number or history.vanished_at != step.number:
            return
        if history.vanishings >= self.limit:
            command = mask(step.meaning.command or step.tool_name)[:80]
            yield self.finding(
                f"{history.vanished} failing tests of `{command}` disappeared or were skipped between "
                f"{history.vanishings + 1} runs, and no others pass for them.",
                identity=f"{step.call.digest:x}",
                count=history.vanished,
                runs=history.vanishings,
            )
