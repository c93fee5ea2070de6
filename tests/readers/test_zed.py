import json
import sqlite3
import sys
from contextlib import closing

import pytest
import zstandard

from headway.core import events
from headway.readers import NothingReadableError, opened, read
from headway.sources import Source
from tests.readers.making import zed as making
from tests.readers.samples_read import database_of, only, spent, taken

SAMPLE = "zed/threads.sql"


def database(*rows):
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(making.TABLE)
        sql = "INSERT INTO threads (id, summary, updated_at, data_type, data) VALUES (?, '', '2026-01-01', ?, ?)"
        connection.executemany(sql, rows)
        return connection.serialize()


def packed(thread):
    return zstandard.ZstdCompressor().compress(thread if isinstance(thread, bytes) else json.dumps(thread).encode())


def test_threads_and_their_sub_agents():
    stream = taken(SAMPLE)
    assert {("t-old", ""), ("t-main", ""), ("t-main", "t-sub")} == {(event.run, event.agent) for event in stream}
    main = [event for event in stream if (event.run, event.agent) == ("t-main", "")]
    assert ["read_file", "grep", "terminal", "edit_file", "spawn_agent"] == [
        e.tool for e in only(main, events.ToolCalled)
    ]
    outcomes = [(result.failed, result.denied) for result in only(main, events.ToolReturned)]
    assert [(None, False)] * 3 + [(True, True), (None, False)] == outcomes
    assert {"path": "shop/calc.py"} == only(main, events.ToolCalled)[0].args
    batches = [call.batch for call in only(main, events.ToolCalled)]
    assert batches[0] == batches[1] != batches[2], "two calls of one answer"
    assert ["add in calc.py is wrong, please fix it"] == [turn.text for turn in only(main, events.UserSpoke)]
    assert 1 == len(only(main, events.ContextCompacted))
    started = only(main, events.RunStarted)[0]
    assert ("claude-sonnet-5", "zed", "/home/dev/shop") == (started.model, started.program, started.root)


def test_tokens_are_those_of_the_threads_with_their_cache():
    used = {(e.run, e.agent): (e.tokens_in, e.tokens_out, e.tokens_cached) for e in only(taken(SAMPLE), events.Used)}
    assert {("t-main", ""): (3_200, 120, 2_000), ("t-main", "t-sub"): (100, 10, 0), ("t-old", ""): (40, 5, 0)} == used
    assert (3_340, 135, 0) == spent(taken(SAMPLE))


def test_threads_of_before_version_0_3():
    old = [event for event in taken(SAMPLE) if event.run == "t-old"]
    assert ["list_directory"] == [call.tool for call in only(old, events.ToolCalled)]
    assert [(True, "Path shop not found in project")] == [(e.failed, e.output) for e in only(old, events.ToolReturned)]
    oldest = {
        "summary": "s",
        "messages": [
            {"id": 0, "role": "user", "text": "hi"},
            {"id": 1, "role": "assistant", "text": "I look", "tool_uses": [{"id": "a", "name": "ls", "input": None}]},
            {"id": 2, "role": "user", "text": "", "tool_results": [{"tool_use_id": "a", "content": {"text": "x"}}]},
        ],
    }
    stream = list(read(Source(content=database(("t", "json", json.dumps(oldest))))))
    kinds = [type(event).__name__ for event in stream]
    assert ["RunStarted", "UserSpoke", "AgentSpoke", "ToolCalled", "ToolReturned"] == kinds


def test_the_sample_can_be_made_again(tmp_path):
    (tmp_path / "threads.sql").write_text(making.made())
    assert taken(SAMPLE) == list(read(Source(content=database_of(tmp_path / "threads.sql"))))


@pytest.mark.parametrize(
    "data", [b"no zstd", packed(b"[" * 100_000), packed(b"[1]"), packed({"messages": 5}), packed(b"\xff\xfe"), None, 7]
)
def test_a_thread_that_cannot_be_read_does_not_keep_the_next_from_being_read(data):
    good = packed({"messages": [making.user("hello"), {"Dance": {}}, {"Agent": 5}, 9]})
    source = Source(content=database(("bad", "zstd", data if data is not None else b""), ("good", "zstd", good)))
    stream = list(read(source))
    assert ["good"] == [event.run for event in only(stream, events.UserSpoke)]
    assert source.skipped >= 2


def test_small_rows_do_not_unfold_to_everything():
    bomb = packed(b" " * 20_000_000)
    assert len(bomb) < 4_000
    source = Source(content=database(*[(f"t{number}", "zstd", bomb) for number in range(500)]))
    with pytest.raises(NothingReadableError, match="expands to more than"):
        opened(source)
    assert source.skipped < 20, "it gives up"
    harmless = packed(b'{"messages": []' + b" " * 7_000_000 + b"}")
    many = Source(content=database(*[(f"t{number}", "zstd", harmless) for number in range(100)]))
    with pytest.raises(NothingReadableError, match="its threads expand to far more than its size"):
        opened(many)


def test_a_database_whose_tables_are_still_in_its_log(tmp_path):
    path = tmp_path / "threads.db"
    with closing(sqlite3.connect(path)) as zed:
        zed.execute("PRAGMA journal_mode = WAL")
        zed.executescript(making.TABLE)
        row = ("t", "zstd", packed(making.SUB))
        zed.execute("INSERT INTO threads (id, summary, updated_at, data_type, data) VALUES (?, '', '', ?, ?)", row)
        zed.commit()
        assert b"data_type" not in path.read_bytes()
        assert 1 == len(only(list(read(Source(path))), events.ToolCalled))


def test_without_zstandard_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(NothingReadableError, match=r"compressed with zstd; `pip install 'headway-agents\[zstd\]'`"):
        opened(Source(content=database(("a", "zstd", packed(making.SUB)), ("b", "zstd", packed(making.SUB)))))


def test_parents_in_a_circle_end():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(database(("a", "zstd", packed(making.SUB)), ("b", "zstd", packed(making.SUB))))
        connection.execute("UPDATE threads SET parent_id = CASE id WHEN 'a' THEN 'b' ELSE 'a' END")
        content = connection.serialize()
    assert 2 == len(only(list(read(Source(content=content))), events.ToolCalled))
