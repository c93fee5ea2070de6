import json

import pytest

from headway.core import events
from tests.readers.samples_read import counts, lines, of, only, raw, spent, taken


def expected(messages):
    """Calls, results, user turns and words of the agent, counted from the raw messages."""
    return (
        sum(len(m.get("tool_calls") or ()) for m in messages),
        sum(m["role"] == "tool" for m in messages),
        sum(m["role"] == "user" for m in messages),
        sum(m["role"] == "assistant" and bool(m["content"]) for m in messages),
    )


def test_a_list_of_messages_is_a_run():
    messages = raw("openai-chat/list.json")
    stream = taken("openai-chat/list.json")

    assert expected(messages) == counts(stream) == (3, 3, 2, 2)
    assert [json.loads(call["function"]["arguments"]) for m in messages for call in m.get("tool_calls", ())] == [
        event.args for event in only(stream, events.ToolCalled)
    ]
    assert [m["tool_call_id"] for m in messages if m["role"] == "tool"] == [
        e.call for e in only(stream, events.ToolReturned)
    ]
    assert {None} == {event.failed for event in only(stream, events.ToolReturned)}


def test_one_conversation_on_each_line():
    records = raw("openai-chat/conversations.jsonl")
    stream = taken("openai-chat/conversations.jsonl")
    for record in records:
        assert expected(record["messages"]) == counts([event for event in stream if event.run == record["id"]])
    assert ["some-model", None] == [event.model for event in only(stream, events.RunStarted)]
    assert (50, 9, 0) == spent(stream)


def test_one_message_on_each_line():
    stream = taken("openai-chat/messages.jsonl")
    assert expected(raw("openai-chat/messages.jsonl")) == counts(stream)
    assert 1777629601.0 == only(stream, events.UserSpoke)[0].at


def test_a_log_of_requests_tells_each_message_once():
    last = raw("openai-chat/requests.jsonl")[-1]
    whole = [*last["request"]["messages"], last["response"]["choices"][0]["message"]]
    stream = taken("openai-chat/requests.jsonl")

    assert expected(whole) == counts(stream)
    assert (300, 60, 0) == spent(stream)


def test_functions_of_the_older_api_have_no_ids():
    stream = taken("openai-chat/functions.json")
    (call,), (result,) = only(stream, events.ToolCalled), only(stream, events.ToolReturned)
    assert ("read_file", {"path": "a.py"}) == (call.tool, call.args)
    assert (call.call, "x = 1") == (result.call, result.output)


def test_calls_of_one_message_are_a_batch():
    batches = [event.batch for event in only(taken("openai-chat/list.json"), events.ToolCalled)]
    assert batches[0] == batches[1] != batches[2]


def test_the_same_id_twice_is_two_runs():
    talk = {"id": "a", "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]}
    other = {"id": "a", "messages": [{"role": "user", "content": "again"}]}
    stream, _ = of(lines(talk, other))
    assert ["a", "a#2"] == [event.run for event in only(stream, events.RunStarted)]


@pytest.mark.parametrize("arguments", ["{half", "[1]", "plain", 7, None, {"a": 1}])
def test_arguments_of_any_shape_are_kept(arguments):
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}
    stream, source = of([{"role": "assistant", "content": None, "tool_calls": [call]}])
    (called,) = only(stream, events.ToolCalled)
    assert {"a": 1} == called.args if isinstance(arguments, dict) else called.args in ({}, {"input": arguments})
    assert 0 == source.skipped


def test_what_is_no_message_is_skipped_and_counted():
    stream, source = of(b'{"role": "user", "content": "hi"}\n{"half\n[1, 2]\n7\n{"role": "user", "content": "ho"}')
    assert ["hi", "ho"] == [event.text for event in only(stream, events.UserSpoke)]
    assert 4 == source.skipped
