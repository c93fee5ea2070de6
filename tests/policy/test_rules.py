import pytest

from headway import Finding, Severity
from headway.core.session import Session
from headway.policy.rules import decide


def finding(detector, severity, identity="x", confidence=0.5):
    return Finding(
        detector=detector, severity=severity, confidence=confidence, message=f"{detector} speaks.", identity=identity
    )


def decided(*findings, told=(), steps_ago=0):
    session = Session(step_count=20)
    for one in findings:
        session.ledger.record(one, 20 - steps_ago, None)
    for one in told:
        session.ledger.nudged(one, 20)
    return decide(session.ledger, session)


LOW, MEDIUM, HIGH, CRITICAL = Severity


@pytest.mark.parametrize(
    ("findings", "action"),
    [
        ([], "continue"),
        ([("a", LOW)], "continue"),
        ([("a", LOW), ("b", LOW), ("c", LOW)], "continue"),
        ([("a", MEDIUM)], "continue"),
        ([("a", MEDIUM), ("b", LOW)], "continue"),
        ([("a", MEDIUM), ("b", MEDIUM)], "nudge"),
        ([("a", HIGH)], "nudge"),
        ([("a", CRITICAL)], "nudge"),
    ],
)
def test_severity_decides(findings, action):
    """Seed 000: high at once, two mediums together, low never."""
    assert action == decided(*(finding(*one) for one in findings)).action


def test_two_findings_of_one_detector_are_one_signal():
    assert "continue" == decided(finding("a", MEDIUM, "x"), finding("a", MEDIUM, "y")).action


def test_two_mediums_must_be_active_at_the_same_time():
    assert "continue" == decided(finding("a", MEDIUM), finding("b", MEDIUM), steps_ago=10).action
    assert "nudge" == decided(finding("a", MEDIUM), finding("b", MEDIUM), steps_ago=9).action


def test_what_was_told_is_not_told_again():
    high = finding("a", HIGH)
    assert "continue" == decided(high, told=[high]).action


def test_something_new_is_told_alone():
    old, new = finding("a", HIGH, "old"), finding("b", HIGH, "new")
    decision = decided(old, new, told=[old])
    assert ("nudge", "b", "b speaks.") == (decision.action, decision.reason, decision.message)


def test_several_findings_share_one_nudge_the_weightiest_first():
    decision = decided(finding("a", HIGH), finding("b", CRITICAL), finding("c", HIGH, confidence=0.9))
    assert "b" == decision.reason
    assert "b speaks. c speaks." == decision.message
    assert 0.9 == decision.confidence
    assert ["b", "c", "a"] == [one.detector for one in decision.findings]


def test_a_persons_word_comes_first():
    session = Session(step_count=1, stopped="enough")
    session.ledger.record(finding("a", HIGH), 1, None)
    decision = decide(session.ledger, session)
    assert ("stop", "manual_stop") == (decision.action, decision.reason)
