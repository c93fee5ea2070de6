"""The report of one run, of bounded size: what does not fit is counted."""

from typing import Any, Literal

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
    """Steps, tokens, money and time; None is unknown."""

    steps: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    """The cost stated in the recording."""
    estimated_usd: float | None = None
    """List price of the tokens for which the recording has no cost."""
    active_seconds: float | None = None
    """Time between events, without the time in which the agent waited for a person."""

    @property
    def tokens(self) -> int:
        """Tokens in and out together."""
        return self.tokens_in + self.tokens_out

    @property
    def known_usd(self) -> float | None:
        """What it cost: recorded and estimated together."""
        return _sum(self.cost_usd, self.estimated_usd)

    def without_double_cost(self) -> "Spent":
        """The same, without the estimate if the recording states the cost."""
        return self if self.cost_usd is None else msgspec.structs.replace(self, estimated_usd=None)

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.steps + other.steps,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            _sum(self.cost_usd, other.cost_usd),
            _sum(self.estimated_usd, other.estimated_usd),
            _sum(self.active_seconds, other.active_seconds),
        )


def _sum(one: float | None, other: float | None) -> float | None:
    """The sum; None if neither is known."""
    return other if one is None else one if other is None else one + other


CauseKind = Literal[
    "program", "module", "command", "path", "refused", "slow", "edit", "unread", "large", "search", "reread"
]


class Cause(msgspec.Struct, frozen=True):
    """Something about the project or the machine that failed in a run, and what worked instead."""

    kind: CauseKind
    subject: str
    """The program, the module, the command, the path, the tool or the query."""
    times: int
    works: str = ""
    """What worked in its place later in the run; empty if nothing did."""
    why: str = ""
    """The error, in its own words."""


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
    """Totals of the whole run."""
    first_stop: int | None = None
    """Step of the first stop, rollback or escalation."""
    after_stop: Spent = Spent()
    """Spending after such decisions, each up to the user's next message: what a stop would have saved."""
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
    agent_id: str = ""
    """Which agent of the run it is: empty for the main one, an id for a sub-agent."""
    tools: dict[str, tuple[int, int]] = {}
    """Steps and failed steps by tool."""
    causes: tuple[Cause, ...] = ()
    """What failed because of the project or the machine, most often first."""
    unpriced: dict[str, int] = {}
    """Tokens that are not in the estimate, by model: it has no list price, or none for such counts."""
    more_findings: int = 0
    """Findings that were left out, the weakest ones."""
    more_decisions: int = 0
    """Decisions that were left out, the latest ones."""


def on_the_clock(report: RunReport, spent: Spent) -> Spent:
    """What a run adds to a sum over runs: a sub-agent's time is part of its main agent's."""
    return msgspec.structs.replace(spent, active_seconds=None) if report.agent_id else spent


class ScannedRun(msgspec.Struct, frozen=True):
    """The report of a run and, if requested, its timeline."""

    report: RunReport
    timeline: bytes = b""
    """The steps as the HTML page wants them: JSON."""
    outputs: bytes = b""
    """What the calls printed that led to a finding: JSON."""
    worked: tuple[tuple[CauseKind, str], ...] = ()
    """Programs, commands and paths that worked, in the words of the causes that they rule out in other runs."""
    steps: tuple[dict[str, Any], ...] = ()
    """The steps as rows of a table."""
    of_several: bool = False
    """Whether its recording has other runs too."""


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
    missing: str = ""
    """Data that Headway needs but that was not recorded, and what to set so that it is."""
    several_runs: bool = False
    """Whether it has more than one run, requested or not."""
