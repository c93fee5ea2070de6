"""The assessment of a loop: its rounds, the recommendation after each, and the selected round."""

import msgspec

from headway.core.decision import Action
from headway.core.finding import Finding
from headway.core.iteration import Iteration
from headway.scoring.best import Selection


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """What to do after a round."""

    action: Action
    reason: str
    confidence: float
    message: str = ""
    target_iteration: int | None = None
    """The round to return to, for a rollback."""
    rejects: bool = False
    """Whether the round broke something, so that its files must not stay."""


class RoundReport(msgspec.Struct, frozen=True, kw_only=True):
    """One round, assessed."""

    iteration: Iteration
    previous: Iteration | None = None
    """The round it started from."""
    baseline: Iteration | None = None
    alerts: tuple[Finding, ...] = ()
    recommendation: Recommendation
    best_iteration: int | None = None
    best_quality: float | None = None
    rationale: tuple[str, ...] = ()
    """The reasoning: goal, extraction, reasoning, exception, synthesis."""
    seconds: float | None = None
    """How long the round took: the agent and measuring."""
    agent_seconds: float | None = None
    """How long the agent worked."""
    cost_usd: float | None = None
    """What the agent spent, if it reports that."""
    kept: bool | None = None
    """Whether its files were kept; None if unknown."""
    back_to: int | None = None
    """The round whose files replaced its own."""
    why: str = ""
    """Why its files were kept or not; empty if unknown."""
    measured_by: str = ""
    """How it changed the way it is measured."""
    unexplained: str = ""
    """Which tests pass although it changed no file."""
    lost: str = ""
    """Ignored files that are lost, because there is no copy."""


class LoopReport(msgspec.Struct, frozen=True, kw_only=True):
    """A whole loop: its rounds, and the selected one."""

    loop_id: str
    rounds: tuple[RoundReport, ...] = ()
    selection: Selection | None = None
    """Set when the loop has ended."""
    ending: str = ""
    """How and why the loop ended, if known."""
    left: int | None = None
    """The round whose files are in the working tree, if it is not the selected one."""
    task: str = ""
    command: str = ""
    """The agent with its arguments."""
    diff: str = ""
    """Diff from the baseline to the selected round."""
    cost_usd: float | None = None
    """What all rounds spent, as far as it is known."""
    seconds: float | None = None
