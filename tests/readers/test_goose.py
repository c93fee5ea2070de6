from headway.core import events
from tests.readers.samples_read import lines, of, only, spent, taken


def test_a_database_of_two_sessions():
    stream = taken("goose/sessions.sql")
    assert ["20261116_1", "20261116_2"] == [start.run for start in only(stream, events.RunStarted)]
    first = [event for event in stream if event.run == "20261116_1"]
    assert ("scripted", "/home/dev/proj", "goose") == (first[0].model, first[0].root, first[0].program)
    assert [False, False, True, True] == [result.failed for result in only(first, events.ToolReturned)]
    assert "-32602: Invalid parameters" in only(first, events.ToolReturned)[3].output
    assert (300, 60, 0.0018) == spent(first)


def test_an_older_file_tells_the_same():
    stream = taken("goose/session.jsonl")
    assert [False, False, True, True] == [result.failed for result in only(stream, events.ToolReturned)]
    assert ["please fix add"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert (300, 60, 0) == spent(stream)


def test_a_file_without_its_first_line():
    request = {
        "type": "toolRequest",
        "id": "c",
        "toolCall": {"status": "success", "value": {"name": "ls", "arguments": {}}},
    }
    stream, source = of(lines({"role": "assistant", "created": 1, "content": [request]}, {"x": 1}))
    assert (["ls"], 1) == ([call.tool for call in only(stream, events.ToolCalled)], source.skipped)
