from headway.core import events
from tests.readers.samples_read import only, spent, taken


def test_every_trial_is_a_run():
    stream = taken("tau-bench/results.json")
    assert ["task 0, trial 0", "task 1, trial 0"] == [start.run for start in only(stream, events.RunStarted)]
    assert ["reward 1.0", "reward 0.0"] == [end.outcome for end in only(stream, events.RunEnded)]
    assert 3 == len(only(stream, events.ToolReturned))


def test_tools_of_the_user_are_left_out():
    stream = taken("tau-bench/tau2.json")
    assert ["get_customer_by_phone"] == [call.tool for call in only(stream, events.ToolCalled)]
    assert [("c1", True)] == [(result.call, result.failed) for result in only(stream, events.ToolReturned)]
    assert ["My phone has no signal.", "It works. ###STOP###"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert (220, 40, 0.002) == spent(stream)
