import json
import shutil
from collections import Counter

import pytest

from headway.core import events
from headway.readers import recordings_in
from headway.readers.openhands import Openhands
from headway.sources import Source
from tests.readers.counting import SAMPLES, counts, only, raw_lines, sample

NAME = "openhands/output.jsonl"
AT = "2025-03-01T10:00:00"


def read(document, lines=False):
    content = json.dumps(document).encode() if not lines else b"\n".join(json.dumps(line).encode() for line in document)
    source = Source(content=content)
    assert Openhands().recognises(source.head())
    return list(Openhands().read(source)), source


def act(id, action, source="agent", **more):
    args, metadata = more.pop("args", {}), more.pop("call", None)
    event = {"id": id, "timestamp": AT, "source": source, "message": "", "action": action, "args": args, **more}
    return {**event, "tool_call_metadata": metadata} if metadata else event


def saw(cause, observation, content="", **extras):
    event = {"id": 99, "timestamp": AT, "source": "environment", "message": "", "cause": cause}
    return {**event, "observation": observation, "content": content, "extras": extras}


def by_hand(tasks):
    """The same numbers from the raw lines, as jq would count them."""
    history = [event for task in tasks for event in task["history"]]
    return {
        "calls": sum(event.get("action") in ("run", "run_ipython") for event in history),
        "results": sum("observation" in event for event in history),
        "failed": 0,  # nobody says it; it follows from exit codes and texts
        "denied": 0,
        "turns": sum(event.get("action") == "message" for event in history),
        "tokens_in": 0,
        "tokens_out": 0,
    }


def test_an_evaluation_agrees_with_its_raw_lines():
    stream, source = sample(NAME)
    tasks = raw_lines(NAME)
    assert by_hand(tasks) == counts(stream)
    told = [event.get("exit_code") for task in tasks for event in task["history"] if "observation" in event]
    assert told == [result.exit_code for result in only(stream, events.ToolReturned)]
    spent = sum(task["metrics"]["accumulated_cost"] for task in tasks)
    assert spent == pytest.approx(sum(used.cost_usd for used in only(stream, events.Used)))
    assert ["solved", "solved"] == [end.outcome for end in only(stream, events.RunEnded)]
    assert {"neubig/pr-viewer#5", "neubig/pr-viewer#1"} == {event.run for event in stream}
    assert 0 == source.skipped


def test_a_trajectory_of_version_0():
    call = {"function_name": "execute_bash", "tool_call_id": "toolu_1", "model_response": {"id": "resp_1"}}
    usage = {"accumulated_cost": 0.5, "accumulated_token_usage": {"prompt_tokens": 100, "completion_tokens": 10}}
    more = {"accumulated_cost": 0.75, "accumulated_token_usage": {"prompt_tokens": 250, "completion_tokens": 30}}
    trajectory = [
        act(0, "system", args={"content": "You are…"}),
        act(1, "message", source="user", args={"content": "fix it"}),
        act(
            2,
            "run",
            args={"command": "ls", "thought": "first a look", "is_confirmed": "confirmed"},
            call=call,
            llm_metrics=usage,
        ),
        saw(2, "run", "a.py", metadata={"exit_code": 1}),
        act(4, "read", args={"path": "a.py"}, llm_metrics=more),
        saw(4, "error", "no such file"),
        act(6, "edit", args={"path": "b.py"}),
        saw(6, "user_rejected", "no"),
        saw(None, "agent_state_changed"),
        act(8, "condensation", args={"summary": "…"}),
        act(9, "finish", args={"final_thought": "done"}),
    ]
    stream, source = read(trajectory)
    calls, results = only(stream, events.ToolCalled), only(stream, events.ToolReturned)
    assert [("toolu_1", "execute_bash", {"command": "ls"}, "resp_1")] == [
        (c.call, c.tool, c.args, c.batch) for c in calls[:1]
    ]
    assert [c.call for c in calls] == [r.call for r in results]
    assert [1, None, None] == [r.exit_code for r in results]
    assert ([None, True, True], [False, False, True]) == ([r.failed for r in results], [r.denied for r in results])
    assert ["fix it"] == [turn.text for turn in only(stream, events.UserSpoke)]
    assert ["first a look", "done"] == [said.text for said in only(stream, events.AgentSpoke)]
    assert [(100, 10, 0.5), (150, 20, 0.25)] == [
        (u.tokens_in, u.tokens_out, u.cost_usd) for u in only(stream, events.Used)
    ]
    assert 1 == len(only(stream, events.ContextCompacted))
    assert all(event.at for event in stream[1:])
    assert 0 == source.skipped
    assert stream == read({"trajectory": trajectory})[0]


def test_pairs_of_the_oldest_evaluations():
    pairs = [
        [{"action": "message", "content": "fix"}, {"observation": "null", "content": ""}],
        [{"action": "run", "command": "ls"}, {"observation": "run", "content": "a", "exit_code": 0}],
    ]
    stream, _ = read([{"instance_id": "x", "instruction": "fix", "history": pairs, "metrics": {}}], lines=True)
    assert (1, 1, 1) == tuple(counts(stream)[name] for name in ("calls", "results", "turns"))


def kind(name, **more):
    return {"kind": name, "id": "e", "timestamp": AT, **more}


def action(call, tool="terminal", **given):
    return kind(
        "ActionEvent",
        source="agent",
        thought=[],
        action={"kind": "A", **given},
        tool_name=tool,
        tool_call_id=call,
        llm_response_id="r",
    )


def observed(call, **observation):
    return kind(
        "ObservationEvent",
        source="environment",
        tool_name="t",
        tool_call_id=call,
        action_id="a",
        observation=observation,
    )


EVENTS = [
    kind("SystemPromptEvent", source="agent"),
    kind("MessageEvent", source="user", llm_message={"role": "user", "content": [{"type": "text", "text": "fix it"}]}),
    action("c1", command="ls", timeout=None),
    action("c2", "file_editor", command="view", path="/a"),
    observed("c1", content=[{"type": "text", "text": "a.py"}], metadata={"exit_code": 2}),
    observed("c2", content=[{"type": "text", "text": "no"}], is_error=True),
    action("c3"),
    kind("UserRejectObservation", source="environment", tool_name="t", tool_call_id="c3", rejection_reason="not now", rejection_source="user"),
    kind("ActionEvent", source="agent", thought=[], action=None, tool_name="x", tool_call_id="c4", tool_call={"arguments": '{"a": 1}'}),
    kind("AgentErrorEvent", source="agent", tool_name="x", tool_call_id="c4", error="no such tool"),
    kind("Condensation", source="environment"),
    kind("MessageEvent", source="agent", llm_message={"role": "assistant", "content": [{"type": "text", "text": "done"}]}),
]  # fmt: skip


def check(stream):
    calls, results = only(stream, events.ToolCalled), only(stream, events.ToolReturned)
    assert [{"command": "ls"}, {"command": "view", "path": "/a"}, {}, {"a": 1}] == [call.args for call in calls]
    assert ["r", "r"] == [call.batch for call in calls[:2]]
    assert ["a.py", "no", "not now", "no such tool"] == [result.output for result in results]
    assert [None, True, True, True] == [result.failed for result in results]
    assert [2, None, None, None] == [result.exit_code for result in results]
    assert [False, False, True, False] == [result.denied for result in results]
    assert (["fix it"], ["done"]) == (
        [e.text for e in only(stream, events.UserSpoke)],
        [e.text for e in only(stream, events.AgentSpoke)],
    )
    assert 1 == len(only(stream, events.ContextCompacted))


@pytest.fixture
def folder(tmp_path):
    """A conversation as the SDK keeps it."""
    conversation = tmp_path / "conversations" / "abc"
    (conversation / "events").mkdir(parents=True)
    metrics = {"accumulated_cost": 0.5, "accumulated_token_usage": {"prompt_tokens": 70, "completion_tokens": 7}}
    state = {
        "id": "abc-1",
        "agent": {"llm": {"model": "m"}},
        "workspace": {"working_dir": "/w"},
        "stats": {"usage_to_metrics": {"agent": metrics}},
    }
    (conversation / "base_state.json").write_text(json.dumps(state))
    for number, event in enumerate(EVENTS, 99_990):
        (conversation / "events" / f"event-{number:05d}-{number}.json").write_text(json.dumps(event))
    return conversation


def test_a_conversations_folder_is_one_recording(folder):
    (source,) = recordings_in(folder.parent)
    stream = list(Openhands().read(source))
    check(stream)
    assert ("abc-1", "m", "/w", "openhands") == (stream[0].run, stream[0].model, stream[0].root, stream[0].program)
    assert (70, 7) == (counts(stream)["tokens_in"], counts(stream)["tokens_out"])
    assert 0 == source.skipped


def test_a_recorded_conversation_agrees_with_its_files():
    folder = SAMPLES / "openhands" / "conversation"
    raw = [json.loads(file.read_text()) for file in sorted(folder.glob("events/*.json"))]
    kinds = Counter(event["kind"] for event in raw if event.get("tool_name") != "finish")
    state = json.loads((folder / "base_state.json").read_text())
    usage = state["stats"]["usage_to_metrics"]["agent"]["accumulated_token_usage"]
    expected = {
        "calls": kinds["ActionEvent"],
        "results": kinds["ObservationEvent"] + kinds["AgentErrorEvent"],
        "failed": kinds["AgentErrorEvent"],
        "denied": 0,
        "turns": kinds["MessageEvent"],
        "tokens_in": usage["prompt_tokens"],
        "tokens_out": usage["completion_tokens"],
    }
    stream, source = sample("openhands/conversation")
    assert expected == counts(stream)
    assert (state["id"], "/home/dev/project") == (stream[0].run, stream[0].root)
    assert 0 == source.skipped


def test_a_conversation_that_was_watched_is_read_without_what_hooks_did():
    stream, source = sample("openhands/watched")
    results = only(stream, events.ToolReturned)
    expected = {"calls": 8, "results": 8, "failed": 2, "denied": 1, "turns": 1, "tokens_in": 800, "tokens_out": 160}
    assert expected == counts(stream)
    assert ("a6b1a0be-8ace-4963-b0ce-fc9d789e53db", "openai/scripted") == (stream[0].run, stream[0].model)
    assert [0, 0, 0, None, 0, 0, None, None] == [result.exit_code for result in results]
    assert results[3].denied and "This call was held back" in results[3].output
    assert "timed out after 1.0 seconds" in results[6].output and results[7].failed
    assert ["Now the plan.", "all done"] == [said.text for said in only(stream, events.AgentSpoke)]
    assert (0, []) == (source.skipped, only(stream, events.Advised))


def test_sub_agents_have_folders_of_their_own(folder):
    """They are agents of the same run, and what they spent stands in the main agent's account."""
    inner = folder / "subagents" / "def"
    shutil.copytree(folder, inner, ignore=shutil.ignore_patterns("subagents"))
    (folder / "subagents" / "back").symlink_to(folder)
    (source,) = recordings_in(folder.parent)
    stream = list(Openhands().read(source))
    for agent in ("", "def"):
        check([event for event in stream if event.agent == agent])
    assert ({"abc-1"}, {"", "def"}) == ({event.run for event in stream}, {event.agent for event in stream})
    assert [("", 70)] == [(used.agent, used.tokens_in) for used in only(stream, events.Used)]


def test_ending_a_turn_is_no_call():
    refused = {"tool_name": "finish", "tool_call_id": "c1", "rejection_reason": "one test fails"}
    failed_hook = {"tool_name": "finish", "hook_event_type": "PreToolUse", "error": "no such program"}
    history = [
        action("c1", "finish", message="done"),
        kind("HookExecutionEvent", source="hook", **failed_hook),
        kind("UserRejectObservation", source="environment", **refused),
        action("c2", "finish", message="one fails"),
    ]
    stream, source = read(history)
    assert ["done", "one test fails", "one fails"] == [event.text for event in stream[1:]]
    assert (0, 0) == (counts(stream)["calls"], source.skipped)


def test_a_branch_that_was_left_is_left_out(folder):
    for file in folder.glob("events/*.json"):
        file.unlink()
    said = [("1", "0", "start"), ("2", "1", "wrong"), ("3", "1", "right")]
    for id, parent, text in said:
        event = kind("MessageEvent", source="user", llm_message={"content": text}) | {"id": id, "parent_id": parent}
        (folder / "events" / f"event-0000{id}-x.json").write_text(json.dumps(event))
    stream = list(Openhands().read(Source(folder)))
    assert ["start", "right"] == [turn.text for turn in only(stream, events.UserSpoke)]


def test_files_of_a_conversation_that_cannot_be_read_are_counted(folder):
    (folder / "base_state.json").write_text("{half")
    (folder / "events" / "event-00000-x.json").write_text('{"kind": 7}')
    (folder / "events" / "event-00001-x.json").write_text('{"kind": "Flown"}')
    (folder / "events" / "event-00002-x.json").write_text("")
    source = Source(folder)
    check(list(Openhands().read(source)))
    assert 4 == source.skipped


def test_events_of_today_in_a_trajectory_and_in_an_evaluation():
    evaluation = [{"instance_id": "x", "instruction": "fix", "history": EVENTS}]
    for stream, source in (read(EVENTS), read(evaluation, lines=True)):
        assert 0 == source.skipped
        check(stream)


def test_what_is_printed_is_read_between_the_lines_of_talk():
    """Unlike the files of a conversation it names also what is not there."""
    hook = kind("HookExecutionEvent", source="hook", hook_event_type="SessionStart", tool_name=None, error=None)
    lines = [json.dumps(event) for event in (hook, *EVENTS)]
    printed = "\n".join(["Initializing agent...", *lines, "{half", "Agent finished", "Goodbye! 👋", ""])
    source = Source(content=printed.encode())
    assert Openhands().recognises(source.head())
    check(list(Openhands().read(source)))
    assert 1 == source.skipped


def test_what_cannot_be_read_is_skipped_and_counted():
    task = {
        "instance_id": "x",
        "instruction": "fix",
        "history": [{"action": 7}, {}, 5, {"action": "run", "command": "ls"}],
    }
    stream, source = read([task, {"instruction": "fix", "history": "?"}], lines=True)
    assert (1, 4) == (counts(stream)["calls"], source.skipped)
