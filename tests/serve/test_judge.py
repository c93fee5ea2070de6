"""The thread that takes events in: one that fails or waits does not hold up the others."""

import json
import threading

import pytest

from headway.hosts.hook.agents import codex
from headway.serve.judge import Judge
from headway.store.faults import read_faults
from headway.store.overview import list_sessions
from tests.hosts.hook.programs import Program


def asked(judge, data, agent, replies, id=""):
    done = threading.Event()

    def reply(answer):
        replies.append((agent, answer))
        done.set()

    judge.ask(json.dumps(data).encode(), ["--agent", agent], id, reply)
    return done


@pytest.mark.slow
def test_an_event_that_waits_for_its_agent_does_not_hold_up_others(state, monkeypatch, tmp_path):
    """Codex may still be writing what became of a patch."""
    monkeypatch.setattr(codex, "_WAITS", (3.0,))
    rollout = tmp_path / "rollout-1.jsonl"
    rollout.write_text("{}\n")
    judge, replies = Judge(lambda seconds: None), []
    judge.start()
    common = {"session_id": "s1", "cwd": "/x", "transcript_path": str(rollout), "hook_event_name": "PreToolUse"}
    patch = {**common, "tool_name": "apply_patch", "tool_input": {"command": "*** Begin Patch"}, "tool_use_id": "c1"}
    assert asked(judge, patch, "codex", replies).wait(120)
    first = asked(judge, {**patch, "tool_use_id": "c2"}, "codex", replies)
    second = asked(
        judge, Program("claude-code", "s2").spelled("after", command="ls", output="a.py"), "claude-code", replies
    )
    assert second.wait(120) and first.wait(120)
    judge.stop()

    assert ["codex", "claude-code", "codex"] == [agent for agent, _ in replies]
    assert [] == read_faults()


def test_one_who_has_gone_does_not_end_the_judge(state):
    judge, replies = Judge(lambda seconds: None), []
    judge.start()

    def gone(answer):
        raise RuntimeError("nobody listens")

    data = Program("claude-code").spelled("after", command="ls", output="a.py")
    judge.ask(json.dumps(data).encode(), ["--agent", "claude-code"], "", gone)
    assert asked(judge, data | {"tool_use_id": "c9"}, "claude-code", replies).wait(120)
    judge.stop()

    assert [2] == [one.steps for one in list_sessions()]
    assert 1 == len(read_faults()) and "nobody listens" in read_faults()[0]


def test_one_broken_event_does_not_spoil_those_beside_it(state, monkeypatch):
    """The whole transaction is undone, and each event is processed alone."""
    from headway.hosts.hook.agents.claude_code import ClaudeCode

    good = ClaudeCode.result
    monkeypatch.setattr(
        ClaudeCode, "result", lambda self, use, hook_event: 1 / 0 if use.id == "bad" else good(self, use, hook_event)
    )
    judge, replies = Judge(lambda seconds: None), []
    data = Program("claude-code").spelled("after", command="ls", output="a.py")
    waits = [asked(judge, data | {"tool_use_id": id}, "claude-code", replies, id) for id in ("one", "bad", "two")]
    judge.start()
    assert all(done.wait(120) for done in waits)
    judge.stop()

    assert [2] == [one.steps for one in list_sessions()]
    assert [False, True, False] == [answer.failed for _, answer in replies]


def test_a_session_in_memory_is_read_again_if_another_process_has_written_it(state):
    judge, replies = Judge(lambda seconds: None), []
    judge.start()
    program = Program("claude-code")
    sent = [
        program.spelled("after", command="cat x", output="No such file") | {"tool_use_id": f"c{n}"} for n in range(6)
    ]
    for here, elsewhere in zip(sent[::2], sent[1::2], strict=True):
        assert asked(judge, here, "claude-code", replies).wait(120)
        program._ask(elsewhere)
    judge.stop()

    assert [6] == [one.steps for one in list_sessions()]
    assert "exact_cycle" in {finding.detector for finding in list_sessions()[0].findings}
