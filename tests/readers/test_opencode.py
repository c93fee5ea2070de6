import json
import shutil
import sqlite3

import pytest

from headway.core import events
from headway.readers import NothingReadableError, opened
from headway.readers import read as read_source
from headway.readers.opencode import Opencode
from headway.sources import Source
from tests.readers.counting import SAMPLES, counts, only, raw_lines, sample

INFO = {"id": "s", "projectID": "p", "directory": "/w"}


@pytest.fixture
def database(tmp_path):
    """The rows that OpenCode itself wrote, in a database again."""
    path = tmp_path / "opencode.db"
    connection = sqlite3.connect(path)
    connection.executescript((SAMPLES / "opencode" / "database.sql").read_text())
    connection.commit()
    yield path, connection
    connection.close()


def read(*messages, info=INFO):
    source = Source(content=json.dumps({"info": info, "messages": list(messages)}).encode())
    return list(Opencode().read(source)), source


def message(role, *parts, id="m", **info):
    return {"info": {"id": id, "role": role, **info}, "parts": list(parts)}


def tool(call, status, **state):
    return {"type": "tool", "tool": "t", "callID": call, "state": {"status": status, "input": {"a": 1}, **state}}


def by_hand(parts, turns):
    """The same numbers from the parts, as jq would count them."""
    tools = [part for part in parts if part["type"] == "tool"]
    used = [part["tokens"] for part in parts if part["type"] == "step-finish"]
    return {
        "calls": len(tools),
        "results": sum(part["state"]["status"] in ("completed", "error") for part in tools),
        "failed": sum(part["state"]["status"] == "error" for part in tools),
        "denied": 0,
        "turns": turns,
        "tokens_in": sum(tokens["input"] + tokens["cache"]["read"] + tokens["cache"]["write"] for tokens in used),
        "tokens_out": sum(tokens["output"] + tokens["reasoning"] for tokens in used),
    }


def test_an_export_agrees_with_its_parts():
    export = json.loads((SAMPLES / "opencode" / "export.json").read_text())
    stream, source = sample("opencode/export.json")
    turns = sum(message["info"]["role"] == "user" for message in export["messages"])
    assert by_hand([part for message in export["messages"] for part in message["parts"]], turns) == counts(stream)
    assert 0 == source.skipped


def test_a_printed_run_agrees_with_its_parts():
    stream, source = sample("opencode/run.jsonl")
    assert by_hand([line["part"] for line in raw_lines("opencode/run.jsonl")], 0) == counts(stream)
    assert 0 == source.skipped


def test_a_database_agrees_with_its_rows_and_with_the_export(database):
    path, connection = database
    parts = [json.loads(data) for (data,) in connection.execute("SELECT data FROM part")]
    (turns,) = connection.execute('SELECT count(*) FROM message WHERE data LIKE \'%"role":"user"%\'').fetchone()
    (session,) = connection.execute("SELECT tokens_input, tokens_output FROM session")
    source = Source(path)
    stream = list(read_source(source))
    assert by_hand(parts, turns) == counts(stream)
    assert session == (counts(stream)["tokens_in"], counts(stream)["tokens_out"])
    assert sample("opencode/export.json")[0] == stream
    assert 0 == source.skipped


def test_a_session():
    stream, _ = sample("opencode/export.json")
    results = only(stream, events.ToolReturned)
    assert [0, None, 1, None] == [result.exit_code for result in results]
    assert [False, False, None, True] == [result.failed for result in results]
    batches = [call.batch for call in only(stream, events.ToolCalled)]
    assert batches[0] == batches[1] and 3 == len(set(batches))
    assert ("/home/dev/project", "opencode") == (stream[0].root, stream[0].program)
    assert ["scripted"] == [event.model for event in only(stream, events.RunStarted) if event.model]
    assert all(event.at for event in stream)


def test_sub_agents_are_sessions_with_a_parent(database):
    path, connection = database
    (name,) = connection.execute("SELECT id FROM session").fetchone()
    connection.execute("CREATE TEMP TABLE child AS SELECT * FROM session")
    connection.execute("UPDATE child SET id = 'child', parent_id = ?", [name])
    connection.execute("INSERT INTO session SELECT * FROM child")
    connection.execute("INSERT INTO message VALUES ('m', 'child', 1, 1, ?)", [json.dumps({"role": "user"})])
    connection.execute("INSERT INTO part VALUES ('p', 'm', 'child', 1, 1, ?)", ['{"type":"text","text":"sub"}'])
    connection.commit()
    stream = list(Opencode().read(Source(path)))
    assert {(name, ""), (name, "child")} == {(event.run, event.agent) for event in stream}
    assert ["sub"] == [turn.text for turn in only(stream, events.UserSpoke) if turn.agent == "child"]


def test_rows_that_cannot_be_read_are_skipped_and_counted(database):
    path, connection = database
    connection.execute("UPDATE part SET data = '{half' WHERE data LIKE '%step-start%'")
    connection.execute("UPDATE part SET data = x'00ff' WHERE data LIKE '%all done%'")
    connection.execute("INSERT INTO message VALUES ('zz', (SELECT id FROM session), 9e12, 1, '[]')")
    connection.commit()
    source = Source(path)
    assert 4 == counts(list(Opencode().read(source)))["calls"]
    assert 6 == source.skipped


def test_a_database_without_its_columns_is_counted(tmp_path):
    path = tmp_path / "a.db"
    connection = sqlite3.connect(path)
    connection.executescript("".join(f"CREATE TABLE {name} (x);" for name in ("session", "message", "part", "project")))
    connection.close()
    source = Source(path)
    assert ([], 1) == (list(Opencode().read(source)), source.skipped)


def test_what_the_user_said_is_one_turn_without_what_was_added():
    said = [
        {"type": "text", "text": "look at"},
        {"type": "text", "text": "added", "synthetic": True},
        {"type": "text", "text": "this"},
    ]
    stream, _ = read(message("user", *said))
    assert ["look at\nthis"] == [turn.text for turn in only(stream, events.UserSpoke)]


def test_states_of_a_call():
    rejected = "The user rejected permission to use this specific tool call."
    stream, _ = read(
        message(
            "assistant", tool("a", "running"), tool("b", "error", error=rejected), tool("c", "completed", output="x")
        )
    )
    assert ["a", "b", "c"] == [call.call for call in only(stream, events.ToolCalled)]
    assert [("b", True), ("c", False)] == [(result.call, result.denied) for result in only(stream, events.ToolReturned)]


def test_a_summary_is_a_compaction():
    words = {"type": "text", "text": "what happened so far"}
    stream, source = read(
        message("user", {"type": "compaction", "auto": True}), message("assistant", words, id="n", summary=True)
    )
    assert (1, 0) == (len(only(stream, events.ContextCompacted)), len(only(stream, events.AgentSpoke)))
    assert 0 == source.skipped


def test_unknown_parts_and_wrong_types_are_skipped_and_counted():
    stream, source = read(message("assistant", {"type": "flown"}), message("assistant", {"type": 7}), {"parts": []})
    assert (1, 3) == (len(stream), source.skipped)


def test_the_folder_of_older_versions():
    stream, source = sample("opencode/storage")
    parts = [json.loads(path.read_text()) for path in (SAMPLES / "opencode" / "storage").glob("part/*/*.json")]
    assert by_hand(parts, 1) == counts(stream)
    assert [0, 1] == [result.exit_code for result in only(stream, events.ToolReturned) if result.exit_code is not None]
    assert 0 == source.skipped


def test_sessions_that_a_database_has_taken_over_are_not_read_twice(tmp_path):
    shutil.copytree(SAMPLES / "opencode" / "storage", tmp_path / "storage")
    (tmp_path / "opencode.db").touch()
    source = Source(tmp_path / "storage")
    with pytest.raises(NothingReadableError, match=r"opencode\.db has the same content$"):
        opened(source)
    assert 0 == source.skipped
