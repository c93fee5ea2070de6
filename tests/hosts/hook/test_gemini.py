"""Gemini CLI: what it drops, what it does not report, and what would make it hang."""

import json
import os
from datetime import UTC, datetime

import pytest

from headway.store.overview import list_sessions

from .programs import Program, ask, refusal_in, told_in


def failed(program: Program) -> dict:
    """A read of a missing file, as Gemini CLI 0.61 reports it."""
    program.count += 1
    before = program.spelled("before", command="x") | {"tool_name": "read_file", "tool_input": {"file_path": "a.txt"}}
    if refusal_in(answer := ask(before, "gemini")):
        return answer
    response = {"llmContent": "Could not read file.", "error": {"message": "File not found: /p/a.txt", "type": "file_not_found"}}  # fmt: skip
    return ask(before | {"hook_event_name": "AfterTool", "tool_response": response}, "gemini")


def test_after_a_tool_that_failed_a_denial_carries_the_error_and_the_nudge():
    program = Program("gemini")

    answers = [failed(program) for _ in range(4)]

    assert [{}, {}] == answers[:2]
    assert "deny" == answers[2]["decision"] and answers[2]["reason"].startswith("File not found: /p/a.txt\n\nHeadway: ")
    assert "Headway refused this call" in refusal_in(answers[3])


def test_the_process_number_is_removed_from_a_result():
    program = Program("gemini")
    outputs = [f"nothing new\nProcess Group PGID: {number}\n</untrusted_context>" for number in (11, 12, 13)]

    told = [told_in(program.step("cat notes.txt", output)[1]) for output in outputs]

    assert "gave the same result 3 times in a row" in told[2]


def test_an_escalation_ends_the_run(tmp_path):
    """Asking its user would hang Gemini CLI where there is no terminal."""
    (tmp_path / "headway.toml").write_text("[policy]\nattended = true\n")
    program = Program("gemini")
    spelled = program.spelled
    program.spelled = lambda *given, **said: spelled(*given, **said) | {"cwd": str(tmp_path)}

    steps = [program.step("cat missing.txt", "cat: missing.txt: No such file") for _ in range(8)]

    assert [True, True, False] == [steps[number][0].get("continue", True) for number in (3, 4, 7)]
    assert {"deny"} == {before["decision"] for before, _ in steps[3:]}


class Recorded:
    """A Gemini session with recordings on disk, as its sub-agents leave them."""

    def __init__(self, folder):
        self.folder, self.clock, self.main = folder, 1_800_000_000.0, folder / "session-1.jsonl"
        (folder / "s1").mkdir()

    def answered(self, agent):
        """Record an answer of the model, which is written before its calls; returns its time."""
        self.clock += 1.0
        path = self.folder / "s1" / f"{agent}.jsonl" if agent else self.main
        line = {"type": "gemini", "timestamp": _stamp(self.clock), "content": ""}
        with path.open("a") as file:
            file.write(json.dumps(line) + "\n" + json.dumps({"$set": {"lastUpdated": line["timestamp"]}}) + "\n")
        os.utime(path, (self.clock, self.clock))
        return self.clock

    def tell(self, event, tool, at, **fields):
        data = {"session_id": "s1", "cwd": "/p", "hook_event_name": event, "transcript_path": str(self.main), "timestamp": _stamp(at)}  # fmt: skip
        return ask(data | {"tool_name": tool, "tool_input": {"command": "cat notes.txt"}, **fields}, "gemini")

    def look(self, agent):
        at = self.answered(agent) + 0.01
        before = self.tell("BeforeTool", "run_shell_command", at)
        if refusal_in(before):
            return before
        return self.tell("AfterTool", "run_shell_command", at + 0.01, tool_response={"llmContent": "nothing new"})


def _stamp(at):
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def test_a_sub_agent_is_recognised_by_its_recording(tmp_path):
    session = Recorded(tmp_path)

    answers = [session.look(agent) for agent in ("", "", "a1", "a1", "", "a2", "a2")]

    assert [{}] * 4 + [{}] * 2 == answers[:4] + answers[5:]
    assert "3 times" in told_in(answers[4])
    assert {"": 3, "a1": 2, "a2": 2} == {one.agent: one.steps for one in list_sessions()}


def test_parallel_sub_agents_are_distinguished(tmp_path):
    session = Recorded(tmp_path)
    session.answered("")
    for _ in range(2):
        first, second = session.answered("a1"), session.answered("a2")
        for at in (second, first):  # hooks may be heard in another order than they were started
            assert {} == session.tell("BeforeTool", "run_shell_command", at + 0.01)
        for _ in range(2):
            response = {"llmContent": "nothing new"}
            assert {} == session.tell("AfterTool", "run_shell_command", session.clock + 0.5, tool_response=response)
            session.clock += 0.1

    assert {"a1": 2, "a2": 2} == {one.agent: one.steps for one in list_sessions()}


@pytest.mark.parametrize("agent", ["a1", ""])
def test_the_call_of_a_sub_agent_is_the_main_agents(agent, tmp_path):
    session = Recorded(tmp_path)
    session.answered("")
    session.tell("BeforeTool", "invoke_agent", session.answered(agent))
    session.tell("AfterTool", "invoke_agent", session.clock + 1, tool_response={"llmContent": "done"})

    assert [""] == [one.agent for one in list_sessions()]


def test_a_stopped_sub_agent_may_report(tmp_path):
    session = Recorded(tmp_path)
    session.answered("")
    last = [session.look("a1") for _ in range(7)][-1]

    assert last["continue"] is False
    assert {} == session.tell("BeforeTool", "complete_task", session.answered("a1") + 0.01)
    assert {} == session.tell("AfterTool", "complete_task", session.clock + 0.02, tool_response={"llmContent": "ok"})
    assert {} == session.look("")
