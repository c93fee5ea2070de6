from headway.core import events
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
