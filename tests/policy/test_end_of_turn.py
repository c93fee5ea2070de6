"""The end of a turn is judged by a rule like any other: in the ledger, under the nudge cap, saved and loaded."""

import pytest

from headway import Finding, Monitor, Session, Severity, TurnEnding, Used
from headway.core.ledger import AT_THE_END
from headway.policy import Ladder, Policy
from headway.policy.end_of_turn import about_the_end
from tests.policy.test_contradicted import FAILING, PASSING, after, edit, run_tests

DONE = "Done. All tests pass."
WORSE = ("4 failed, 6 passed in 0.3s", True)


def ending(monitor, text=DONE):
    return monitor.feed(TurnEnding(text=text))


def entries(monitor):
    return [one for one in monitor.session.ledger.entries.values() if one.finding.identity.startswith(AT_THE_END)]


def test_the_nudge_is_a_decision_about_a_finding_in_the_ledger():
    monitor = after(FAILING)
    outcome = ending(monitor)

    assert ("nudge", "claim_contradicted") == (outcome.decision.action, outcome.decision.reason)
    assert outcome.findings == outcome.decision.findings == tuple(one.finding for one in entries(monitor))
    assert [1] == [one.nudged_at for one in entries(monitor)]
    assert 1 == monitor.session.ledger.nudges


def test_it_counts_against_the_nudges_of_a_turn():
    monitor = after(FAILING)
    monitor.session.ledger.nudges = 8
    assert "continue" == ending(monitor).decision.action


@pytest.mark.parametrize("reload", [False, True], ids=["in one go", "saved and loaded"])
def test_it_is_told_once_in_a_turn_and_never_again_in_the_same_words(reload):
    def kept(monitor):
        return Monitor.load(monitor.save(content=False)) if reload else monitor

    monitor = after(FAILING)
    told = [ending(monitor).decision.action]
    monitor = kept(monitor)
    edit(monitor)
    run_tests(monitor, WORSE)
    told.append(ending(monitor).decision.action)
    monitor = kept(monitor)
    monitor.user_spoke("now the tests, please")
    run_tests(monitor, FAILING)
    told.append(ending(monitor).decision.action)
    run_tests(monitor, WORSE)
    told.append(ending(monitor).decision.action)

    assert ["nudge", "continue", "continue", "nudge"] == told


def test_what_was_said_at_the_end_is_no_second_opinion_for_a_medium_finding():
    """Two detectors of medium severity are enough to speak; advice about a final message is not one of them."""
    session, policy = Session(step_count=20, event_count=30), Policy(Ladder())
    told = about_the_end("claim_contradicted", 0.8, "Tests fail.")
    session.ledger.record(told, session.clock)
    session.ledger.mark_nudged([told], 10)
    session.event_count = 40
    medium = [Finding(detector=name, severity=Severity.MEDIUM, confidence=0.8, message="Seen.") for name in "ab"]

    session.ledger.record(medium[0], session.clock)
    assert "continue" == policy(session, Used()).action
    session.ledger.record(medium[1], session.clock)
    assert "nudge" == policy(session, Used()).action


def test_an_honest_end_is_left_alone():
    assert "continue" == ending(after(PASSING)).decision.action
    assert "continue" == ending(after(FAILING), "Two tests still fail.").decision.action


def test_without_the_event_nothing_is_said():
    assert "continue" == after(FAILING).agent_spoke(DONE).action
