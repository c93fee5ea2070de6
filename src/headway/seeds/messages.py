"""The messages between a tracker and its orchestrator (seed 003)."""

import msgspec

from headway.core.finding import Finding
from headway.core.iteration import FileChanges, Measurements
from headway.scoring.assessment import LoopReport, Recommendation, RoundReport


class TrackerMessage(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Base class of all messages."""


class BaselineRequest(TrackerMessage, frozen=True, kw_only=True):
    """To the tracker: the measurements before any work."""

    measured: Measurements
    output: str | None = None
    snapshot: str | None = None
    at: float | None = None


class IterationComplete(TrackerMessage, frozen=True, kw_only=True):
    """To the tracker: a round has ended."""

    measured: Measurements
    output: str | None = None
    changes: FileChanges | None = None
    based_on: int | None = None
    snapshot: str | None = None
    at: float | None = None


class LoopDecisionRequest(TrackerMessage, frozen=True, kw_only=True):
    """To the tracker: should the loop continue?"""


class LoopComplete(TrackerMessage, frozen=True, kw_only=True):
    """To the tracker: the loop has ended; which round is selected?"""

    choose: int | None = None
    """The user's own choice instead of the best round."""
    because: str = ""


class ProgressReport(TrackerMessage, frozen=True, kw_only=True):
    """From the tracker: an assessed round."""

    round: RoundReport


class RegressionAlert(TrackerMessage, frozen=True, kw_only=True):
    """From the tracker, to the orchestrator and to a person: something broke."""

    iteration: int
    alerts: tuple[Finding, ...]


class LoopDecision(TrackerMessage, frozen=True, kw_only=True):
    """From the tracker: whether to continue, and why."""

    recommendation: Recommendation


class BestIterationSelection(TrackerMessage, frozen=True, kw_only=True):
    """From the tracker: the selected round, and all others."""

    loop: LoopReport
