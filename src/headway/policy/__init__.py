"""The only place that decides.

    here            the policy: when its rules are asked; the ladder: the numbers they work with
    rules.py        the rules in order; the first that answers wins
    rounds.py       rules about the rounds of a work loop
    end_of_turn.py  the rule about the end of a turn (claims.py, claim_words.py, since.py, last_change.py)
    wording.py      how a decision is put into words
    reasons.py      what each reason of a decision means

Hosts and loops turn a decision into what they can do, and make none of their own. Most events are no occasion for any
rule, and then none is loaded.
"""

from typing import TYPE_CHECKING, Literal

import msgspec

from headway.core.decision import CONTINUE, Action, Decision
from headway.core.events import Event, IterationEnded, ToolCalled, TurnEnding
from headway.core.finding import Finding, Severity

if TYPE_CHECKING:
    from headway.core.session import Session

Mode = Literal["observe", "nudge", "enforce"]
"""What Headway may do by itself: nothing, nudge the agent, or refuse calls and stop runs too."""

STUCK = ("stalled", "no_progress")
"""Detectors that report a stuck loop."""
LIMITS = ("spend", "deadline", "tool_budget_exceeded")
"""Reasons of a stop at a limit that the user set."""


def is_users_limit(decision: Decision) -> bool:
    """Whether a run is to end because of a limit that the user set: money, tokens, time, calls or steps."""
    if decision.action.rank < Action.STOP.rank:
        return False
    if decision.reason == "max_iterations":  # that of a task type is advice, and never certain
        return all(one.confidence >= 1.0 for one in decision.findings)
    return decision.reason in LIMITS


class Ladder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Thresholds between a finding and the end of a run."""

    mode: Mode | None = None
    """What Headway does in a live run. `observe`: nothing; what it would have done is recorded. `nudge`: it nudges the
    agent, and never refuses a call or stops a run, except for limits that you set. `enforce`: it refuses and stops too.
    The default is `nudge` in hooks, and `enforce` in frameworks, `guard` and `headway loop`."""
    first_nudge: int = 3
    """The first step at which a nudge about calls is possible."""
    cool_down: int = 3
    """Steps after a nudge in which only a more severe finding causes another nudge."""
    max_nudges: int = 8
    """Maximum number of nudges in one user turn."""
    stop_after_blocks: int = 2
    """Refusals of a call after which another attempt stops the run."""
    stop_after_high: int = 2
    """Repeats of a high finding after its nudge that stop the run."""
    stop_after_medium: int = 8
    """Repeats of a medium finding after its nudge that stop the run."""
    ample: int = 5
    """Count of a finding from which on a single repeat after its nudge stops the run, unless all its calls differ."""
    sure: float = 0.5
    """Confidence below which a finding never causes a block or a stop."""
    only_recorded: tuple[str, ...] = (
        "empty_streak",
        "low_hit_rate",
        "scope_creep",
        "similar_calls",
        "generated_edit",
    )
    """Findings that are recorded only: runs with them fail no more often than others, or too few of them are known.
    The agent is nudged once of those that last very long (`headway explain` says how long)."""
    rollback_on: tuple[str, ...] = ("test_deletion", "working_tests_failing", "quality_drop", "protected_files")
    """Detectors whose findings roll back a round. The same finding again stops the loop."""
    strict: bool = False
    """Whether any broken test rolls back a round, however many tests were fixed."""
    escalate_on: tuple[str, ...] = ("metric_cycle", "uncertain")
    """Detectors whose findings about a round are escalated to a person."""
    stop_on: tuple[str, ...] = ()
    """Detectors whose findings about a round stop the work. `headway loop` adds `stalled` and `no_progress`."""
    target_quality: float | None = None
    """Quality of a round at which the work is done."""
    attended: bool = False
    """Whether a person is watching. Then Headway escalates instead of stopping."""
    muted: tuple[str, ...] = ()
    """Detectors whose findings are recorded and lead to nothing. `headway mute` adds to them for one project."""
    allowed: tuple[int, ...] = ()
    """Fingerprints of calls that may repeat. `headway allow` adds to them for one project."""

    def acts_on(self, finding: Finding) -> bool:
        """Whether anything may follow from a finding: a person has not muted its detector or allowed its calls."""
        if finding.detector in self.muted:
            return False
        return not (self.allowed and finding.repeats and all(one in self.allowed for one in finding.repeats))

    @property
    def end(self) -> Action:
        """The action that ends a run."""
        return Action.ESCALATE if self.attended else Action.STOP

    def patience(self, severity: Severity) -> int | None:
        """Repeats of a finding of this severity after its nudge that stop the run; None for no limit."""
        return {
            Severity.LOW: None,
            Severity.MEDIUM: self.stop_after_medium,
            Severity.HIGH: self.stop_after_high,
            Severity.CRITICAL: 1,
        }[severity]


FINDING, CALL, ROUND, ENDING, STOPPED = 1, 2, 4, 8, 16
"""Occasions for rules: a finding is seen now, a call is asked for that has a limit or follows a nudge, a round or a
turn ends, a person said stop."""


def _something_failed(session: "Session") -> bool:
    """Whether a call of this turn, or a test that ran last, failed: else there is nothing to say at its end."""
    if session.errors and session.errors[-1].number >= session.turn.first_step:
        return True
    return any(history.last is not None and history.last.failed for history in session.tests.histories.values())


class Policy:
    """The rules, with one ladder."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder

    def __call__(self, session: "Session", event: Event) -> Decision:
        """Ask the rules if there is an occasion."""
        ledger, kind = session.ledger, type(event)
        occasion = FINDING if ledger.entries and ledger.sees_something(session.event_count) else 0
        if kind is ToolCalled:
            occasion |= CALL if ledger.told or session.limits.holds else 0
        elif kind is TurnEnding and _something_failed(session):
            occasion |= ENDING
        elif kind is IterationEnded:
            occasion |= ROUND
        if session.stopped is not None:
            occasion |= STOPPED
        if not occasion:
            return CONTINUE
        from headway.policy.rules import answer

        return answer(occasion, session, event, self.ladder)

    def may_refuse(self, session: "Session") -> bool:
        """Whether asking for a call now could be answered with anything but continue."""
        if session.stopped is not None or session.limits.holds:
            return True
        if not session.ledger.told:
            return False
        from headway.policy.rules import told

        return bool(told(session.ledger.entries.values(), session, self.ladder))
