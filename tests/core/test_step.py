from pathlib import Path

import msgspec
import pytest

from headway import Monitor
from headway.core import events
from headway.core.call import KEPT_ARGUMENT, Call
from headway.core.step import KEPT_OUTPUT, Step
from headway.tools import envelope
from headway.tools.meaning import Vocabulary
from tests.streams import call, engine_of, spelled


def a_call(tool="Bash", args=None):
    return Call.of(events.ToolCalled(call="c", tool=tool, args=args or {}), Vocabulary.packaged(), 1)


def a_step(output="", tool="Bash", args=None, **result):
    event = events.ToolReturned(call="c", output=output, **result)
    return Step.of(a_call(tool, args or {"command": "make"}), event, 1)


def test_a_call_is_the_same_whatever_the_order_of_its_arguments():
    assert a_call("f", {"a": 1, "b": 2}).digest == a_call("f", {"b": 2, "a": 1}).digest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("f", {"a": 1}), ("g", {"a": 1})),
        (("f", {"a": 1}), ("f", {"a": 2})),
        (("f", {"a": "1"}), ("f", {"a": 1})),
        (("f", {"a": [1, 2]}), ("f", {"a": [2, 1]})),
    ],
)
def test_other_tools_or_arguments_are_other_calls(one, other):
    assert a_call(*one).digest != a_call(*other).digest


def test_a_long_argument_is_clipped_but_still_told_apart():
    one, other = (a_call("Write", {"content": "x" * 50_000 + end + "x" * 50_000}) for end in "ab")

    assert len(one.params["content"]) < KEPT_ARGUMENT + 100
    assert one.params == other.params
    assert one.digest != other.digest


def test_a_long_output_is_clipped_but_still_told_apart():
    one, other = (a_step("x" * 500_000 + end + "x" * 500_000, failed=False) for end in "ab")

    assert len(one.output) < KEPT_OUTPUT + 100
    assert one.size == 1_000_001
    assert one.digest != other.digest


class Strange:
    """An argument no JSON has a word for."""

    def __repr__(self):
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "args",
    [
        {"x": Strange()},
        {"x": {1, 2}},
        {"x": float("nan")},
        {"x": b"bytes"},
        {"x": "\ud800 lone surrogate"},
        {("tuple",): "key"},
        {"x": 10**400},
        {"x": "\0"},
        {1: 2},
    ],
    ids=["no repr", "set", "nan", "bytes", "surrogate", "tuple key", "huge number", "nul", "number key"],
)
def test_strange_arguments_are_made_plain(args):
    call = a_call("f", args)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(call), type=Call) == call


def test_endless_arguments_do_not_hang():
    args = {}
    args["self"] = args
    assert a_call("f", args).tool_name == "f"


def test_whether_it_failed_is_taken_from_the_host_first():
    assert a_step("Error: all is lost", failed=False).failed is False
    assert a_step("fine", failed=True).failed is True
    assert a_step("fine", exit_code=3).failed is True
    assert a_step("", denied=True).failed is True


def test_a_failed_step_says_what_went_wrong():
    output = "Traceback (most recent call last):\n  File \"x.py\", line 3\nKeyError: 'name'\n"
    assert a_step(output, failed=True).message == "KeyError: 'name'"
    assert a_step(output, failed=False).message == ""


def test_hits_are_only_counted_for_searches():
    assert a_step("a\nb", tool="Grep", args={"pattern": "x"}, hits=2).hits == 2
    assert a_step("a\nb", hits=2).hits is None


def test_results_are_the_same_when_only_the_clock_differs():
    one, other = (a_step(f"3 failed in 0.{n}2s at 12:00:0{n}", failed=True) for n in (1, 2))
    assert one.digest != other.digest
    assert one.same_result(other)


@pytest.mark.parametrize(
    "around",
    [
        "<untrusted_context>\nOutput: nothing new\nProcess Group PGID: {}\n</untrusted_context>",
        "nothing new\n<shellId: {} completed with exit code 0>",
        "Chunk ID: {}ca\nWall time: 0.0000 seconds\nProcess exited with code 0\nOutput:\nnothing new\n",
    ],
    ids=["gemini", "copilot", "codex"],
)
def test_results_are_the_same_when_only_the_hosts_own_lines_differ(around):
    one, other = (a_step(around.format(n)) for n in (1, 2))
    assert one.digest != other.digest
    assert one.same_result(other)
    assert not one.same_result(a_step(around.format(1).replace("new", "old")))


def test_results_differ_when_the_outcome_does():
    assert not a_step("x", failed=True).same_result(a_step("x", failed=False))


def test_news_is_an_output_not_seen_before():
    def told(novelty, failed=False, **more):
        event = events.ToolReturned(call="c", output="out", failed=failed)
        return Step.of(a_call("Bash", {"command": "make"}), event, 1, novelty=novelty, **more).news

    assert told(0.5) and told(0.0, better=True)
    assert not told(0.0)
    assert a_step("written", tool="Write", args={"file_path": "a"}, failed=False).news


def test_a_failed_lookup_is_no_news_but_a_failed_run_may_be():
    assert not a_step("no such file", tool="Read", args={"file_path": "a"}, failed=True).news
    assert a_step("2 failed", args={"command": "pytest"}, failed=True).news


def test_undecodable_text_can_be_kept():
    step = a_step("broken \udcff byte", failed=False)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(step), type=Step) == step


def result(output, kind="Bash", args=None, failed=False):
    engine = engine_of()
    word = call(kind, args or {"command": "./report"}, output, failed=failed)
    for event in spelled([word])[0]:
        engine.feed(event)
    return engine.session.steps[-1]


def test_what_was_clipped_is_never_the_same():
    long = "line\n" * 2_000
    assert not result(f"{long}1\n{long}").same_result(result(f"{long}2\n{long}"))
    assert result(f"{long}1\n{long}").same_result(result(f"{long}1\n{long}"))


@pytest.mark.parametrize(
    "output",
    [
        "<image>", "[Image data omitted]", "Screenshot taken", "[binary data, 2048 bytes]", "(result was not recorded)",
        "<coroutine object fetch at 0x7f3a5c0b2a40>", "<app.f.<locals>.Page object at 0x7f3a5c0b2a40>",
    ],
)  # fmt: skip
def test_what_is_opaque_is_never_the_same(output):
    assert result(output).opaque
    assert not result(output).same_result(result(output))


@pytest.mark.parametrize("output", ["", "ok", "image built", "[1, 2]", "screenshots: 3 files", "<html></html>"])
def test_a_plain_answer_is_not_opaque(output):
    assert not result(output).opaque
    assert result(output).same_result(result(output))


def test_errors_are_compared_more_widely_than_results():
    one, other = "a.py:12: Error: bad", "a.py:99: Error: bad"
    assert result(one, failed=True).same_result(result(other, failed=True))
    assert not result(one).same_result(result(other))


def test_a_call_that_was_denied_has_another_result_than_one_that_ran_and_failed():
    ran, denied = a_step("Permission denied", failed=True), a_step("Permission denied", denied=True)
    assert not ran.same_result(denied) and not denied.same_result(ran)
    assert denied.same_result(a_step("Permission denied", denied=True))


def test_what_ran_is_not_counted_among_what_was_denied():
    monitor = Monitor()
    for id, denied in enumerate((False, False, True, True, True)):
        monitor.called("Bash", {"command": "make deploy"}, call=f"{id}")
        decision = monitor.returned(f"{id}", "Permission denied", failed=True, denied=denied)
        assert ("was denied 3 times in a row" in decision.message) == (id == 4)


def test_a_tool_that_moves_on_gives_the_same_result_only_if_it_says_exactly_the_same():
    one, other = (f"job 7f3a at 10:00:0{n}" for n in (1, 2))
    assert not result(one, "next_job").same_result(result(other, "next_job"))
    assert result(one, "job_log").same_result(result(other, "job_log"))


def test_another_file_that_was_made_is_another_result():
    one, other = (f"Image saved to /tmp/gen-3f1a9c0{n}.png" for n in (1, 2))
    assert not result(one, "draw_image").same_result(result(other, "draw_image"))
    assert result(one, "draw_image").same_result(result(one, "draw_image"))
    one, other = (f"Log saved to /tmp/gen-3f1a9c0{n}.txt" for n in (1, 2))
    assert result(one, "draw_image").same_result(result(other, "draw_image"))


@pytest.mark.parametrize(
    ("message", "transient"),
    [
        ("Command timed out after 2m", True),
        ("error: timed out waiting for the condition", True),
        ("no such pod", False),
    ],
)
def test_a_wait_that_has_seen_nothing_until_its_time_was_over_may_be_repeated(message, transient):
    waits, goes_on = ("kubectl wait --for=condition=Ready pod/web", "make")
    assert transient == result(message, "Bash", {"command": waits}, failed=True).transient
    assert not result("Command timed out after 2m", "Bash", {"command": goes_on}, failed=True).transient


def unrecorded(steps):
    monitor, said = Monitor(), []
    for id, (tool, args, output) in enumerate(steps):
        monitor.called(tool, args, call=f"{id}")
        said.append(str(monitor.returned(f"{id}", output).action))
    return said


def test_from_results_that_were_not_recorded_nothing_follows():
    """A recording that holds no results: no file has shown anything, and each look is taken for a look."""
    looks = [("Read", {"file_path": f"src/{name}.py"}, "") for name in "abc"]
    asked = [("Grep", {"pattern": "total"}, ""), ("Bash", {"command": "make"}, "")] * 20
    assert {"continue"} == set(unrecorded([*looks, *asked]))
    assert {"continue"} == set(unrecorded([("view_file", {}, "")] * 30))


def test_an_empty_result_is_empty_once_anything_was_shown():
    looks = [("Read", {"file_path": f"src/{name}.py"}, "") for name in "abc"]
    asked = [("Grep", {"pattern": "total"}, "")] * 4
    assert {"nudge"} <= set(unrecorded([*looks, ("Read", {"file_path": "src/d.py"}, "total = 0"), *asked]))
    assert {"nudge"} <= set(unrecorded([("Read", {"file_path": "empty.txt"}, "")] * 6))


def test_who_looks_for_nothing_and_is_told_nothing_was_not_recorded():
    assert {"continue"} == set(
        unrecorded([("Read", {"file_path": "src/d.py"}, "total = 0"), *[("view_file", {}, "")] * 8])
    )


def test_an_edit_that_was_made_before_a_check_failed_has_changed_its_file():
    args = {"file_path": "a.py", "old_string": "a", "new_string": "b"}
    assert a_step("Successfully edited a.py\n[TEST] FAIL", "Edit", args, failed=True).changed
    assert not a_step("Error: the text was not found in a.py", "Edit", args, failed=True).changed


def test_the_exit_code_of_a_status_is_the_status():
    asked = {"command": "ssh db7 systemctl is-active shop"}
    assert a_step("inactive", "Bash", asked, exit_code=3).is_an_answer
    assert not a_step("Permission denied (publickey).", "Bash", asked, exit_code=255).is_an_answer
    assert not a_step("inactive", "Bash", {"command": "./is-active shop"}, exit_code=3).is_an_answer


def test_arguments_that_are_no_plain_data_are_told_apart():
    one, other = (a_call("read_file", {"path": Path(f"src/{name}.py")}) for name in "ab")
    assert one.digest != other.digest and one.digest == a_call("read_file", {"path": Path("src/a.py")}).digest


def test_a_description_is_talk_about_a_known_tool_and_content_of_another():
    known = [a_call("Bash", {"command": "ls", "description": text}).digest for text in ("look", "list")]
    other = [a_call("mcp__img__draw", {"size": "1", "description": text}).digest for text in ("a cat", "a dog")]
    assert known[0] == known[1] and other[0] != other[1]


@pytest.mark.parametrize("failed", [None, True, False])
@pytest.mark.parametrize("command", ["pytest -q", "grep -rn x .", "cat a.py"])
@pytest.mark.parametrize("lines", [0, 1_000], ids=["short", "long"])
def test_an_output_is_read_once_and_what_is_kept_of_a_long_one_once_more(command, failed, lines, monkeypatch):
    texts = []

    def noted(text):
        texts.append(text)
        return before_reminders(text)

    before_reminders = envelope._before_reminders
    monkeypatch.setattr(envelope, "_before_reminders", noted)  # within `body`, whoever imports it
    monitor = Monitor()
    long = "line of text\n" * lines
    outputs = [f"{long}{command} {failed}\n2 failed, 3 passed in 0.{id}s" for id in "12"]
    for id, output in enumerate([*outputs, *outputs]):
        monitor.called("Bash", {"command": command}, call=f"{id}")
        monitor.returned(f"{id}", output, failed=failed)
    whole = [text for text in texts if text in outputs]
    kept = [text for text in texts if text not in outputs]
    assert outputs * (2 if lines else 1) == whole, "a short output is remembered"
    assert len(kept) <= (4 if lines else 0) and all(len(text) < 2 * KEPT_OUTPUT for text in kept)
