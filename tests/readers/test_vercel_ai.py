from headway.core import events
from tests.readers.samples_read import only, spent, taken


def test_spans():
    stream = taken("vercel-ai/spans.jsonl")
    assert [("call_0_0", {"path": "a"}), ("call_0_1", {"path": "gone"}), ("call_1_0", {"path": "b"})] == [
        (call.call, call.args) for call in only(stream, events.ToolCalled)
    ]
    assert [("text of a", None), ("no such file: gone", True), ("text of b", None)] == [
        (result.output, result.failed) for result in only(stream, events.ToolReturned)
    ]
    assert ["please look"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert ["I look.", "Done."] == [words.text for words in only(stream, events.AgentSpoke)]
    assert (300, 60, 0) == spent(stream)
    assert [40] * 3 == [used.tokens_cached for used in only(stream, events.Used)]
    assert ({"s1"}, "scripted") == ({event.run for event in stream}, stream[0].model)
