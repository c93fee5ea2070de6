from headway.core import events
from tests.readers.samples_read import only, spent, taken


def test_sessions_and_their_sub_agents():
    stream = taken("crush/crush.sql")
    assert {("ses-1", ""), ("ses-1", "ses-1$$c5")} == {(event.run, event.agent) for event in stream}
    main = [event for event in stream if not event.agent]
    assert ["view", "bash", "bash", "edit", "agent"] == [call.tool for call in only(main, events.ToolCalled)]
    assert [None, None, None, True, None] == [result.failed for result in only(main, events.ToolReturned)]
    assert ["please fix add"] == [turn.text for turn in only(main, events.UserSpoke)]
    assert "scripted" == only(main, events.RunStarted)[1].model


def test_the_cost_of_a_sub_agent_is_in_the_sessions_own():
    assert (0, 0, 0.003) == spent(taken("crush/crush.sql"))
