from headway.core import events
from tests.readers.samples_read import lines, of, only, taken


def test_a_session_with_what_stands_in_its_other_files():
    stream = taken("grok/session")
    results = only(stream, events.ToolReturned)
    assert [None, 0, 1, None, None] == [result.exit_code for result in results]
    assert [False, False, None, False, True] == [result.failed for result in results]
    assert ["please fix add"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert ("scripted", "/home/dev/proj", "grok") == tuple(
        getattr(only(stream, events.RunStarted)[1], name) for name in ("model", "root", "program")
    )
    assert all(event.at for event in [*only(stream, events.ToolCalled), *results])
    assert 1 == len({event.run for event in stream}) and stream[0].run.startswith("01a1e5")


def test_what_the_model_was_told_can_be_read_alone():
    stream, source = of(
        lines(
            {"type": "system", "content": "Be brief."},
            {"type": "user", "content": [{"type": "text", "text": "<user_info>linux</user_info>"}]},
            {
                "type": "user",
                "content": [{"type": "text", "text": "<user_query>\nfix it\n</user_query>"}],
                "prompt_index": 0,
            },
            {"type": "reasoning", "id": "r", "summary": []},
            {
                "type": "assistant",
                "content": "",
                "tool_calls": [{"id": "c", "name": "grep", "arguments": '{"pattern": "x"}'}],
            },
            {"type": "tool_result", "tool_call_id": "c", "content": "No matches"},
            {"type": "flown"},
        )
    )
    assert ["fix it"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert [("grep", {"pattern": "x"})] == [(call.tool, call.args) for call in only(stream, events.ToolCalled)]
    assert (None, 1) == (only(stream, events.ToolReturned)[0].failed, source.skipped)
