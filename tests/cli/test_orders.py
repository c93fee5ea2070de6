"""`headway allow` and `headway off`: what a person says about a live session from outside of it."""

import json

import pytest

from headway.cli import run
from tests.hosts.hook.programs import Program, ask, refusal_in, told_in


@pytest.fixture
def program(tmp_path, monkeypatch):
    """An agent in this folder that goes round in circles."""
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    program = Program("claude-code", "3f2a91c0-1")
    spelled = program.spelled
    program.spelled = lambda *given, **said: spelled(*given, **said) | {"cwd": str(tmp_path)}
    return program


def looped(program, times):
    return [program.step("cat notes.txt", "nothing new") for _ in range(times)]


@pytest.mark.parametrize("refusals", [1, 5], ids=["refused", "stopped"])
@pytest.mark.parametrize("words", [[], ["3f2a"]], ids=["here", "named"])
def test_what_was_refused_runs_again_and_is_told_before_it_is_refused_again(program, refusals, words, capsys):
    assert refusal_in(looped(program, 3 + refusals)[-1][0])

    assert 0 == run(["allow", *words])

    assert "3f2a91c0" in capsys.readouterr().out
    again = looped(program, 4)
    assert [""] * 3 == [refusal_in(before) for before, _ in again[:3]]
    assert "3 times" in told_in(again[2][1]) and refusal_in(again[3][0])


def test_nothing_to_allow(program, capsys):
    looped(program, 3)
    assert 0 == run(["allow"])
    assert "nothing is refused" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["allow", "off"])
def test_a_session_that_is_not_there(program, command, capsys):
    looped(program, 4)
    assert 2 == run([command, "zzz"])
    assert "no session 'zzz'" in capsys.readouterr().err


def test_of_two_sessions_with_one_beginning_none_is_chosen(program, capsys):
    looped(program, 4)
    program.session, program.count = "3f2a91c0-2", 50
    looped(program, 4)
    assert 2 == run(["allow", "3f2a"])
    assert "matches several sessions" in capsys.readouterr().err


def test_a_session_that_is_left_alone_hears_nothing_until_that_is_undone(program):
    looped(program, 1)
    assert 0 == run(["off"])
    assert [({}, {})] * 9 == looped(program, 9)
    assert {} == program.end("All tests pass.")

    assert 0 == run(["off", "--undo"])
    again = looped(program, 4)
    assert "3 times" in told_in(again[2][1]) and refusal_in(again[3][0]), "told before it is refused"


def other(program, session, cwd=None):
    """Another session, in the same folder unless told otherwise."""
    second = Program("claude-code", session)
    spelled = program.spelled("prompt", prompt="", message="")
    claude = second.spelled
    second.spelled = lambda *given, **said: claude(*given, **said) | {"cwd": str(cwd or spelled["cwd"])}
    return second


def told(program, event, **more):
    """An event that needs only its name."""
    named = program.spelled("prompt", prompt="x", message="x")
    return ask(
        {"hook_event_name": event, "session_id": named["session_id"], "cwd": named["cwd"], **more}, "claude-code"
    )


def test_a_message_in_one_session_and_allow_leave_another_one_refused(program, capsys):
    second = other(program, "9b-2")
    looped(second, 4)
    looped(program, 4)
    program.prompt("/headway:allow")

    assert 0 == run(["allow"])

    said = capsys.readouterr().out
    assert "3f2a91c0" in said and "nothing is refused in this session" in said
    assert refusal_in(looped(second, 1)[0][0]), "the other session is as it was"


@pytest.mark.parametrize("command", ["allow", "off"])
@pytest.mark.parametrize("words", [[], ["3f2a"]], ids=["here", "named"])
def test_a_live_session_is_meant_rather_than_one_that_has_ended(program, command, words, capsys):
    second = other(program, "3f2a91c1-2")
    looped(program, 4)
    looped(second, 4)
    told(second, "SessionEnd", reason="other")
    assert 0 == run([command, *words])
    said = capsys.readouterr().out
    assert "3f2a91c0" in said and "3f2a91c1" not in said


@pytest.mark.parametrize("where", ["below", "above"])
def test_a_session_is_found_from_below_and_from_above_its_folder(program, where, tmp_path, monkeypatch, capsys):
    (tmp_path / "p" / "src").mkdir(parents=True)
    looped(other(program, "7c-1", tmp_path / "p"), 4)
    looped(other(program, "8d-1", tmp_path / "elsewhere"), 4)
    monkeypatch.chdir(tmp_path / "p" / "src" if where == "below" else tmp_path)
    if where == "above":
        told(other(program, "8d-1", tmp_path / "elsewhere"), "SessionEnd", reason="other")
    assert 0 == run(["allow"])
    assert "7c-1" in capsys.readouterr().out


def test_sub_agents_that_start_later_are_left_alone_too(program):
    looped(program, 1)
    assert 0 == run(["off"])
    assert not any(refusal_in(before) or told_in(after) for before, after in looped(_sub_agent(program), 9))
    assert {} == program.prompt("go on") and [({}, {})] == looped(program, 1), "nobody tells of the sub-agent either"


def _sub_agent(program):
    agent = other(program, program.session)
    claude, agent.count = agent.spelled, 500
    agent.spelled = lambda *given, **said: claude(*given, **said) | {"agent_id": "a1"}
    told(agent, "SubagentStart", agent_id="a1")
    return agent


def test_a_session_that_was_left_alone_is_watched_when_it_is_taken_up_again(program):
    agent = _sub_agent(program)
    looped(program, 1)
    looped(agent, 1)
    assert 0 == run(["off"])
    told(program, "SessionEnd", reason="other")
    told(program, "SessionStart", source="resume")
    for one in (program, agent):
        assert refusal_in(looped(one, 4)[-1][0])


def test_status_says_that_a_session_is_left_alone(program, capsys):
    looped(program, 1)
    run(["status"])
    assert "leaves it alone" not in capsys.readouterr().out
    run(["off"])
    capsys.readouterr()
    run(["status"])
    assert "Headway is off" in capsys.readouterr().out
    run(["status", "--format", "json"])
    assert [True] == [one["off"] for one in json.loads(capsys.readouterr().out)["sessions"]]
