"""A pause is waiting only where it is long for this agent, and was not spent on writing."""

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


def repeated(pause, message="", times=8, tool="Read", failed=False):
    """What is done about a call that an agent makes again and again from the start, with a message before each."""
    monitor, actions = Monitor(), set()
    for number in range(times):
        at = pause * number
        monitor.agent_spoke(message or "once more", at=at)
        monitor.called(tool, {"file_path": "state", "old_string": "a", "new_string": "b"}, call=str(number), at=at)
        actions.add(str(monitor.returned(str(number), "running", failed=failed, at=at).action))
    return actions


def test_as_long_as_the_pace_is_not_known_a_minute_is_waiting():
    assert {"continue"} == repeated(61.0)


def test_a_minute_in_which_the_agent_writes_is_not_waiting():
    assert "nudge" in repeated(61.0, message="I need to look at this. " * 10)


def test_a_minute_beside_the_time_for_writing_is():
    assert {"continue"} == repeated(60.0 + 24.0, message="I need to look at this. " * 10)


def test_an_edit_that_does_not_fit_does_not_fit_a_minute_later():
    assert "nudge" in repeated(300.0, times=3, tool="Edit", failed=True)


def test_a_command_that_fails_until_something_is_there_may_wait():
    monitor, actions = Monitor(), set()
    for number in range(5):
        monitor.called("Bash", {"command": "cp build/out.bin ."}, call=str(number), at=300.0 * number)
        actions.add(str(monitor.returned(str(number), "cp: no such file", failed=True, at=300.0 * number).action))
    assert {"continue"} == actions
