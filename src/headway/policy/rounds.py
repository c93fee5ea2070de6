"""Rules about the rounds of a work loop: ask a person, go back, good enough, stuck."""

import msgspec

from headway.core.decision import Action, Decision
from headway.core.events import Event
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.ledger import Entry
from headway.core.session import Session
from headway.policy import Ladder
from headway.policy.wording import decide

NOTHING_LEFT = (
    "Nothing is left to improve: all tests pass, no other measurement can get better, and the latest rounds changed "
    "nothing. Only you can tell whether the task is done."
)


def ask_a_person(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """The rounds go in circles, or the measurements no longer show where the work stands although nothing broke."""
    unclear = [one.finding for one in seen if one.finding.detector in ladder.escalate_on]
    if not unclear or _broken(seen, ladder):  # a rollback comes first, and may resolve this as well
        return None
    return decide(Action.ESCALATE, unclear)


def roll_back(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """A round broke something: roll back to the best round so far, or the baseline. The same cause again stops."""
    broken = _broken(seen, ladder)
    if not broken:
        return None
    causes = [entry.finding for entry in broken]
    if any(entry.rollbacks for entry in broken):
        return decide(ladder.end, causes)
    from headway.scoring.best import best_to_return_to  # only rounds are scored, and most agents have none

    target = best_to_return_to(session.iterations, strict=ladder.strict)
    return msgspec.structs.replace(decide(Action.ROLLBACK, causes), back_to=target)


def good_enough(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """A round reached the target quality."""
    latest = session.ended_round
    if ladder.target_quality is None or latest is None or latest.number == 0 or latest.quality is None:
        return None
    from headway.scoring.better import deleted_tests, sure_value

    if sure_value(latest) < ladder.target_quality:
        return None
    if deleted_tests(latest):  # a quality based on fewer tests is not comparable
        return None
    message = f"Round {latest.number} has quality {sure_value(latest):.2f}; {ladder.target_quality:.2f} was asked for."
    return Decision(action=Action.STOP, reason="target_reached", message=message, back_to=latest.number)


def stuck(seen: list[Entry], session: Session, event: Event, ladder: Ladder) -> Decision | None:
    """The rounds make no progress, and the loop treats this as a stop (`stop_on`)."""
    found = [entry for entry in seen if entry.finding.detector in ladder.stop_on]
    if not found:
        return None
    if session.ended_round is not None and is_at_its_best(session.ended_round):
        return Decision(action=Action.STOP, reason="nothing_left", message=NOTHING_LEFT)
    longest_seen = max(found, key=lambda entry: (entry.finding.severity.rank, entry.occurrences))
    return decide(Action.STOP, [longest_seen.finding])


def is_at_its_best(one: Iteration) -> bool:
    """Tests ran, and there is no measurement that a further round could make better."""
    from headway.scoring.better import deleted_tests
    from headway.scoring.verdict import NO_CHANGE

    measured = one.measured
    covered = measured.coverage_percentage is None or measured.coverage_percentage + NO_CHANGE >= 100.0
    built = measured.build_status in (None, "success")
    return measured.all_passed and not measured.errors and built and covered and not deleted_tests(one)


def _broken(seen: list[Entry], ladder: Ladder) -> list[Entry]:
    """What this round broke, so that it has to be rolled back. With `strict`, one broken test is enough."""
    found = [entry for entry in seen if entry.finding.detector in ladder.rollback_on]
    least = Severity.HIGH if ladder.strict else Severity.CRITICAL
    return [entry for entry in found if entry.finding.severity.rank >= least.rank]
