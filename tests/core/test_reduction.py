"""What of an event leaves the machine, and what detectors can still see in it."""

import pytest

from headway import Monitor
from headway.core.events import (
    AgentSpoke,
    IterationEnded,
    RunEnded,
    RunStarted,
    ToolCalled,
    ToolReturned,
    UserSpoke,
    encode_event,
)
from headway.core.reduction import in_letters, reduced
from headway.rolling.normalise import digest, normalise, normalise_error

SECRET = "sk-ant-api03-" + "a1B2c3D4" * 6


def leaving(*events, content=False):
    """The events as they leave, from a session that took them in."""
    monitor = Monitor(run="r", agent="a")
    left = []
    for event in events:
        monitor.feed(event)
        left.append(reduced(event, monitor.session, content=content))
    return left


def called(call="1", tool="Bash", **args):
    return ToolCalled(call=call, tool=tool, args=args)


def outputs(*texts, **more):
    pairs = [
        (called(str(n), command="ls"), ToolReturned(call=str(n), output=text, **more)) for n, text in enumerate(texts)
    ]
    return [event.output for event in leaving(*(event for pair in pairs for event in pair))[1::2]]


def test_run_and_agent_are_added():
    (event,) = leaving(UserSpoke(text="hello"))
    assert ("r", "a") == (event.run, event.agent)


def test_no_text_and_no_output_leaves():
    words = "a very private sentence"
    left = leaving(
        UserSpoke(text=words), AgentSpoke(text=words), called(command="cat f"), ToolReturned(call="1", output=words),
        called("2", "Write", file_path="f", content=words * 20), IterationEnded(output=words),
    )  # fmt: skip
    assert not any(b"private" in encode_event(event) for event in left)


def test_what_is_empty_stays_empty():
    said, _, result = leaving(AgentSpoke(text=""), called(command="ls"), ToolReturned(call="1", output=""))
    assert ("", "") == (said.text, result.output)


def test_equal_results_have_equal_digests_and_others_do_not():
    same = outputs("built in 1.2s\nall fine\nat 2024-05-05 10:00:00", "built in 3.4s\nall fine\nat 2024-05-05 11:11:11")
    assert 1 == len(set(same))
    assert 2 == len(set(outputs("one row", "two rows")))


def test_what_is_opaque_equals_nothing():
    assert 2 == len(set(outputs("[image]", "[image]")))


def test_a_digest_survives_the_comparison_of_results():
    letters = [in_letters(digest(str(number))) for number in range(500)]
    for form in (normalise, normalise_error):
        assert len(letters) == len({form(one) for one in letters})
    assert all(one.isalpha() and len(one) == 16 for one in letters)


def test_what_can_no_longer_be_read_from_an_output_is_told():
    left = leaving(
        called(command="make"), ToolReturned(call="1", output="make: *** [all] Error 2", exit_code=2),
        called("2", "Grep", pattern="x"), ToolReturned(call="2", output="a.py:1:x\nb.py:2:x"),
    )  # fmt: skip
    assert (True, 2) == (left[1].failed, left[1].exit_code)
    assert (False, 2) == (left[3].failed, left[3].hits)


def test_short_arguments_stay_and_long_ones_become_digests():
    content = "x = 1\n" * 100
    write, edit = leaving(
        called("1", "Write", file_path="a.py", content=content), called("2", "Edit", edits=[{"new": content}])
    )
    assert "a.py" == write.args["file_path"]
    assert f"… {in_letters(digest(content))}" == write.args["content"] == edit.args["edits"][0]["new"]


def test_the_beginning_of_a_long_command_stays():
    (event,) = leaving(called(command="pytest -q " + "tests/test_a.py " * 50))
    assert event.args["command"].startswith("pytest -q tests/test_a.py")
    assert len(event.args["command"]) < 230


@pytest.mark.parametrize("content", [False, True])
def test_secrets_are_masked_with_and_without_content(content):
    left = leaving(
        called(command=f"curl -H 'x-api-key: {SECRET}' x"), ToolReturned(call="1", output=f"key {SECRET}"),
        UserSpoke(text=f"use {SECRET}"), content=content,
    )  # fmt: skip
    assert not any(SECRET.encode() in encode_event(event) for event in left)


def test_with_content_texts_leave_and_only_very_long_ones_are_cut():
    long = "".join(f"line {n}\n" for n in range(20_000))
    said, _, result = leaving(
        UserSpoke(text="hello"), called(command="cat f"), ToolReturned(call="1", output=long), content=True
    )
    assert "hello" == said.text
    assert result.output.startswith("line 0\n")
    assert result.output.endswith(in_letters(digest(long)))
    assert len(result.output) < 21_000


def test_a_loop_is_still_found_in_what_leaves():
    loop = [
        event
        for n in range(6)
        for event in (called(str(n), command="make"), ToolReturned(call=str(n), output=f"make: *** no rule ({n} ms)"))
    ]
    there, here = Monitor(run="r", agent="a"), Monitor(run="r", agent="a")
    sent = leaving(*loop)
    decided = [
        [str(monitor.feed(event).decision.action) for event in events]
        for monitor, events in ((here, loop), (there, sent))
    ]
    assert decided[0] == decided[1]
    assert "nudge" in decided[0]


@pytest.mark.parametrize("command", ["cat <<E\n" + "x y\n" * 100, ["bash", "-lc", "make " + "all " * 100]])
def test_only_the_command_keeps_its_beginning(command):
    (left,) = leaving(called(command=command, description="d" * 300, stdin="a private text " * 20))
    assert b"private" not in encode_event(left) and b"ddd" not in encode_event(left)
    assert b"x y" in encode_event(left) or b"make all" in encode_event(left)


def test_secrets_in_names_and_paths_are_masked():
    started = RunStarted(root=f"/home/{SECRET}/x", model=SECRET, task=SECRET, targets=(f"/a/{SECRET}",), program="p")
    for content in (False, True):
        left = leaving(started, RunEnded(outcome=f"failed with {SECRET}"), content=content)
        assert not any(SECRET.encode() in encode_event(event) for event in left)
        assert left[0].root.startswith("/home/") and isinstance(left[0].targets, tuple)
