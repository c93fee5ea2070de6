"""What is reported of a work loop, round by round."""

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
    """The round to go back to, for a rollback."""
    rejects: bool = False
    """Whether the round broke something, so its files should not stay: a rollback, or a stop for the same again."""


class RoundReport(msgspec.Struct, frozen=True, kw_only=True):
    """One round, assessed."""

    iteration: Iteration
    previous: Iteration | None = None
    """The round it began from."""
    baseline: Iteration | None = None
    alerts: tuple[Finding, ...] = ()
    recommendation: Recommendation
    best_iteration: int | None = None
    best_quality: float | None = None
    rationale: tuple[str, ...] = ()
    """The line of reasoning, under seed 003's five headings."""
    seconds: float | None = None
    """How long the round took: the agent and measuring."""
    agent_seconds: float | None = None
    """How long the agent worked."""
    cost_usd: float | None = None
    """What the agent spent, where it tells."""
    kept: bool | None = None
    """Whether its files stayed; None where that is still open, or nobody said."""
    back_to: int | None = None
    """The round whose files took the place of its own."""
    why: str = ""
    """Why its files stayed or did not; empty where nobody said."""
    measured_by: str = ""
    """How it changed what it is measured by."""
    unexplained: str = ""
    """Which tests pass although it changed no file."""
    lost: str = ""
    """Which ignored files are gone since, of which there is no copy."""


class LoopReport(msgspec.Struct, frozen=True, kw_only=True):
    """A whole loop: its rounds, and the one that is handed over."""

    loop_id: str
    rounds: tuple[RoundReport, ...] = ()
    selection: Selection | None = None
    """Known when the loop is over."""
    ending: str = ""
    """How and why the loop ended, where somebody said so."""
    left: int | None = None
    """The round whose files stayed in the working tree, where the selected one was not put in place."""
    task: str = ""
    command: str = ""
    """The agent with its arguments."""
    diff: str = ""
    """From the baseline to the round that is handed over."""
    cost_usd: float | None = None
    """What all rounds spent, as far as it is known."""
    seconds: float | None = None
