from headway.core import events
from tests.readers.samples_read import only, taken


def test_every_conversation_is_a_run():
    stream = taken("claude-web/conversations.json")
    assert 2 == len({event.run for event in stream}) == len(only(stream, events.RunStarted))
    assert ["look up the release", "hello"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert ["web_search", "repl"] == [call.tool for call in only(stream, events.ToolCalled)]
    assert [("1.2 is out", False), ("ReferenceError: x is not defined", True)] == [
        (result.output, result.failed) for result in only(stream, events.ToolReturned)
    ]
    assert all(event.at for event in stream)
