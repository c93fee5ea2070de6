"""What is written as ATIF follows its rules, and reads back to the same calls and results."""

from collections import defaultdict

import msgspec
import pytest

from headway.core import events
from headway.readers import read
from headway.reports.atif import Trajectories
from headway.sources import Source
from tests.readers.samples_read import only, spent
from tests.readers.test_registry import SOURCES

ROOT = {
    "schema_version", "session_id", "trajectory_id", "agent", "steps", "final_metrics", "extra", "subagent_trajectories",
}  # fmt: skip
STEP = {"step_id", "timestamp", "source", "message", "tool_calls", "observation", "metrics", "extra"}
AGENT_ONLY = {"tool_calls", "metrics"}


def written(stream):
    trajectories = Trajectories()
    for event in stream:
        trajectories.take(event)
    return list(trajectories.finished())


def read_back(documents):
    source = Source(content=b"\n".join(map(msgspec.json.encode, documents)))
    stream = list(read(source))
    assert 0 == source.skipped, source.first_fault
    return stream


def check(trajectory):
    """The rules of Harbor's validator, as far as they concern what we write."""
    assert trajectory.keys() <= ROOT
    assert isinstance(trajectory["agent"]["name"], str) and isinstance(trajectory["agent"]["version"], str)
    assert list(range(1, len(trajectory["steps"]) + 1)) == [step["step_id"] for step in trajectory["steps"]] != []
    for step in trajectory["steps"]:
        assert step.keys() <= STEP and isinstance(step["message"], str)
        assert "agent" == step["source"] or not AGENT_ONLY & step.keys()
        asked = {call["tool_call_id"] for call in step.get("tool_calls", ())}
        assert {result["source_call_id"] for result in step.get("observation", {}).get("results", ())} <= asked
    inner = trajectory.get("subagent_trajectories", [])
    assert len({one["trajectory_id"] for one in inner}) == len(inner)
    for one in inner:
        check(one)


def by_agent(stream):
    """Everything that has to survive, for each agent of each run."""
    found = defaultdict(list)
    for event in stream:
        found[event.run, event.agent].append(event)
    return {key: summary for key, own in found.items() if any(summary := told(own))}


def told(stream):
    called = {e.call for e in only(stream, events.ToolCalled)}
    return (
        [(e.call, e.tool, e.args) for e in only(stream, events.ToolCalled)],
        sorted(
            (e.call, e.output, str((e.failed, e.exit_code, e.denied, e.hits)))
            for e in only(stream, events.ToolReturned)
            if e.call in called
        ),
        [e.text for e in only(stream, events.UserSpoke)],
        [e.text for e in only(stream, events.AgentSpoke) if e.text],
        [e.text for e in only(stream, events.Advised)],
        sum(1 for _ in only(stream, events.ContextCompacted, events.RunEnded, events.Stopped)),
        spent(stream) if any(spent(stream)) else None,
    )


@pytest.mark.parametrize("source", [source for _, source in SOURCES], ids=lambda source: source.name[-40:])
def test_every_sample_reads_back_to_the_same(source):
    stream = list(read(source))
    documents = written(stream)
    for document in documents:
        check(document)
    assert by_agent(stream) == by_agent(read_back(documents))


def test_calls_of_a_batch_share_a_step_and_others_do_not():
    stream = [
        events.AgentSpoke(text="look"),
        events.ToolCalled(call="a", tool="t", batch="1"),
        events.ToolCalled(call="b", tool="t", batch="1"),
        events.ToolReturned(call="b", output="B", failed=True, exit_code=2, at=5.5),
        events.ToolCalled(call="c", tool="t"),
        events.ToolReturned(call="a", output="A"),
        events.ToolCalled(call="d", tool="t"),
    ]
    (document,) = written(stream)
    assert [["a", "b"], ["c"], ["d"]] == [[c["tool_call_id"] for c in step["tool_calls"]] for step in document["steps"]]
    assert [["b", "a"], [], []] == [
        [r["source_call_id"] for r in step.get("observation", {"results": []})["results"]] for step in document["steps"]
    ]
    (result,) = [e for e in read_back([document]) if isinstance(e, events.ToolReturned) and e.call == "b"]
    assert (True, 2, 5.5) == (result.failed, result.exit_code, result.at)


def test_what_atif_has_no_word_for_comes_back_whole():
    odd = [
        events.Advised(run="r", text="careful", tool="grep", at=3.0),
        events.ContextCompacted(run="r"),
        events.ToolReturned(run="r", call="never asked for", output="x"),
        events.Stopped(run="r", reason="enough"),
        events.IterationEnded(run="r", output="o"),
        events.UserSpoke(run="r"),
        events.RunEnded(run="r", outcome="done"),
    ]
    back = read_back(written([events.RunStarted(run="r", root="/home/dev", program="p", model="m"), *odd]))
    assert ("/home/dev", "p", "m") == (back[0].root, back[0].program, back[0].model)
    assert odd == [msgspec.structs.replace(event, seq=None) for event in back[1:]]


def test_sub_agents_are_embedded_even_where_the_main_agent_is_silent():
    stream = [
        events.ToolCalled(run="r", agent="helper", call="a", tool="t"),
        events.ToolReturned(run="r", agent="helper", call="a"),
    ]
    (document,) = written(stream)
    check(document)
    assert by_agent(stream) == by_agent(read_back([document]))
