"""The one answer, as it is shown."""

from headway import Action, Decision, Finding, Monitor, Severity


def test_the_repr_is_short_and_tells_action_reason_and_message():
    finding = Finding(
        detector="exact_cycle", severity=Severity.HIGH, confidence=0.9, message="m", evidence={"x": "y" * 900}
    )
    decision = Decision(action=Action.NUDGE, reason="exact_cycle", message="word " * 100, findings=(finding,))

    assert repr(decision) == f"Decision(action='nudge', reason='exact_cycle', message={('word ' * 100)[:79] + '…'!r})"


def test_what_is_empty_is_left_out():
    assert "Decision(action='continue')" == repr(Decision()) == repr(Monitor().user_spoke("hello"))


def test_the_round_to_return_to_is_told():
    assert "Decision(action='rollback', reason='r', back_to=0)" == repr(
        Decision(action=Action.ROLLBACK, reason="r", back_to=0)
    )
