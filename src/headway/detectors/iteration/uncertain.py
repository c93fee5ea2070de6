"""The measurements no longer show where the work stands.

Why it matters: a verdict based on missing or contradicting numbers is a guess; a person should decide.
Fires: when something that was measured in the previous round is no longer measured, or when `mixed_rounds` rounds in a
row improved in some ways and got worse in others.
Clears: when everything is measured again, or a round is no longer mixed.
Blind to: what was never measured. Rounds that only ever measured tests are not uncertain.
"""

import msgspec

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.iteration import Iteration, Measurements
from headway.core.session import Session

NOT_NEEDED = (
    "failing_tests", "skipped_tests", "passing_tests", "added_tests", "removed_tests", "flaky_tests", "tests_skipped",
    "tests_exit_code", "tests_fault", "changed_measure", "rewritten_tests", "error_count", "test_count",
)  # fmt: skip
"""Measurements that may be missing: there was nothing to report, or a test file could not be loaded."""


class Uncertain(Detector):
    """Missing or contradicting measurements."""

    severity: Severity = Severity.HIGH
    mixed_rounds: int = 3
    """Mixed rounds in a row that trigger a finding."""
    confidence = 0.8

    mixed: int = state(0)

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Look for missing measurements, and count mixed rounds."""
        before = session.round_before(iteration)
        if before is None:
            self.mixed = 0
            return
        vanished = sorted(_names(before.measured) - _names(iteration.measured))
        if vanished:
            yield self.finding(
                f"Measured in round {before.number}, but not in round {iteration.number}: {_listed(vanished)}.",
                identity="vanished",
                vanished=tuple(vanished),
            )
        self.mixed = self.mixed + 1 if iteration.mixed else 0
        if self.mixed >= self.mixed_rounds:
            yield self.finding(
                f"{self.mixed} rounds in a row got better in some ways and worse in others.", identity="mixed"
            )


def _listed(names: list[str]) -> str:
    return ", ".join(name.replace("_", " ") for name in names)


def _names(measured: Measurements) -> set[str]:
    values = msgspec.structs.asdict(measured)
    return {name for name, value in values.items() if value is not None and name not in NOT_NEEDED}
