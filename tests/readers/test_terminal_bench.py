import json
import shutil

import pytest

from headway.core import events
from headway.readers import knows, opened, read, reader_for, readers, recordings_in
from headway.sources import Source
from tests.readers.samples_read import SAMPLES, counts, of, only, raw, spent

TERMINUS, RECORDING = "fix-add.1-of-1.terminus", "fix-add.1-of-1.recording"
PLACE = SAMPLES / "terminal-bench"
HEADER = {"version": 2, "width": 80, "height": 24, "timestamp": 1_794_000_000}


def trial(name):
    source = Source(PLACE / name)
    stream = list(read(source))
    assert 0 == source.skipped, source.first_fault
    return stream


def cast(*moments, **header):
    return b"\n".join(json.dumps(line).encode() for line in ({**HEADER, **header}, *moments))


def commands(stream):
    return [call.args["command"] for call in only(stream, events.ToolCalled)]


def test_episodes_of_terminus():
    stream = trial(TERMINUS)
    assert (3, 3, 1, 5) == counts(stream)
    assert ["cat calc.py", "python3 test_calc.py"] == commands(stream)[:2]
    outputs = [result.output for result in only(stream, events.ToolReturned)]
    assert ["return a - b" in outputs[0], "AssertionError" in outputs[1], "passed" in outputs[2]] == [True] * 3
    known = raw(f"terminal-bench/{TERMINUS}/results.json")
    assert (known["total_input_tokens"], known["total_output_tokens"], 0) == spent(stream)
    assert {TERMINUS} == {event.run for event in stream}


def test_a_recording_where_there_is_nothing_else():
    stream = trial(RECORDING)
    assert ["cat calc.py", "python3 test_calc.py", "python3 test_calc.py", "sleep 60", "C-c"] == commands(stream)
    results = only(stream, events.ToolReturned)
    assert "def add(a, b):\n    return a - b\n" == results[0].output
    assert results[1].output == results[2].output and "AssertionError" in results[1].output
    assert {(None, None)} == {(result.failed, result.exit_code) for result in results}, "a recording has no exit codes"


def test_a_trial_is_one_recording_whatever_is_in_it(tmp_path):
    shutil.copytree(PLACE, tmp_path / "runs" / "1" / "fix-add")
    (tmp_path / "runs" / "1" / "run_metadata.json").write_text(
        '{"agent_name": "terminus-2", "model_name": "openai/gpt-4.1"}'
    )
    shutil.copy(
        PLACE / TERMINUS / "sessions" / "agent.cast",
        tmp_path / "runs" / "1" / "fix-add" / TERMINUS / "sessions" / "tests.cast",
    )
    found = [source for source in recordings_in(tmp_path) if knows(readers()["terminal-bench"], source.head())]
    assert 3 == len(list(recordings_in(tmp_path))), "beside them only the run's own file"
    assert [RECORDING, TERMINUS] == [source.path.name for source in found]
    started = only(list(read(found[0])), events.RunStarted)
    assert [("openai/gpt-4.1", "terminus-2")] == [(event.model, event.program) for event in started]


def test_the_agents_own_session_is_read_in_place_of_all_else(tmp_path):
    shutil.copytree(PLACE / TERMINUS, tmp_path / "t")
    own = tmp_path / "t" / "agent-logs" / "sessions" / "a"
    own.mkdir(parents=True)
    shutil.copy(SAMPLES / "codex" / "2026-11.jsonl", own / "rollout.jsonl")
    expected = list(read(Source(SAMPLES / "codex" / "2026-11.jsonl")))
    assert expected == list(read(Source(tmp_path / "t")))


def test_all_sessions_of_a_trial_are_read_each_once(tmp_path):
    shutil.copytree(PLACE / TERMINUS, tmp_path / "t")
    logs = tmp_path / "t" / "agent-logs"
    sessions = [SAMPLES / "codex" / "2026-11.jsonl", SAMPLES / "claude-code" / "stream.jsonl"]
    for number, session in enumerate([*sessions, sessions[0]]):
        shutil.copy(session, logs / f"{number}.jsonl")
    assert [event for session in sessions for event in read(Source(session))] == list(read(Source(tmp_path / "t")))


def test_what_an_agent_printed_as_json_is_its_own_session(tmp_path):
    shutil.copytree(PLACE / RECORDING, tmp_path / "t")
    printed = (SAMPLES / "claude-code" / "stream.jsonl").read_bytes().replace(b"\n", b"\r\n")
    log = tmp_path / "t" / "sessions" / "agent.log"
    log.write_bytes(b"$ claude --verbose --output-format stream-json\r\n" + printed + b"\x1b[?2004h$ exit\r\n")
    expected = only(list(read(Source(SAMPLES / "claude-code" / "stream.jsonl"))), events.ToolCalled)
    assert expected == only(list(read(Source(tmp_path / "t"))), events.ToolCalled)


def test_an_agent_with_its_own_screen_has_no_steps_in_a_recording():
    typed = ["clear\r", "source /installed-agent/install-agent.sh\r", "grok -p 'fix it'\r"]
    stream, source = of(cast(*[[number, "i", line] for number, line in enumerate(typed)]), "terminal-bench")
    assert (0, 0, 0, 0) == counts(stream) and 0 == source.skipped


@pytest.mark.parametrize(
    ("answer", "typed"),
    [
        ('I think.\n{"analysis": "a", "commands": [{"keystrokes": "ls\\n"}]} done', ["ls"]),
        ('<response><commands><keystrokes duration="1">ls\n</keystrokes></commands></response>', ["ls"]),
        ('{"analysis": "wait", "plan": "", "commands": []}', [""]),
        ('{"commands": [{"keystrokes": 5}, 7], "task_complete": true}', [""]),
        ('{"analysis": "a", "commands": 5, "task_complete": true}', []),
        ("no idea", []),
        ("{" * 5_000, []),
    ],
)
def test_answers_of_terminus_in_every_shape(tmp_path, answer, typed):
    shutil.copytree(PLACE / RECORDING, tmp_path / "t")
    episode = tmp_path / "t" / "agent-logs" / "episode-0"
    episode.mkdir(parents=True)
    (episode / "prompt.txt").write_text("screen")
    (episode / "response.txt").write_text(answer)
    stream = list(read(Source(tmp_path / "t")))
    assert typed == commands(stream)
    assert all("was not recorded" in result.output for result in only(stream, events.ToolReturned))


def test_a_recording_without_what_was_typed_has_no_steps():
    stream, _ = of(cast([0.1, "o", "$ ls\r\na.py\r\n"]), "terminal-bench")
    assert (0, 0, 0, 0) == counts(stream)


def test_times_of_version_3_count_from_the_one_before():
    moments = [[1, "i", "ls\r"], [2, "o", "ls\r\na.py\r\n$ "], [3, "i", "pwd\r"]]
    new = cast(*moments, version=3, term={"cols": 80, "rows": 24})
    assert "terminal-bench" == reader_for(Source(content=new)).name
    assert [1.0, 6.0] == [call.at - HEADER["timestamp"] for call in only(of(new)[0], events.ToolCalled)]
    assert [1.0, 3.0] == [call.at - HEADER["timestamp"] for call in only(of(cast(*moments))[0], events.ToolCalled)]


def test_odd_lines_are_counted_and_endless_ones_cut():
    odd = [[1, "i"], {"a": 1}, ["x", "o", "y"], 5, [2, "o", 7]]
    stream, source = of(cast([0, "i", "ls\r"], *odd, [3, "o", "ls\r\n<script>\r\n"]))
    assert (1, len(odd)) == (len(only(stream, events.ToolCalled)), source.skipped)
    long = [[number, "i", "x" * 1_000] for number in range(3_000)]
    stream, _ = of(cast(*long, [9_000, "i", "\r"], *[[9_001, "o", "y" * 1_000]] * 3_000))
    assert 1_100_000 > len(commands(stream)[0]) and 1_100_000 > len(only(stream, events.ToolReturned)[0].output)


def test_results_that_cannot_be_read_do_not_keep_the_steps_from_being_read(tmp_path):
    shutil.copytree(PLACE / TERMINUS, tmp_path / "t")
    (tmp_path / "t" / "results.json").write_text('{"trial_name": 5, "total_input_tokens": [')
    source = Source(tmp_path / "t")
    _, stream = opened(source)
    assert 3 == len(only(list(stream), events.ToolCalled)) and 1 == source.skipped
