"""The agent's transcript, read while it works."""

import json
import time
from pathlib import Path

import pytest

from headway.config.settings import Settings
from headway.loop.transcripts import Transcripts, places_of
from tests.loop.projects import agent, journal, prompt

LOOPING = r"""
echo '{"type":"run_started","run":"s","program":"toy"}' > ../steps.jsonl
i=0
while [ $i -lt 100 ]; do
  i=$((i + 1))
  echo '{"type":"tool_called","run":"s","call":"'$i'","tool":"Bash","args":{"command":"cat nothing.txt"}}' >> ../steps.jsonl
  echo '{"type":"tool_returned","run":"s","call":"'$i'","output":"cat: nothing.txt: No such file","failed":true,"exit_code":1}' >> ../steps.jsonl
  sleep 0.1
done
echo came to its end
"""


def step(number, run="s"):
    call = {"type": "tool_called", "run": run, "call": str(number), "tool": "Bash", "args": {"command": "cat x"}}
    back = {"type": "tool_returned", "run": run, "call": str(number), "output": "no x", "failed": True}
    return f"{json.dumps(call)}\n{json.dumps(back)}\n"


@pytest.mark.parametrize("mode", ["observe", "nudge"])
@pytest.mark.slow
def test_in_a_weaker_mode_a_loop_of_calls_does_not_end_the_round(loop, folder, mode):
    short = LOOPING.replace("-lt 100", "-lt 20")
    given = ("--max-rounds", 1, "--set", f"policy.mode={mode}", "--transcript", "../steps.jsonl")
    loop(*given, "--", agent(folder, r1=short))
    (ended,) = [fact for fact in journal(folder) if fact["fact"] == "agent_ended"]
    assert not ended.get("cut") and "came to its end" in ended["output"]
    assert ("## State of the work" in prompt(folder, 1)) == (mode == "nudge"), "observe says nothing to the agent"


def test_a_loop_of_calls_ends_the_round(loop, folder):
    code, _ = loop(
        "--max-rounds", 2, "--transcript", "../steps.jsonl", "--", agent(folder, r1=LOOPING, r2="echo better")
    )
    assert 3 == code
    first, second = [fact for fact in journal(folder) if fact["fact"] == "agent_ended"]
    assert first["cut"] and "came to its end" not in first.get("output", "")
    assert "cut" not in second and "better" in second["output"]
    assert "Round 1 was ended early" in prompt(folder, 2)
    assert "A different approach (rephrase)" in prompt(folder, 2)


def test_events_are_counted_once(tmp_path):
    path = tmp_path / "t.jsonl"
    watch = Transcripts(lambda: [path], Settings(), since=0.0)
    assert watch.look(at_once=True) is None  # there is nothing yet
    path.write_text(step(1) + step(2))
    for _ in range(10):
        path.touch()
        assert watch.look(at_once=True) is None
    with path.open("a") as file:
        for number in range(3, 12):
            file.write(step(number))
    assert "stop" == watch.look(at_once=True).action


def test_a_partial_line_is_read_when_it_is_complete(tmp_path):
    path = tmp_path / "t.jsonl"
    watch = Transcripts(lambda: [path], Settings(), since=0.0)
    whole = "".join(step(number) for number in range(1, 12))
    path.write_text(whole[: len(whole) // 3])
    assert watch.look(at_once=True) is None
    path.write_text(whole)
    assert "stop" == watch.look(at_once=True).action


def test_a_foreign_transcript_is_ignored(tmp_path):
    """Found by ourselves, it must have begun with this round and in this folder."""
    elsewhere, earlier = tmp_path / "elsewhere.jsonl", tmp_path / "earlier.jsonl"
    steps = "".join(step(number) for number in range(1, 12))
    elsewhere.write_text(json.dumps({"type": "run_started", "run": "s", "root": "/somewhere/else"}) + "\n" + steps)
    earlier.write_text(json.dumps({"type": "run_started", "run": "s", "at": time.time() - 3600}) + "\n" + steps)
    watch = Transcripts(lambda: [elsewhere, earlier], Settings(), since=time.time(), only_in=tmp_path)
    assert watch.look(at_once=True) is None


def test_money_is_counted_once(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"type":"used","run":"s","cost_usd":9.0}\n')  # before this round
    watch = Transcripts(lambda: [path], Settings(), since=0.0)
    with path.open("a") as file:
        file.write('{"type":"used","run":"s","cost_usd":0.25}\n')
    watch.look(at_once=True)
    with path.open("a") as file:
        file.write('{"type":"used","run":"s","cost_usd":0.5}\n')
    watch.look(at_once=True)
    assert 0.75 == watch.cost_usd


def test_events_before_the_round_are_not_judged(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("".join(step(number) for number in range(1, 12)))
    watch = Transcripts(lambda: [path], Settings(), since=0.0)
    with path.open("a") as file:
        file.write('{"type":"user_spoke","run":"s","text":"go on"}\n' + step(20))
    assert watch.look(at_once=True) is None


def test_a_restarted_transcript_is_judged_again(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("".join(step(number) for number in range(1, 30)))
    watch = Transcripts(lambda: [path], Settings(), since=0.0)
    path.write_text("".join(step(number) for number in range(1, 12)))
    assert "stop" == watch.look(at_once=True).action


def test_transcript_folders_of_known_agents(tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    claude = tmp_path / "claude/projects/-home-dev-my-app/1.jsonl"
    codex = tmp_path / "codex/sessions/2026/01/02/rollout-1.jsonl"
    for path in (claude, codex):
        path.parent.mkdir(parents=True)
        path.touch()
    folder = Path("/home/dev/my.app")
    assert [claude] == list(places_of(("/usr/bin/claude", "-p"), folder, None)())
    assert [codex] == list(places_of(("codex", "exec"), folder, None)())
    assert [] == list(places_of(("./agent",), folder, None)())
    assert [codex] == list(places_of(("./agent",), folder, str(codex.parent))())
