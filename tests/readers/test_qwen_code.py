import json

from headway.core import events
from headway.readers.qwen_code import QwenCode
from headway.sources import Source
from tests.readers.counting import counts, only, raw_lines, sample

NAME = "qwen-code/chat.jsonl"


def record(type, uuid, parent, *parts, **more):
    return {
        "type": type,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": "s",
        "message": {"parts": list(parts)},
        **more,
    }


def read(*records):
    source = Source(content=b"\n".join(json.dumps(record).encode() for record in records))
    return list(QwenCode().read(source)), source


def turns(stream):
    return [event.text for event in only(stream, events.UserSpoke)]


def by_hand(records):
    """The same numbers from the raw records, and from the telemetry that stands beside them."""
    seen = [r["systemPayload"]["uiEvent"] for r in records if r.get("subtype") == "ui_telemetry"]
    calls = [event for event in seen if event["event.name"] == "qwen-code.tool_call"]
    answers = [event for event in seen if event["event.name"] == "qwen-code.api_response"]
    return {
        "calls": len(calls),
        "results": sum(record["type"] == "tool_result" for record in records),
        "failed": sum(not event["success"] for event in calls),
        "denied": sum("DENY" in json.dumps(record.get("toolCallResult")) for record in records),
        "turns": sum(record["provenance"] == "real_user" for record in records),
        "tokens_in": sum(event["input_token_count"] for event in answers),
        "tokens_out": sum(event["output_token_count"] for event in answers),
    }


def test_counts_agree_with_the_telemetry():
    stream, source = sample(NAME)
    assert by_hand(raw_lines(NAME)) == counts(stream)
    assert 0 == source.skipped


def test_a_session():
    stream, _ = sample(NAME)
    assert (["please do it"], ["CTX-PROMPT"]) == (turns(stream), [event.text for event in only(stream, events.Advised)])
    assert [0, 1, None, None] == [event.exit_code for event in only(stream, events.ToolReturned)]
    assert ["fake"] == [event.model for event in only(stream, events.RunStarted) if event.model]
    assert all(event.at for event in stream)


def test_a_rewound_prompt_is_left_out():
    stream, _ = read(
        record("user", "1", None, {"text": "start"}),
        record("user", "2", "1", {"text": "wrong"}),
        record("assistant", "3", "2", {"functionCall": {"id": "c", "name": "t", "args": {}}}),
        {"type": "system", "subtype": "rewind", "uuid": "4", "parentUuid": "1", "sessionId": "s"},
        record("user", "5", "4", {"text": "right"}),
    )
    assert ["start", "right"] == turns(stream)
    assert [] == only(stream, events.ToolCalled)


def test_parts_of_one_message_may_share_its_id():
    stream, _ = read(record("assistant", "1", None, {"text": "a"}), record("assistant", "1", None, {"text": "b"}))
    assert ["a", "b"] == [event.text for event in only(stream, events.AgentSpoke)]


def test_what_is_not_the_users_word():
    stream, _ = read(
        record("user", "1", None, {"text": "a task is done"}, subtype="notification"),
        record("user", "2", "1", {"text": "wait"}, subtype="mid_turn_user_message"),
        record("assistant", "3", "2", {"text": "thinking", "thought": True}),
        {"type": "system", "subtype": "chat_compression", "uuid": "4", "parentUuid": "3", "sessionId": "s"},
    )
    assert (["wait"], []) == (turns(stream), only(stream, events.AgentSpoke))
    assert 1 == len(only(stream, events.ContextCompacted))


def test_sub_agents_are_kept_apart():
    stream, _ = read(record("assistant", "1", None, {"text": "a"}, isSidechain=True, agentId="explore-1"))
    assert {"explore-1"} == {event.agent for event in stream}


def test_what_cannot_be_read_is_skipped_and_counted():
    stream, source = read({"type": "flown"}, record("user", "1", None, 7), record("user", "2", None, {"text": "x"}))
    assert (["x"], 2) == (turns(stream), source.skipped)
