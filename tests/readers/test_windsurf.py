import json

import pytest

from headway.core import events
from headway.readers import NothingReadableError, UnknownFormatError, opened, recordings_in
from headway.sources import Source
from tests.readers.samples_read import counts, lines, of, only, raw, taken

SAMPLE = "windsurf/trajectory.jsonl"
UUID = "0e8f7c1a-1111-4222-8333-444455556666"


def step(kind, status="done", **about):
    return {kind: about, "status": status, "type": kind}


ASKED, SAID = step("user_input", user_response="fix it"), step("planner_response", response="done")


def command(line, **more):
    return step("run_command", command=line, exit_code=0, output="ok", **more)


def test_what_was_read_equals_a_count_of_the_sample():
    kinds = [record["type"] for record in raw(SAMPLE)]
    users_own = 3
    stream = taken(SAMPLE)
    steps = len(kinds) - users_own - kinds.count("user_input") - kinds.count("planner_response")
    assert (steps, steps, 2, 3) == counts(stream)
    assert {"trajectory"} == {event.run for event in stream}


def test_what_each_step_came_to():
    stream = taken(SAMPLE)
    steps = list(zip(only(stream, events.ToolCalled), only(stream, events.ToolReturned), strict=True))
    found = [(call.tool, result.failed, result.exit_code, result.denied) for call, result in steps]
    assert [
        ("view_file", None, None, False),
        ("grep_search", None, None, False),
        ("list_directory", False, None, False),
        ("find", None, None, False),
        ("run_command", None, 1, False),
        ("list_resources", True, None, False),
        ("code_action", False, None, False),
        ("run_command", None, 0, False),
        ("run_command", None, 0, True),
    ] == found
    grep, listing = [result for call, result in steps if call.tool in ("grep_search", "list_directory")]
    assert (0, "") == (grep.hits, grep.output)
    assert "(result 4 was not recorded)" == listing.output, "an unknown result is not an empty one"
    assert {"path": "/home/dev/shop/calc.py", "start_line": 0, "end_line": 1} == steps[0][0].args


def test_commands_after_the_agents_last_word_are_the_users_own():
    stream, _ = of(lines(ASKED, SAID, command("git commit"), ASKED, command("pytest"), SAID, command("clear")))
    assert ["pytest"] == [call.args["command"] for call in only(stream, events.ToolCalled)]


def test_commands_before_a_step_that_only_the_agent_takes_are_its_own():
    search = step("grep_search", query="x", total_results=0)
    stream, _ = of(lines(ASKED, command("a"), command("b"), search, command("c"), ASKED))
    assert ["run_command", "run_command", "grep_search"] == [call.tool for call in only(stream, events.ToolCalled)]


def test_a_user_does_not_run_a_hundred_commands_in_a_row():
    stream, _ = of(lines(ASKED, *[command(str(number)) for number in range(150)], ASKED))
    assert 101 == len(only(stream, events.ToolCalled))


def test_what_is_no_step_is_counted_and_what_the_editor_notes_is_not():
    odd = [{"type": "run_command", "run_command": "ls"}, {"type": 5}, {"no": "type"}]
    stream, source = of(lines(ASKED, step("checkpoint"), *odd, step("view_file", content=7, path=[1]), SAID))
    assert (1, 3) == (len(only(stream, events.ToolCalled)), source.skipped)


def test_conversations_in_pb_files_are_told_to_be_encrypted_once_for_their_folder(tmp_path):
    folder = tmp_path / ".codeium" / "windsurf" / "cascade"
    folder.mkdir(parents=True)
    for number in range(3):
        (folder / f"{UUID[:-1]}{number}.pb").write_bytes(bytes(range(256)))
    (source,) = recordings_in(tmp_path)
    with pytest.raises(NothingReadableError, match=r"Windsurf encrypts .*post_cascade_response_with_transcript"):
        opened(source)
    with pytest.raises(UnknownFormatError, match=r"Windsurf encrypts .*\.windsurf/transcripts"):
        opened(Source(folder / f"{UUID[:-1]}0.pb"))


def test_other_pb_files_are_not_windsurfs(tmp_path):
    (tmp_path / "saved_model.pb").write_bytes(b"\x08\x01")
    assert [] == list(recordings_in(tmp_path))
    (tmp_path / f"{UUID}.pb").write_bytes(b"\x08\x01")
    assert [] == list(recordings_in(tmp_path)), "a folder with other files in it"


def test_content_is_never_run_or_shown_raw_but_kept_as_it_is():
    hostile = step(
        "run_command", command="<script>alert(1)</script>", output="\u0000\u202e" + "x" * 100, exit_code=2**70
    )
    stream, source = of(json.dumps(ASKED).encode() + b"\n" + lines(hostile, SAID))
    assert (0, 2**32 > (only(stream, events.ToolReturned)[0].exit_code or 0)) == (source.skipped, True)
