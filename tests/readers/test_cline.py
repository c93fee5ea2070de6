from headway.core import events
from headway.readers import recordings_in
from tests.readers.samples_read import SAMPLES, only, taken


def test_a_session_of_the_sdk():
    stream = taken("cline/sdk.messages.json")
    assert [False, False, True, False, True] == [result.failed for result in only(stream, events.ToolReturned)]
    assert ["please fix add"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert [(100, 40)] * 5 == [(used.tokens_in, used.tokens_cached) for used in only(stream, events.Used)]


def test_calls_that_are_written_as_xml():
    stream = taken("cline/task")
    calls, results = only(stream, events.ToolCalled), only(stream, events.ToolReturned)
    assert ["read_file", "execute_command", "replace_in_file", "write_to_file", "attempt_completion"] == [
        call.tool for call in calls
    ]
    assert {"path": "app.py"} == calls[0].args
    assert "def add(a, b):\n    return a + b" == calls[3].args["content"]
    assert [None, None, True, True] == [result.failed for result in results]
    assert [False, False, False, True] == [result.denied for result in results]
    assert ["please fix add", "use replace_in_file"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert ["I look first.", "Now I try it."] == [words.text for words in only(stream, events.AgentSpoke)]


def test_calls_that_are_blocks():
    results = only(taken("cline/roo"), events.ToolReturned)
    assert [(None, None), (None, 1), (True, None)] == [(result.failed, result.exit_code) for result in results]


def test_the_cache_is_counted_once():
    """Cline tells the tokens beside the cache, Roo Code all of them."""
    for name in ("cline/task", "cline/roo"):
        assert {(100, 30, 10)} == {
            (used.tokens_in, used.tokens_cached, used.tokens_written) for used in only(taken(name), events.Used)
        }


def test_what_the_screen_showed_has_results_of_commands_only():
    results = only(taken("cline/ui_messages.json"), events.ToolReturned)
    assert [True, False, True, True] == ["was not recorded" in result.output for result in results]


def test_a_task_is_one_recording():
    found = {source.path.name for source in recordings_in(SAMPLES / "cline")}
    assert {"roo", "task", "sdk.messages.json", "ui_messages.json"} == found
