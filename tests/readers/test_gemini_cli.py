import json

from headway.core import events
from headway.readers.gemini_cli import GeminiCli
from headway.sources import Source
from tests.readers.counting import counts, only, raw_lines, sample

NAME = "gemini-cli/session.jsonl"
HEADER = {"sessionId": "s", "projectHash": "p", "kind": "main"}


def read(*records, path=None):
    source = Source(path, content=b"\n".join(json.dumps(record).encode() for record in records))
    return list(GeminiCli().read(source)), source


def user(id, text):
    return {"id": id, "type": "user", "content": [{"text": text}]}


def agent(id, text, *calls, **more):
    return {"id": id, "type": "gemini", "content": text, "toolCalls": list(calls), **more}


def call(id, status=None, **response):
    result = [{"functionResponse": {"id": id, "name": "t", "response": response}}] if response else None
    return {"id": id, "name": "t", "args": {"a": id}, "status": status, "result": result}


def turns(stream):
    return [event.text for event in only(stream, events.UserSpoke)]


def by_hand(lines):
    """The same numbers from the raw lines: of several versions of a message, the last."""
    messages = list({line["id"]: line for line in lines if "id" in line}.values())
    calls = [call for message in messages for call in message.get("toolCalls", [])]
    said = [m for m in messages if m["type"] == "user" and "functionResponse" not in m["content"][0]]
    return {
        "calls": len(calls),
        "results": sum(bool(call["result"]) for call in calls),
        "failed": sum(call["status"] == "error" for call in calls),
        "denied": sum("Tool execution blocked" in json.dumps(call["result"]) for call in calls),
        "turns": len(said),
        "tokens_in": sum(m["tokens"]["input"] for m in messages if "tokens" in m),
        "tokens_out": sum(m["tokens"]["output"] for m in messages if "tokens" in m),
    }


def test_counts_agree_with_the_raw_lines():
    stream, source = sample(NAME)
    assert by_hand(raw_lines(NAME)) == counts(stream)
    assert 0 == source.skipped


def test_a_session():
    stream, _ = sample(NAME)
    assert ["please do it", "AFTERAGENT-DENY"] == turns(stream)
    assert ["CTX-START", "CTX-PROMPT", "NUDGE-POST"] == [event.text for event in only(stream, events.Advised)]
    assert ["gemini-2.5-flash"] == [event.model for event in only(stream, events.RunStarted) if event.model]
    assert all(event.at for event in stream[1:])


def test_the_older_single_document_is_the_same_session():
    header, *lines = raw_lines(NAME)
    messages = list({line["id"]: line for line in lines if "id" in line}.values())
    content = json.dumps({**header, "messages": messages}, indent=2).encode()
    source = Source(content=content)
    assert GeminiCli().recognises(source.head())
    stream, _ = sample(NAME)
    older = list(GeminiCli().read(source))
    assert counts(stream) == counts(older)
    one_line, _ = read({**header, "messages": messages})
    assert older == one_line


def test_what_was_taken_back_is_left_out():
    stream, _ = read(
        HEADER,
        user("1", "keep"),
        user("2", "wrong"),
        agent("3", "ok", call("c")),
        {"$rewindTo": "2"},
        user("4", "go on"),
    )
    assert ["keep", "go on"] == turns(stream)
    assert [] == only(stream, events.ToolCalled)


def test_an_unknown_place_to_go_back_to_takes_nothing_back():
    assert ["keep"] == turns(read(HEADER, user("1", "keep"), {"$rewindTo": "9"})[0])


def test_what_the_model_is_given_is_not_what_was_said():
    snapshot = {"$set": {"messages": [user("x", "<state_snapshot>all of it</state_snapshot>")]}}
    stream, source = read(HEADER, user("1", "one"), snapshot, user("2", "two"))
    assert ["one", "two"] == turns(stream)
    assert 1 == len(only(stream, events.ContextCompacted))
    assert 0 == source.skipped


def test_a_session_that_keeps_nothing_else_is_read_from_there():
    first, last = [user("1", "one")], [user("1", "one"), agent("2", "hm", call("c", "success", output="x"))]
    stream, _ = read(HEADER, {"$set": {"messages": first}}, {"$set": {"messages": last}})
    assert (["one"], 1) == (turns(stream), counts(stream)["results"])


def test_results_in_every_state():
    stream, _ = read(
        HEADER,
        agent("1", "", call("a", "success", output="fine"), call("b", "error", error="bad"), call("c", "cancelled")),
        agent("2", "", call("d", "success", output="Output: x\nExit Code: 3\nSignal: (none)"), call("e", "executing")),
    )
    results = only(stream, events.ToolReturned)
    assert ["a", "b", "c", "d"] == [result.call for result in results]
    assert [False, True, True, None] == [result.failed for result in results]
    assert [None, None, None, 3] == [result.exit_code for result in results]
    assert [False, False, True, False] == [result.denied for result in results]
    assert ["1", "1", "1", "2", "2"] == [event.batch for event in only(stream, events.ToolCalled)]


def test_calls_and_results_that_stand_among_the_words():
    asked = {
        "id": "1",
        "type": "gemini",
        "content": [{"text": "hm", "thought": True}, {"functionCall": {"id": "f", "name": "t", "args": {}}}],
    }
    answered = {"id": "2", "type": "user", "content": [{"functionResponse": {"id": "f", "response": {"output": "x"}}}]}
    stream, _ = read(HEADER, asked, answered)
    assert (["f"], ["x"]) == (
        [event.call for event in only(stream, events.ToolCalled)],
        [event.output for event in only(stream, events.ToolReturned)],
    )
    assert ([], []) == (turns(stream), only(stream, events.AgentSpoke))


def test_a_sub_agent_belongs_to_the_session_its_folder_is_named_after(tmp_path):
    stream, _ = read({**HEADER, "kind": "subagent"}, user("1", "x"), path=tmp_path / "parent" / "s.jsonl")
    assert {("parent", "s")} == {(event.run, event.agent) for event in stream}


def test_what_cannot_be_read_is_skipped_and_counted():
    stream, source = read(HEADER, {"id": "1", "type": "flown"}, {"id": 7, "type": "user"}, [1], user("2", "x"))
    assert (["x"], 3) == (turns(stream), source.skipped)
