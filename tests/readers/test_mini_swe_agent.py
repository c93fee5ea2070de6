import json

import pytest

from headway.core import events
from headway.readers import read, reader_for
from headway.sources import Source
from tests.readers.samples_read import counts, of, only, raw, spent, taken

SAMPLE = "mini-swe-agent/two-looks.traj.json"


def trajectory(*messages):
    return {"trajectory_format": "mini-swe-agent-1.1", "info": {}, "messages": list(messages)}


def asks(*commands, **more):
    return {"role": "assistant", "content": "look", "extra": {"actions": list(commands), "timestamp": 5.0, **more}}


def test_commands_return_codes_and_raw_outputs():
    messages = raw(SAMPLE)["messages"]
    commands = [a["command"] for m in messages if m["role"] == "assistant" for a in m["extra"]["actions"]]
    answers = [m["extra"] for m in messages if m["role"] == "user" and "extra" in m]
    stream = taken(SAMPLE)

    assert commands == [event.args["command"] for event in only(stream, events.ToolCalled)]
    assert [(a["raw_output"], a["returncode"], a["timestamp"]) for a in answers] == [
        (event.output, event.exit_code, event.at) for event in only(stream, events.ToolReturned)
    ]
    assert (3, 2, 1, 3) == counts(stream)


def test_the_cost_of_every_turn_and_the_end():
    info = raw(SAMPLE)["info"]
    stream = taken(SAMPLE)
    assert (0, 0, info["model_stats"]["instance_cost"]) == spent(stream)
    assert info["exit_status"] == stream[-1].outcome
    assert "deterministic" == stream[0].model


def test_parallel_calls_are_paired_by_id_and_tokens_counted():
    stream, _ = of(
        trajectory(
            asks(
                {"command": "ls", "tool_call_id": "a"},
                {"command": "cat x", "tool_call_id": "b"},
                response={"usage": {"prompt_tokens": 10, "completion_tokens": 3}},
            ),
            {"role": "tool", "tool_call_id": "b", "content": "…", "extra": {"raw_output": "no x", "returncode": 1}},
            {"type": "function_call_output", "call_id": "a", "output": "x.py", "extra": {"returncode": 0}},
        )
    )
    calls, results = only(stream, events.ToolCalled), only(stream, events.ToolReturned)
    assert 1 == len({call.batch for call in calls})
    assert [("b", "no x", 1), ("a", "x.py", 0)] == [(e.call, e.output, e.exit_code) for e in results]
    assert (10, 3, 0) == spent(stream)


def test_a_format_error_is_the_hosts_word_and_an_interruption_the_users():
    stream, _ = of(
        trajectory(
            {"role": "user", "content": "Please fix it"},
            asks(),
            {"role": "user", "content": "No command found", "extra": {"interrupt_type": "FormatError"}},
            asks(),
            {"role": "user", "content": "stop that", "extra": {"interrupt_type": "UserInterruption"}},
        )
    )
    assert ["Please fix it", "stop that"] == [event.text for event in only(stream, events.UserSpoke)]
    assert ["No command found"] == [event.text for event in only(stream, events.Advised)]


def test_files_of_the_first_version_have_only_texts():
    stream, source = of(
        {
            "info": {"mini_version": "1.9.0"},
            "messages": [
                {"role": "system", "content": "s"},
                {"role": "user", "content": "go"},
                {"role": "assistant", "content": "THOUGHT: look\n\n```bash\nls -la\n```"},
                {"role": "user", "content": "<returncode>2</returncode>\n<output>\nno such file\n</output>"},
                "odd",
            ],
        }
    )
    assert ["ls -la"] == [event.args["command"] for event in only(stream, events.ToolCalled)]
    assert [("no such file", 2)] == [(e.output, e.exit_code) for e in only(stream, events.ToolReturned)]
    assert 1 == source.skipped


def test_a_command_that_could_not_be_run_has_failed():
    extra = {"raw_output": "", "returncode": -1, "exception_info": "timed out after 30 s"}
    stream, _ = of(trajectory(asks({"command": "sleep 99"}), {"role": "user", "content": "…", "extra": extra}))
    (result,) = only(stream, events.ToolReturned)
    assert (True, "timed out after 30 s") == (result.failed, result.output)


REFUSAL = (
    "Please always provide EXACTLY ONE action in triple backticks, found 2 actions.\nIf you want to end the task, …"
)


def old(*messages, **info):
    """A file of the first version: texts only, and a summary."""
    return {
        "info": {"mini_version": "1.14.0", **info},
        "messages": list(messages),
        "trajectory_format": "mini-swe-agent-1",
    }


def said(*commands):
    blocks = "\n\n".join(f"```bash\n{command}\n```" for command in commands)
    return {"role": "assistant", "content": f"THOUGHT: look\n\n{blocks}", "timestamp": 1762517060.5}


def observed(output, code=0):
    content = f"<returncode>{code}</returncode>\n<output>\n{output}\n</output>"
    return {"role": "user", "content": content, "timestamp": 1762517061.0}


TASK = {"role": "user", "content": "Fix it"}


@pytest.mark.parametrize(
    ("turn", "answer"),
    [
        (said("ls", "cat a.py"), REFUSAL),
        (said(), REFUSAL.replace("2", "0")),
        (said("ls", "cat a.py"), "Only one command at a time, as the task says."),
        (said("ls"), "Please always provide EXACTLY ONE action in the `<bash_code>` block, found 0 actions."),
    ],
    ids=["two commands", "none", "in other words", "one that was not understood"],
)
def test_a_turn_that_was_refused_is_no_step(turn, answer):
    stream, _ = of(old(TASK, turn, {"role": "user", "content": answer}, said("pwd"), observed("/testbed")))
    assert ["pwd"] == [event.args["command"] for event in only(stream, events.ToolCalled)]
    assert ["/testbed"] == [event.output for event in only(stream, events.ToolReturned)]
    assert [answer] == [event.text for event in only(stream, events.Advised)]
    assert ["Fix it"] == [event.text for event in only(stream, events.UserSpoke)]


def test_a_turn_of_today_that_was_refused_is_no_step_either():
    refused = {"role": "user", "content": "No tool calls found", "extra": {"interrupt_type": "FormatError"}}
    stream, _ = of(trajectory(TASK, asks({"command": "ls", "tool_call_id": "a"}), refused))
    assert (0, 0, 1, 1) == counts(stream)


def test_the_words_of_a_person_after_a_refusal_are_a_persons():
    refused = {"role": "user", "content": REFUSAL}
    stream, _ = of(old(TASK, said(), refused, {"role": "user", "content": "Use git log"}))
    assert ["Fix it", "Use git log"] == [event.text for event in only(stream, events.UserSpoke)]


def test_a_bare_list_of_messages_is_a_run():
    system = {"role": "system", "content": "You are a helpful assistant. Answer with ```bash blocks."}
    messages = [system, TASK, said("ls"), observed("a.py"), said("cat b.py"), observed("no such file", 1)]
    stream, source = of(messages)
    assert "mini-swe-agent" == reader_for(source).name
    assert ["ls", "cat b.py"] == [event.args["command"] for event in only(stream, events.ToolCalled)]
    assert [("a.py", 0), ("no such file", 1)] == [(e.output, e.exit_code) for e in only(stream, events.ToolReturned)]


@pytest.mark.parametrize(
    "messages",
    [
        [
            TASK,
            {"role": "assistant", "content": "Run ```bash\nls\n``` yourself."},
            {"role": "user", "content": "I did"},
        ],
        [TASK, {"role": "assistant", "content": "What does it say?"}, observed("a.py")],
        [TASK, observed("a.py")],
    ],
)
def test_other_talk_about_commands_is_not_ours(messages):
    assert "openai-chat" == reader_for(of(messages)[1]).name


@pytest.mark.parametrize(
    ("told", "total", "expected"),
    [([], 0.5, [0.5]), ([0.2, 0.3], 0.5, [0.2, 0.3]), ([0.2], 0.5, [0.2, 0.3]), ([0.2], 0, [0.2])],
)
def test_the_cost_of_the_run_is_told_once(told, total, expected):
    turns = [asks(cost=cost) for cost in told]
    stream, _ = of({**trajectory(TASK, *turns), "info": {"model_stats": {"instance_cost": total}}})
    assert pytest.approx(expected) == [event.cost_usd for event in only(stream, events.Used)]


def test_an_old_file_tells_the_end_in_its_summary_and_times_beside_the_texts():
    stream, _ = of(old(TASK, said("ls"), observed("a.py"), exit_status="LimitsExceeded"))
    assert ["LimitsExceeded"] == [event.outcome for event in only(stream, events.RunEnded)]
    assert [1762517060.5] == [event.at for event in only(stream, events.ToolCalled)]


def test_a_long_submission_in_front_hides_nothing():
    """Three of 500 published runs begin with a patch of 75 to 895 kB."""
    import json

    info = {"exit_status": "Submitted", "submission": "+ line\n" * 130_000, "model_stats": {}, "mini_version": "1.14.0"}
    file = {"info": info, "messages": [TASK, said("ls"), observed("a.py")], "trajectory_format": "mini-swe-agent-1"}
    for indent in (None, 2):
        source = Source(content=json.dumps(file, indent=indent).encode())
        assert "mini-swe-agent" == reader_for(source).name


OLD = [
    {"role": "system", "content": "You are an agent."},
    {"role": "user", "content": "Fix it."},
    {"role": "assistant", "content": "Look first.\n\n```bash\nls\n```"},
    {"role": "user", "content": "<returncode>0</returncode>\n<output>\na.py\n</output>"},
]
STATS = {"instance_cost": 0.46, "api_calls": 1}


@pytest.mark.parametrize(
    "file",
    [
        {"info": {"submission": "x" * 900_000, "model_stats": STATS}, "messages": OLD},
        {"messages": OLD, "info": {"submission": "x" * 900_000, "model_stats": STATS}},
        {"instance_id": "a", "submission": "x" * 90_000, "info": {"model_stats": STATS}, "messages": OLD},
    ],
    ids=["a long patch first", "messages first", "beside an instance"],
)
def test_a_file_that_names_neither_format_nor_version_is_known_by_what_it_holds(file, tmp_path):
    path = tmp_path / "a.traj.json"
    path.write_text(json.dumps(file))
    source = Source(path)
    assert "mini-swe-agent" == reader_for(source).name
    stream = list(read(source))
    assert ["ls"] == [event.args["command"] for event in only(stream, events.ToolCalled)]
    assert (0, 0, 0.46) == spent(stream)


def test_calls_and_usage_that_stand_in_the_message_itself_are_read():
    said = {
        "role": "assistant", "content": "look", "usage": {"prompt_tokens": 7, "completion_tokens": 2, "cost": 0.25},
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}],
    }  # fmt: skip
    stream, _ = of(trajectory(said, {"role": "tool", "tool_call_id": "a", "content": "x.py"}))
    assert [("a", {"command": "ls"})] == [(event.call, event.args) for event in only(stream, events.ToolCalled)]
    assert ["x.py"] == [event.output for event in only(stream, events.ToolReturned)]
    assert (7, 2, 0.25) == spent(stream)
