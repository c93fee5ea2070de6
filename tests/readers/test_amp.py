from headway.core import events
from tests.readers.samples_read import only, taken

NAME = "amp/T-0b7c5b2e-6a52-4a6f-9f0e-1c6f1d0f9a11.json"


def test_a_thread():
    stream = taken(NAME)
    results = only(stream, events.ToolReturned)
    assert [False, False, None, True, True] == [result.failed for result in results]
    assert [None, 0, 1, None, None] == [result.exit_code for result in results]
    assert [False, False, False, False, True] == [result.denied for result in results]
    assert [None, "scripted"] == [start.model for start in only(stream, events.RunStarted)]
    assert {"/home/dev/proj"} == {start.root for start in only(stream, events.RunStarted)}
    assert ["please fix add"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert [(100, 30, 10)] * 5 == [
        (used.tokens_in, used.tokens_cached, used.tokens_written) for used in only(stream, events.Used)
    ]
    assert all(event.at for event in stream)
