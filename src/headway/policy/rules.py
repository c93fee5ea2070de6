"""When Headway nudges, refuses a call, and stops: an ordered list of small rules. The first rule that answers wins.

Severity decides when the agent is nudged: one high finding or two medium ones are enough, low ones are only
recorded. The ladder decides what follows if the agent continues anyway. A stop needs an earlier nudge, unless the
case is beyond doubt: a person's order, or a limit that the user has set.

Decisions are made only here. Hosts and loops carry them out as far as they can (`hosts/delivery.py`,
`loop/moves.py`).
"""

from collections.abc import Callable, Iterable
from functools import cache

from headway.core.decision import CONTINUE, Action, Decision
from headway.core.events import Event
from headway.core.finding import Finding, Severity
from headway.core.ledger import AT_THE_END, Entry
from headway.core.session import Session
from headway.policy import CALL, ENDING, FINDING, ROUND, STOPPED, Ladder
from headway.policy.rounds import ask_a_person, good_enough, roll_back, stuck
from headway.policy.wording import REPORT, decide

Rule = Callable[[list[Entry], Session, Event, Ladder], Decision | None]
"""Takes what was seen at the latest event, the session, the event and the ladder."""


def answer(occasion: int, session: Session, event: Event, ladder: Ladder) -> Decision:
    """Ask the rules for this occasion in order."""
    seen = _seen_now(session, ladder) if occasion & FINDING else []
    for rule in _rules_on(occasion):
        decision = rule(seen, session, event, ladder)
        if decision is not None:
            return decision
    return CONTINUE


def a_person_said_stop(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """A person has stopped the run."""
    if session.stopped is None:
        return None
    return Decision(action=Action.STOP, reason="manual_stop", message=f"Stopped: {session.stopped.rstrip('.')}.")


def beyond_doubt(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """A limit that the user has set is reached: it is too late for a warning."""
    certain = [entry.finding for entry in seen if is_beyond_doubt(entry.finding)]
    return decide(Action.STOP, certain) if certain else None


def a_limit_is_reached(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """The requested call would exceed a limit that the user has set: limits are checked before a call, too."""
    if session.asking is None or not session.limits.holds:
        return None
    from headway.core.stop import limit_reached  # most runs have no limit

    reached = limit_reached(session)
    if reached is None:
        return None
    reason, message = reached
    return Decision(action=Action.STOP, reason=reason, message=f"{message} {REPORT}")


def the_same_again(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """The agent continues after its nudge, for longer than the ladder allows."""
    again = [entry.finding for entry in seen if _has_gone_on(entry, ladder)]
    return decide(ladder.end, again) if again else None


def refuse_the_repeat(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """The agent requests a call again that it was nudged about: refuse it, and end the run after enough refusals."""
    if session.asking is None:
        return None
    same = [entry for entry in session.ledger.entries.values() if session.asking.digest in entry.finding.repeats]
    repeated = told(same, session, ladder)
    if not repeated:
        return None
    refused_enough = any(one.refusals >= ladder.stop_after_blocks * len(one.finding.repeats) for one in repeated)
    return decide(ladder.end if refused_enough else Action.BLOCK, [entry.finding for entry in repeated])


def one_high_finding(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """One finding of high severity is enough for a nudge."""
    high = [entry for entry in seen if entry.finding.severity.rank >= Severity.HIGH.rank]
    return _speak(_worth_saying(high, ladder), session, ladder)


def two_medium_findings(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """Medium findings of two detectors at the same time are enough for a nudge about those that are seen now."""
    now = _worth_saying([entry for entry in seen if entry.finding.severity is Severity.MEDIUM], ladder)
    if not now:
        return None
    clock = session.clock
    earlier = [
        entry
        for entry in session.ledger.entries.values()
        if entry.finding.severity is Severity.MEDIUM
        and entry.last_moment != session.event_count
        and session.ledger.is_active(entry, clock)
    ]
    detectors = {entry.finding.detector for entry in now + _worth_saying(earlier, ladder)}
    return _speak(now, session, ladder) if len(detectors) >= 2 else None


def gone_on_for_long(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """What is otherwise only recorded has gone on for so long that it is told: once, and nothing else follows."""
    return _speak([entry for entry in seen if entry.finding.worth_saying], session, ladder)


def end_of_turn(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """The final message of a turn leaves something out."""
    from headway.policy import end_of_turn as rule  # loaded when a turn ends

    return rule.end_of_turn(seen, session, event, ladder)


RULES: tuple[tuple[int, Rule], ...] = (
    (STOPPED, a_person_said_stop),
    (FINDING, ask_a_person),
    (FINDING, roll_back),
    (CALL, a_limit_is_reached),
    (FINDING, beyond_doubt),
    (ROUND, good_enough),
    (FINDING, the_same_again),
    (FINDING, stuck),
    (CALL, refuse_the_repeat),
    (ENDING, end_of_turn),
    (FINDING, one_high_finding),
    (FINDING, two_medium_findings),
    (FINDING, gone_on_for_long),
)
"""The rules in order, each with the occasion on which it can have an answer."""


@cache
def _rules_on(occasion: int) -> tuple[Rule, ...]:
    return tuple(rule for on, rule in RULES if on & occasion)


def is_beyond_doubt(finding: Finding) -> bool:
    """Critical, with full confidence, and not only advice."""
    return finding.severity is Severity.CRITICAL and finding.confidence >= 1.0 and not finding.advisory


def _seen_now(session: Session, ladder: Ladder) -> list[Entry]:
    seen = session.ledger.seen_at(session.event_count)
    if ladder.allowed and session.steps and session.steps[-1].call.digest in ladder.allowed:
        latest = session.steps[-1].call.id
        seen = [entry for entry in seen if entry.finding.call != latest]  # findings about an allowed call do not count
    return [entry for entry in seen if ladder.acts_on(entry.finding)]


def _worth_saying(entries: Iterable[Entry], ladder: Ladder) -> list[Entry]:
    return [
        entry
        for entry in entries
        if entry.finding.detector not in ladder.only_recorded
        and not entry.finding.identity.startswith(AT_THE_END)
        and ladder.acts_on(entry.finding)
    ]


def _may_act(finding: Finding, ladder: Ladder) -> bool:
    return not finding.advisory and finding.confidence >= ladder.sure


def _has_gone_on(entry: Entry, ladder: Ladder) -> bool:
    if entry.nudged_at is None or not _may_act(entry.finding, ladder):
        return False
    patience = ladder.patience(entry.finding.severity)
    if patience is None:
        return False
    if _counted(entry.finding) >= ladder.ample and not entry.finding.evidence.get("all_different"):
        return entry.since_nudge >= 1
    return entry.since_nudge >= patience * max(1, len(entry.finding.repeats))


def _counted(finding: Finding) -> int:
    """The count in a finding's evidence; 0 if it has none."""
    count = finding.evidence.get("count")
    return count if isinstance(count, int) else 0


def told(entries: Iterable[Entry], session: Session, ladder: Ladder) -> list[Entry]:
    """The nudges of this turn that no change has followed."""
    if not session.ledger.told:
        return []
    now = session.clock
    return [
        entry
        for entry in entries
        if entry.nudged_at is not None
        and session.ledger.is_active(entry, now)
        and _may_act(entry.finding, ladder)
        and ladder.acts_on(entry.finding)
        and session.changes.unanswered < entry.nudged_at  # the change comes after this step
        and max(session.changes.last_effect, session.changes.last_failed_action) <= entry.nudged_at
        and max(session.marks.waited, session.marks.heard) <= entry.nudged_at
    ]


def _speak(entries: Iterable[Entry], session: Session, ladder: Ladder) -> Decision | None:
    """Nudge about what the agent has not been told yet, unless it was nudged recently or often enough."""
    ledger = session.ledger
    untold = [entry.finding for entry in entries if entry.nudged_at is None]
    untold = [finding for finding in untold if finding.call is None or session.step_count >= ladder.first_nudge]
    if not untold:
        return None
    most_severe = max(finding.severity.rank for finding in untold)
    about_steps = any(finding.call is not None for finding in untold)
    resting = ledger.last_nudge is not None and session.step_count - ledger.last_nudge < ladder.cool_down
    if resting and about_steps and most_severe <= ledger.last_rank:
        return None
    return decide(Action.NUDGE, untold) if ledger.nudges < ladder.max_nudges else None
