from headway.core import events
from tests.readers.samples_read import only, spent, taken


def test_a_thread():
    stream = taken("langgraph/checkpoints.sql")
    assert {"t1"} == {event.run for event in stream}
    assert [("c1", {"path": "a"}), ("c2", {"path": "b"}), ("c3", {"path": "a"})] == [
        (call.call, call.args) for call in only(stream, events.ToolCalled)
    ]
    assert [("text of a", False), ("text of b", False), ("text of a", False)] == [
        (result.output, result.failed) for result in only(stream, events.ToolReturned)
    ]
    assert ["please look"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert ["I look.", "Done."] == [words.text for words in only(stream, events.AgentSpoke)]
    assert (300, 60, 0) == spent(stream)


def test_the_time_of_a_checkpoint_is_in_its_id():
    first, *_, last = taken("langgraph/checkpoints.sql")
    assert 1794857151.708 == round(first.at, 3) and first.at < last.at
