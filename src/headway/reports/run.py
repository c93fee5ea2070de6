"""The report of one run, of bounded size: what does not fit is counted."""

from typing import Any

import msgspec

from headway.core.decision import Action
from headway.core.finding import Severity

ENDING = (Action.STOP, Action.ROLLBACK, Action.ESCALATE)
"""Actions that end what the agent is doing."""


class ReportedFinding(msgspec.Struct, frozen=True):
    """One finding of a run, by identity."""

    detector: str
    severity: Severity
    confidence: float
    message: str
    evidence: dict[str, Any]
    identity: str
    first_step: int
    last_step: int
    occurrences: int


class ReportedDecision(msgspec.Struct, frozen=True):
    """One decision of a run."""

    step: int
    action: Action
    reason: str
    message: str


class Spent(msgspec.Struct, frozen=True):
    """Steps, tokens and money; a cost of None is unknown."""

    steps: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None

    @property
    def tokens(self) -> int:
        """Tokens in and out together."""
        return self.tokens_in + self.tokens_out

    def __add__(self, other: "Spent") -> "Spent":
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Spent(
            self.steps + other.steps,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            sum(costs) if costs else None,
        )


class RunReport(msgspec.Struct, frozen=True):
    """The report of one agent in one run."""

    run: str
    source: str
    reader: str
    agent: str
    """The program: claude-code, codex, …"""
    model: str | None
    steps: int
    skipped_records: int
    """Records of the whole recording that could not be read."""
    verdict: Action
    """The strongest decision of the run."""
    findings: tuple[ReportedFinding, ...]
    decisions: tuple[ReportedDecision, ...]
    spent: Spent = Spent()
    """All of it."""
    first_stop: int | None = None
    """Step of the first stop, rollback or escalation."""
    after_stop: Spent = Spent()
    """What came after such decisions, each up to the user's next message: what a stop would have saved."""
    failed_steps: int = 0
    user_turns: int = 0
    kinds: dict[str, int] = {}
    """Steps by what they do: read, edit, test, …"""
    started_at: float | None = None
    ended_at: float | None = None
    prompt: str = ""
    """The beginning of the user's first message; empty if the recording has none."""
    project: str = ""
    """The name of the folder the agent worked in; empty if the recording does not say."""
    more_findings: int = 0
    """Findings that were left out, the weakest ones."""
    more_decisions: int = 0
    """Decisions that were left out, the latest ones."""


class ScannedRun(msgspec.Struct, frozen=True):
    """The report of a run and, if requested, its timeline."""

    report: RunReport
    timeline: bytes = b""
    """The steps as the HTML page wants them: JSON."""


class ScannedFile(msgspec.Struct, frozen=True):
    """The result of reading one recording."""

    name: str
    runs: tuple[ScannedRun, ...] = ()
    size: int = 0
    skipped_records: int = 0
    passed_over: str = ""
    """Why it is not a recording; empty if it is one."""
    unread: str = ""
    """Why nothing could be read from it although its format is known; otherwise empty."""
    trouble: str = ""
    """Why it could not be read or understood, or not to its end; empty if it could."""
