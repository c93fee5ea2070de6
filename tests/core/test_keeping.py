"""What is kept of a session on disk: no outputs, no secrets, and nothing that a detector would miss."""

import pytest
from hypothesis import given, settings

from headway import Monitor
from headway.core import events
from tests.conftest import examples
from tests.test_battery import STREAMS, each_recording

SECRET = "sk-ant-REDACTED"


def played(stream, *, cut: bool):
    """The outcomes of a stream, kept and loaded again after every event, as a hook does it."""
    monitor, outcomes = Monitor(), []
    for event in stream:
        outcomes.append(monitor.feed(event))
        if cut:
            monitor = Monitor.load(monitor.save(content=False))
    return outcomes


@each_recording
def test_what_is_kept_finds_the_same_in_recordings(stream):
    assert played(stream[:200], cut=False) == played(stream[:200], cut=True)


@given(STREAMS)
@settings(max_examples=examples(30), deadline=None)
def test_what_is_kept_finds_the_same_in_any_stream(stream):
    rounds = (events.IterationEnded,)
    stream = [event for event in stream if not isinstance(event, rounds)]

    assert played(stream, cut=False) == played(stream, cut=True)


@pytest.mark.parametrize("output", ["mean 0.{}2 s", "{}0% done", "started at 10:0{}:11", "same"])
def test_what_is_kept_finds_the_same_where_numbers_vary(output):
    stream = []
    for n in range(8):
        stream.append(called(n, "python bench.py"))
        stream.append(events.ToolReturned(call=str(n), output=output.format(n)))

    assert played(stream, cut=False) == played(stream, cut=True)


STALLED = "API_KEY={} make -f a/rather/long/name/of/a/makefile.mk all and everything else"


@pytest.mark.parametrize("asked", ["go on", "run it five times"])
def test_what_is_kept_finds_the_same_where_changes_make_no_difference(asked):
    stream = [events.UserSpoke(text=asked)]
    for n in range(0, 60, 2):
        edit = {"file_path": "a.c", "old_string": f"{n}", "new_string": f"{n + 2}"}
        stream.append(events.ToolCalled(call=str(n), tool="Edit", args=edit))
        stream.append(events.ToolReturned(call=str(n), output="done", failed=False))
        stream.append(called(n + 1, STALLED.format(SECRET + "x" * (n % 3))))
        stream.append(failed(n + 1, "a.c:1: error: no"))

    assert any(outcome.decision.reason == "stubborn_failure" for outcome in played(stream, cut=True))
    assert played(stream, cut=False) == played(stream, cut=True)


def kept_after(*stream) -> bytes:
    monitor = Monitor()
    for event in stream:
        monitor.feed(event)
    return monitor.save(content=False)


def test_no_output_is_kept():
    output = "the quick brown fox jumps over the lazy dog"

    kept = kept_after(
        events.ToolCalled(call="1", tool="Read", args={"file_path": "a"}), events.ToolReturned(call="1", output=output)
    )

    assert b"brown" not in kept and b"Read" in kept


def called(number: int, command: str) -> events.ToolCalled:
    return events.ToolCalled(call=str(number), tool="Bash", args={"command": command})


def failed(number: int, output: str) -> events.ToolReturned:
    return events.ToolReturned(call=str(number), output=output, failed=True)


TESTING, REFUSED = f"API_KEY={SECRET} pytest -q", f"Error: the token {SECRET} was refused\n1 failed in 0.1s"
LEAKS = {
    "a call that waits": [called(1, f"curl -H 'x-api-key: {SECRET}' x")],
    "a test": [called(1, TESTING), failed(1, "1 failed, 2 passed in 0.1s")],
    "an error": [called(1, "deploy"), failed(1, REFUSED)],
    "nested arguments": [events.ToolCalled(call="1", tool="Write", args={"lines": [{"text": f"KEY={SECRET}"}]})],
    "the agent's words": [events.AgentSpoke(text=f"I will use the key {SECRET} for this.")],
    "findings": [event for number in range(4) for event in (called(number, TESTING), failed(number, REFUSED))],
}


@pytest.mark.parametrize("stream", LEAKS.values(), ids=LEAKS)
def test_no_secret_is_kept(stream):
    assert SECRET.encode() not in kept_after(*stream)


def test_a_finding_does_not_show_a_secret_to_anybody():
    monitor = Monitor()
    for number in range(3):
        monitor.called("Bash", {"command": "deploy"}, call=str(number))
        decision = monitor.returned(str(number), f"Error: the token {SECRET} was refused", failed=True)

    assert "nudge" == decision.action and SECRET not in decision.message
    assert all(SECRET not in str(finding) for finding in decision.findings)
