"""A pause is waiting only where it is long for this agent."""

from headway import Monitor

SLOW = 90.0
"""Seconds that a slow model thinks before each call."""


def said(pauses):
    """What is done about one call, made again after each of these pauses, by an agent that had made five new ones."""
    monitor, now, actions = Monitor(), 0.0, []
    for number in range(5):
        now += SLOW
        monitor.called("Read", {"file_path": f"{number}.py"}, call=f"new {number}", at=now)
        monitor.returned(f"new {number}", f"text {number}", at=now)
    for number, pause in enumerate(pauses):
        now += pause
        monitor.called("Read", {"file_path": "state"}, call=str(number), at=now)
        actions.append(str(monitor.returned(str(number), "running", at=now).action))
    return actions


def test_a_slow_model_that_repeats_itself_at_its_own_pace_is_told():
    assert ["continue", "continue", "nudge"] == said([SLOW] * 3)


def test_a_pause_of_three_times_its_pace_is_waiting():
    assert {"continue"} == set(said([3 * SLOW] * 8))


def test_just_under_three_times_its_pace_is_not():
    assert "nudge" in said([3 * SLOW - 1] * 3)


def test_as_long_as_the_pace_is_not_known_a_minute_is_waiting():
    monitor, actions = Monitor(), set()
    for number in range(8):
        at = 61.0 * number
        monitor.called("Read", {"file_path": "state"}, call=str(number), at=at)
        actions.add(str(monitor.returned(str(number), "running", at=at).action))
    assert {"continue"} == actions
