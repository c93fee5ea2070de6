"""What enforce would have done: counted from what hooks recorded, priced from the agent's own recording."""

import json

import pytest

from headway.cli import run
from headway.store.overview import KeptDecision, SessionOverview
from headway.store.sessions import SessionStore
from headway.study.digest import Digest, as_text
from headway.study.left_undone import in_words, left_undone
from tests.hosts.hook.programs import Program

NOON = 1_794_312_000.0


def decision(action, at, would=True, until=None, step=10):
    until_step = None if until is None else step + 30
    return KeptDecision(
        step=step, at=at, action=action, reason="exact_cycle", message="Seen.", would=would, until_at=until,
        until_step=until_step,
    )  # fmt: skip


def session(*decisions, transcript="", id="3f2a91c0-1"):
    return SessionOverview(
        host="claude-code", session=id, agent="", cwd="/p", model=None, started_at=0, seen_at=NOON, ended=False,
        steps=40, last_tool=None, verdict="nudge", off=False, decisions=decisions, transcript=transcript,
    )  # fmt: skip


def recording(tmp_path):
    """Two dollars before the stop, three after it in the same turn, and seven in the turn after that."""
    spent = ((NOON - 60, 2.0), (NOON + 60, 1.0), (NOON + 120, 2.0), (NOON + 4_000, 7.0))
    events = [{"type": "run_started", "run": "s", "program": "toy", "at": NOON - 100}]
    events += [{"type": "used", "run": "s", "cost_usd": cost, "at": at} for at, cost in spent]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return str(path)


def test_what_followed_a_stop_is_told_with_where_to_look(tmp_path):
    path = recording(tmp_path)
    stop = decision("stop", NOON, until=NOON + 120)
    found = left_undone([session(stop, decision("block", NOON - 5), transcript=path)], NOON - 100)

    (one,) = found.stops
    assert (30, 3.0, 60.0) == (one.after.steps, one.after.cost_usd, one.after.active_seconds)
    first, line = in_words(found, "7 days")
    assert "In the last 7 days, the mode enforce would have meant 1 stop and 1 refused call: " in first
    assert "30 steps, 1m00s, $3.00 after the stops." in first
    assert (
        f"claude-code 3f2a91c0, stop at step 10 (exact_cycle): 30 steps, 1m00s, $3.00 after it; look at it: headway show {path}"
        in line
    )


@pytest.mark.parametrize("transcript", ["", "/nowhere/gone.jsonl"])
def test_without_a_recording_the_cost_is_unknown_and_said_to_be(transcript):
    found = left_undone([session(decision("stop", NOON, until=NOON + 2_460), transcript=transcript)], NOON - 1)
    first, line = in_words(found, "7 days")
    assert "30 steps, 41m00s after the stops (cost recorded or estimated for 0 of 1)" in first
    assert "$" not in first + line and "headway show" not in line


def test_what_was_done_and_what_is_old_is_not_counted():
    old, done = decision("stop", NOON - 1_000), decision("stop", NOON, would=False)
    assert [] == list(in_words(left_undone([session(old, done)], NOON - 100), "7 days"))


def test_the_digest_keeps_what_was_done_apart_from_what_would_have_been():
    digest = Digest(NOON + 10, 7)
    digest.add_live([session(decision("stop", NOON, until=NOON + 5), decision("nudge", NOON, would=False))])
    text = "\n".join(as_text(digest))
    assert "Hooks watched 1 session: 1 nudge, 0 refused calls, 0 stops." in text
    assert "In the last 7 days, the mode enforce would have meant 1 stop and 0 refused calls: 30 steps, 5s" in text
    assert 1 == len(digest.as_data()["would_have"].stops)


def test_status_says_it_after_a_session_in_the_default_mode(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    program = Program("claude-code", mode="")
    for _ in range(9):
        program.step("cat notes.txt", "nothing new")
    assert 0 == run(["status"])
    said = capsys.readouterr().out
    assert "the mode enforce would have meant 1 stop and 2 refused calls" in said
    assert "headway install AGENT --mode enforce" in said
    run(["status", "--format", "json"])
    kept = json.loads(capsys.readouterr().out)["sessions"][0]["decisions"]
    assert [True, True, True] == [one["would"] for one in kept if one["action"] in ("block", "stop")]
    store = SessionStore()
    store.connection.execute("UPDATE sessions SET seen_at = seen_at - 2 * 86400")
    run(["status"])
    said = capsys.readouterr().out
    assert "No agent activity in the last 24 hours" in said and "the mode enforce would have meant 1 stop" in said
    store.connection.execute("UPDATE decisions SET at = at - 8 * 86400")
    store.close()
    run(["status"])
    assert "enforce would have" not in capsys.readouterr().out
