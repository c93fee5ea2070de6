import sqlite3
from contextlib import closing

import pytest

from headway.core import events
from headway.readers import NothingReadableError, opened, read
from headway.sources import Source
from tests.readers.making import warp as making
from tests.readers.samples_read import database_of, only, spent, taken

SAMPLE = "warp/warp.sql"


def database(*tasks):
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(making.TABLES)
        rows = [(f"conv-{number}", f"task-{number}", task) for number, task in enumerate(tasks)]
        connection.executemany("INSERT INTO agent_tasks (conversation_id, task_id, task) VALUES (?, ?, ?)", rows)
        return connection.serialize()


def written(task):
    return task.message.SerializeToString()


def test_a_conversation_and_its_sub_agent():
    stream = taken(SAMPLE)
    assert {("conv-1", ""), ("conv-1", "task-2")} == {(event.run, event.agent) for event in stream}
    main = [event for event in stream if not event.agent]
    results = {event.call: event for event in only(main, events.ToolReturned)}
    outcomes = [(c.tool, results[c.call].failed, results[c.call].exit_code) for c in only(main, events.ToolCalled)]
    assert [
        ("read_files", False, None),
        ("grep", False, None),
        ("run_shell_command", None, 1),
        ("apply_file_diffs", True, None),
        ("apply_file_diffs", False, None),
        ("run_shell_command", False, None),
        ("read_shell_command_output", None, -1),
        ("create_issue", False, None),
        ("subagent", None, None),
        ("run_shell_command", True, None),
    ] == outcomes
    assert (True, "calc.py:1\ncalc.py:4") == (results["c10"].denied, results["c2"].output)
    assert 1 == len(only(main, events.ContextCompacted))


def test_what_calls_were_given_and_which_were_made_together():
    calls = [event for event in only(taken(SAMPLE), events.ToolCalled) if not event.agent]
    assert {"path": "/home/dev/shop/calc.py", "line_range": [1, 2]} == calls[0].args
    assert {"path": ".", "queries": ["add("]} == calls[1].args
    assert {"title": "add", "labels": ["bug"], "number": 7.0, "open": True} == calls[7].args
    assert calls[0].batch == calls[1].batch != calls[2].batch


def test_when_where_and_with_which_model():
    first, *_, later = [event for event in only(taken(SAMPLE), events.RunStarted) if not event.agent]
    assert ("/home/dev/shop", 1_794_000_010, "claude-sonnet-5") == (first.root, first.at, later.model)
    assert (0, 0, 0) == spent(taken(SAMPLE)), "Warp keeps only the sum of its tokens, in and out"


def test_the_sample_can_be_made_again(tmp_path):
    (tmp_path / "warp.sql").write_text(making.made())
    assert taken(SAMPLE) == list(read(Source(content=database_of(tmp_path / "warp.sql"))))


def test_two_calls_of_a_tool_that_is_not_known_stay_two():
    task = making.Task("t")
    task.call(1, subagent={"payload": "a"}).call(2, subagent={"payload": "b"})
    data = written(task).replace(b"\x9a\x01", b"\x92\x02")  # field 19 becomes 34, which has no name
    calls = only(list(read(Source(content=database(data)))), events.ToolCalled)
    assert ["tool 34", "tool 34"] == [call.tool for call in calls]
    assert calls[0].args != calls[1].args


def test_a_result_that_cannot_be_told_is_not_an_empty_one():
    task = making.Task("t").call(1, grep={"queries": ["x"]}).call(2, grep={"queries": ["x"]})
    stream = list(read(Source(content=database(written(task.result(1).result(2))))))
    first, second = only(stream, events.ToolReturned)
    assert "was not recorded" in first.output and first.output != second.output


@pytest.mark.parametrize("task", [b"\xff\xff", b"\x2a\x02\xff\xff", b"no message at all", 5, "text"])
def test_a_task_that_is_damaged_does_not_keep_the_next_from_being_read(task):
    good = written(making.Task("good").say(agent_output={"text": "hello"}))
    source = Source(content=database(task, good))
    assert ["hello"] == [event.text for event in only(list(read(source)), events.AgentSpoke)]
    assert 1 <= source.skipped


def test_a_database_without_conversations_has_nothing_in_it():
    with pytest.raises(NothingReadableError, match="nothing that was said or done is in it"):
        opened(Source(content=database()))
