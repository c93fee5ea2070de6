"""When Headway speaks, refuses a call, and stops: an ordered list of small rules, the first that answers wins.

Severity decides who is heard, as in seed 000: one high finding is enough, medium ones must be two, low ones are only
recorded. The ladder decides what follows when the agent goes on all the same. A stop needs an earlier nudge, unless the
evidence is beyond doubt: a person's word, or a limit that the user has set.
"""

from collections.abc import Callable, Iterable

import msgspec

from headway.core.decision import CONTINUE, Action, Decision
from headway.core.finding import Finding, Severity
from headway.core.ledger import SHARED, Entry, Ledger
from headway.core.session import Session
from headway.core.stop import limit_reached
from headway.policy.ladder import Ladder

REPORT = "No further calls will run. Report what you found and what is missing."
"""What an agent is told to do when its run ends."""
RUNS_AGAIN = "Headway refuses it until you change a file or wait, for example with `sleep 30`."
"""What an agent is told about a call that is refused: the conditions are those of `_told`."""

Rule = Callable[[Ledger, Session, Ladder], Decision | None]


class Policy:
    """The rules, with one ladder."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder

    def __call__(self, ledger: Ledger, session: Session) -> Decision:
        """Ask the rules in order."""
        if session.stopped is None and session.ended_round is None and not _sees_something(ledger, session):
            if session.asking is None:
                return CONTINUE
            reached = a_limit_is_reached(ledger, session, self.ladder)  # the other rules need something new
            return reached or refuse_the_repeat(ledger, session, self.ladder) or CONTINUE
        for rule in RULES:
            decision = rule(ledger, session, self.ladder)
            if decision is not None:
                return decision
        return CONTINUE

    def may_refuse(self, ledger: Ledger, session: Session) -> bool:
        """Whether asking for a call now could be answered with anything but continue."""
        return session.stopped is not None or session.limits.holds or bool(_told(ledger, session, self.ladder))


def a_person_said_stop(ledger: Ledger, session: Session, ladder: Ladder) -> Decision | None:
    """A person's word ends the run."""
    if session.stopped is None:
        return None
    return Decision(action=Action.STOP, reason="manual_stop", message=f"Stopped: {session.stopped.rstrip('.')}.")


def beyond_doubt(ledger: Ledger, session: Session, ladder: Ladder) -> Decision | None:
    """A limit that was set by the user is reached: there is nothing to warn of any more."""
    certain = [entry.finding for entry in _seen_now(ledger, session) if is_beyond_doubt(entry.finding)]
    return _decision(Action.STOP, certain) if certain else None


def a_limit_is_reached(ledger: Ledger, session: Session, ladder: Ladder) -> Decision | None:
    """A call is asked for that a limit of the user's leaves no room for: it is kept before a call, not only after."""
    reached = limit_reached(session) if session.asking is not None and session.limits.holds else None
    if reached is None:
        return None
    reason, message = reached
    return Decision(action=Action.STOP, reason=reason, message=f"{message} {REPORT}")


def ask_a_person(ledger: Ledger, session: Session, ladder: Ladder) -> Decision | None:
    """The rounds go in circles, or nobody can tell where the work stands although nothing broke."""
    unclear = [e.finding for e in _seen_now(ledger, session) if e.finding.detector in ladder.escalate_on]
    if _broken_now(ledger, session, ladder):  # going back is due, and may repair this as well
        return None
    return _decision(Action.ESCALATE, unclear) if unclear else None


def roll_back(ledger: Ledger, session: Session, ladder: Ladder) -> Decision | None:
    """A round broke something: back to the best round so far, else to the baseline. The same cause again stops."""
    broken = _broken_now(ledger, session, ladder)
    if not broken:
        return None
    causes = [entry.finding for entry in broken]
    if any(entry.rollbacks for entry in broken):
        return _decision(Action.ESCALATE if ladder.attended else Action.STOP, causes)
    from headway.scoring.best import best_to_return_to  # only rounds are scored, and most agents have none

    target = best_to_return_to(session.iterations, strict=ladder.strict)
    return msgspec.structs.replace(_decision(Action.ROLLBACK, causes), back_to=target)


def good_enough(ledger: Ledger, session: Session, ladder: Ladder) -> Decision | None:
    """A round reached the quality that was asked for."""
    latest = session.ended_round
    if ladder.target_quality is None or latest is None or latest.number == 0 or latest.quality is None:
        return None
    if latest.quality.value < ladder.target_quality:
        return None
    from headway.scoring.better import deleted_tests

    if deleted_tests(latest):  # a quality that rests on fewer tests is another one
        return None
    message = (
        f"Round {latest.number} has quality {latest.quality.value:.2f}; {ladder.target_quality:.2f} was asked for."
    )
    return Decision(action=Action.STOP, reason="target_reached", message=message, back_to=latest.number)


def the_same_again(ledger: Ledger, session: Session, ladder: Ladder) -> Decision | None:
    """It goes on after its nudge, for longer than the ladder allows."""
    again = [entry.finding for entry in _seen_now(ledger, session) if _has_gone_on(entry, ladder)]
    return _decision(Action.ESCALATE if ladder.attended else Action.STOP, again) if again else None


def refuse_the_repeat(ledger: Ledger, session: Session, ladder: Ladder) -> Decision | None:
    """The agent asks once more for a call it has been told about; asking for it again and again ends the run."""
    if session.asking is None:
        return None
    repeated = [entry for entry in _told(ledger, session, ladder) if session.asking.digest in entry.finding.repeats]
    if not repeated:
        return None
    if any(entry.refusals >= ladder.stop_after_blocks * len(entry.finding.repeats) for entry in repeated):
        action = Action.ESCALATE if ladder.attended else Action.STOP
    else:
        action = Action.BLOCK
    return _decision(action, [entry.finding for entry in repeated])


def one_high_finding(ledger: Ledger, session: Session, ladder: Ladder) -> Decision | None:
    """One finding of high severity is enough to speak."""
    high = [e for e in _seen_now(ledger, session) if e.finding.severity.rank >= Severity.HIGH.rank]
    return _speak(_worth_saying(high, ladder), ledger, session, ladder)


def two_medium_findings(ledger: Ledger, session: Session, ladder: Ladder) -> Decision | None:
    """Two detectors that see something of medium severity at the same time are enough to speak of what is seen now."""
    active = _worth_saying(ledger.active(session.clock), ladder)
    medium = [entry for entry in active if entry.finding.severity is Severity.MEDIUM]
    now = [entry for entry in medium if entry.last_moment == session.event_count]
    if not now or len({entry.finding.detector for entry in medium}) < 2:
        return None
    return _speak(now, ledger, session, ladder)


RULES: tuple[Rule, ...] = (
    a_person_said_stop,
    ask_a_person,
    roll_back,
    a_limit_is_reached,
    beyond_doubt,
    good_enough,
    the_same_again,
    refuse_the_repeat,
    one_high_finding,
    two_medium_findings,
)


def is_beyond_doubt(finding: Finding) -> bool:
    """Critical, and as sure as can be."""
    return finding.severity is Severity.CRITICAL and finding.confidence >= 1.0 and not finding.advisory


def _sees_something(ledger: Ledger, session: Session) -> bool:
    """Whether anything was seen at this very moment: mostly not."""
    if not ledger.entries:
        return False
    return next(reversed(ledger.entries.values())).last_moment == session.event_count


def _seen_now(ledger: Ledger, session: Session) -> list[Entry]:
    found: list[Entry] = []
    for entry in reversed(ledger.entries.values()):
        if entry.last_moment != session.event_count:
            break  # entries stand in the order they were last seen
        found.append(entry)
    return found[::-1]


def _broken_now(ledger: Ledger, session: Session, ladder: Ladder) -> list[Entry]:
    """What this round broke, so that it is to be rolled back; strictly, a broken test is enough."""
    found = [entry for entry in _seen_now(ledger, session) if entry.finding.detector in ladder.rollback_on]
    least = Severity.HIGH if ladder.strict else Severity.CRITICAL
    return [entry for entry in found if entry.finding.severity.rank >= least.rank]


def _worth_saying(entries: Iterable[Entry], ladder: Ladder) -> list[Entry]:
    return [entry for entry in entries if entry.finding.detector not in ladder.only_recorded]


def _may_act(finding: Finding, ladder: Ladder) -> bool:
    return not finding.advisory and finding.confidence >= ladder.sure


def _has_gone_on(entry: Entry, ladder: Ladder) -> bool:
    patience = ladder.patience(entry.finding.severity)
    if entry.nudged_at is None or patience is None or not _may_act(entry.finding, ladder):
        return False
    if _counted(entry.finding) >= ladder.ample:
        return entry.since_nudge >= 1
    return entry.since_nudge >= patience * max(1, len(entry.finding.repeats))


def _counted(finding: Finding) -> int:
    """How often a detector has counted what it saw, where it counts."""
    count = finding.evidence.get("count")
    return count if isinstance(count, int) else 0


def _told(ledger: Ledger, session: Session, ladder: Ladder) -> list[Entry]:
    """What the agent was told in this turn and has not changed anything about."""
    if not ledger.told:
        return []
    return [
        entry
        for entry in ledger.active(session.clock)
        if entry.nudged_at is not None
        and _may_act(entry.finding, ladder)
        and session.changes.last_effect <= entry.nudged_at
        and session.last_wait <= entry.nudged_at
    ]


def _speak(entries: Iterable[Entry], ledger: Ledger, session: Session, ladder: Ladder) -> Decision | None:
    """Nudge about what has not been said yet, if it is time to speak."""
    untold = [entry.finding for entry in entries if entry.nudged_at is None]
    untold = [finding for finding in untold if finding.call is None or session.step_count >= ladder.first_nudge]
    if not untold:
        return None
    weightiest = max(finding.severity.rank for finding in untold)
    about_steps = any(finding.call is not None for finding in untold)
    resting = ledger.last_nudge is not None and session.step_count - ledger.last_nudge < ladder.cool_down
    if resting and about_steps and weightiest <= ledger.last_rank:
        return None
    return _decision(Action.NUDGE, untold) if ledger.nudges < ladder.max_nudges else None


def _decision(action: Action, findings: Iterable[Finding]) -> Decision:
    """One decision about several findings: the two weightiest are spelled out."""
    ordered = sorted(findings, key=lambda f: (f.severity.rank, f.confidence), reverse=True)
    return Decision(
        action=action,
        reason=ordered[0].detector,
        confidence=max(finding.confidence for finding in ordered),
        message=_told_as(action, _once_for_each_call(ordered)[:2]),
        findings=tuple(ordered),
    )


def _once_for_each_call(findings: list[Finding]) -> list[Finding]:
    """The weightiest finding about each call; what names no call stands for itself, unless its error was quoted."""
    seen: set[str] = set()
    kept: list[Finding] = []
    for finding in findings:
        quotation = finding.message.partition('"')[2]
        is_quoted = bool(quotation) and any(quotation in other.message for other in kept)
        if not is_quoted and (not finding.identity.startswith(SHARED) or finding.identity not in seen):
            kept.append(finding)
        seen.add(finding.identity)
    return kept


def _told_as(action: Action, findings: list[Finding]) -> str:
    """What was seen, and what to do now: what clears it, or, when the run ends, a report."""
    told: dict[str, None] = {}
    for finding in findings:
        told[finding.message] = None
        if action is Action.NUDGE and finding.clears:
            told[finding.clears] = None
    if action is Action.BLOCK:
        told[RUNS_AGAIN] = None
    if action is Action.STOP and any(finding.unit != "round" for finding in findings):
        told[REPORT] = None
    return " ".join(told)
