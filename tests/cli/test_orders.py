"""`headway allow` and `headway off`: what a person says about a live session from outside of it."""

import json
import os

import pytest

from headway.cli import run
from headway.store.sessions import SessionStore
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
def test_what_was_refused_runs_again_and_its_project_remembers_that_it_may(program, refusals, words, capsys):
    assert refusal_in(looped(program, 3 + refusals)[-1][0])

    assert 0 == run(["allow", *words])

    said = capsys.readouterr().out
    assert "3f2a91c0" in said and "may repeat in this project: Bash cat notes.txt" in said
    assert [({}, {})] * 6 == looped(program, 6)
    later = other(program, "9b-later")
    assert [({}, {})] * 6 == looped(later, 6), "the project remembers it"
    again = [later.step("cat other.txt", "nothing new") for _ in range(4)]
    assert "3 times" in told_in(again[2][1]) and refusal_in(again[3][0]), "another call is another matter"


def test_what_was_allowed_is_forgotten_on_request_and_holds_in_its_project_only(program, tmp_path, monkeypatch, capsys):
    (tmp_path / ".git").mkdir()
    looped(program, 4)
    run(["allow"])
    elsewhere = other(program, "77-1", tmp_path.parent)
    assert refusal_in(looped(elsewhere, 4)[-1][0])
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert 0 == run(["mute"])
    assert "may repeat: Bash cat notes.txt for good" in capsys.readouterr().out

    assert 0 == run(["allow", "--undo"])

    assert "1 allowed call forgotten" in capsys.readouterr().out
    again = looped(program, 4)
    assert "3 times" in told_in(again[2][1]) and refusal_in(again[3][0]), "told before it is refused"


def test_a_repeat_that_was_only_told_can_be_allowed_before_it_is_refused(program, capsys):
    program.mode = "nudge"
    assert "The user can answer with `headway allow 3f2a91c0`" in told_in(looped(program, 3)[-1][1])
    assert 0 == run(["allow", "3f2a91c0"])
    said = capsys.readouterr().out
    assert "counting starts again" in said and "refused" not in said
    assert [({}, {})] * 6 == looped(program, 6)


def test_nothing_to_allow(program, capsys):
    looped(program, 2)
    assert 0 == run(["allow"])
    assert "nothing is refused" in capsys.readouterr().out


LOOP = ("exact_cycle", "known_answer", "repeated_error", "error_run", "repeated_file")


def test_nothing_follows_from_a_muted_detector_until_that_is_undone(program, capsys):
    looped(program, 1)
    assert 0 == run(["mute", *LOOP])
    assert "exact_cycle is muted in" in capsys.readouterr().out
    assert [({}, {})] * 6 == looped(program, 6)
    run(["status", "--format", "json"])
    found = json.loads(capsys.readouterr().out)["sessions"][0]["findings"]
    assert "exact_cycle" in {one["detector"] for one in found}, "it is still recorded"

    assert 0 == run(["mute", "exact_cycle", "--undo"])

    assert "no longer muted" in capsys.readouterr().out
    assert "times" in told_in(looped(program, 1)[0][1])


def test_a_mute_for_a_day_ends_by_itself(program, monkeypatch, capsys):
    assert 0 == run(["mute", *LOOP, "--for", "1d"])
    assert " until 20" in capsys.readouterr().out
    assert [({}, {})] * 3 == looped(program, 3)
    store = SessionStore()
    store.connection.execute("UPDATE answers SET until = until - 86401")
    store.close()
    assert "times" in told_in(looped(program, 1)[0][1])


def test_a_detector_can_be_muted_after_the_agent_was_told_and_refused(program):
    assert refusal_in(looped(program, 4)[-1][0])
    run(["mute", *LOOP])
    assert ({}, {}) == looped(program, 1)[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["spend"], "limit that you set"),
        (["exact_cycel"], "did you mean 'exact_cycle'"),
        (["3f2a", "--for", "1d"], "until it ends"),
        (["exact_cycel", "--for", "1d"], "did you mean 'exact_cycle'"),
        (["nowhere"], "no session 'nowhere' was active"),
        (["exact_cycel"], "Error: no detector 'exact_cycel'; did you mean 'exact_cycle'?"),
        (["manual_stop"], "manual_stop is not a detector, so it cannot be muted"),
    ],
)
def test_what_cannot_be_muted(program, words, said, capsys):
    looped(program, 1)
    assert 2 == run(["mute", *words])
    assert said in capsys.readouterr().err


def test_a_muted_session_hears_nothing(program, capsys):
    looped(program, 1)
    assert 0 == run(["mute", "3f2a"])
    assert [({}, {})] * 9 == looped(program, 9)
    assert 0 == run(["mute", "3f2a", "--undo"])
    assert "on again" in capsys.readouterr().out
    assert "3 times" in told_in(looped(program, 3)[-1][1])


@pytest.mark.parametrize("mode", ["observe", "nudge", "enforce"])
def test_a_session_that_a_person_stops_ends_at_its_next_event_in_every_mode(program, mode, capsys):
    program.mode = mode
    program.step("make one", "built")

    assert 0 == run(["stop", "3f2a"])

    assert "stops at its next event" in capsys.readouterr().out
    before, _ = program.step("make two", "built")
    assert before["continue"] is False and "The user stopped this run" in before["stopReason"]
    assert "allow" not in before["stopReason"]
    run(["status"])
    assert "last decision: stop" in capsys.readouterr().out
    program.prompt("go on, but differently")
    assert ({}, {}) == program.step("make two", "built")


def test_a_stop_stays_when_headway_is_turned_off_and_on_again(program):
    program.step("make one", "built")
    for words in (["stop", "3f2a"], ["off", "3f2a"], ["off", "3f2a", "--undo"]):
        assert 0 == run(words)
    before, _ = program.step("make two", "built")
    assert before["continue"] is False and "The user stopped this run" in before["stopReason"]


def test_a_stop_is_carried_out_after_a_call_too(program):
    program.step("make one", "built")
    program.count += 1
    program._ask(program.spelled("before", command="make two"))
    run(["stop"])
    assert program._ask(program.spelled("after", command="make two", output="built"))["continue"] is False


def test_a_program_that_cannot_be_stopped_is_refused_everything(program, tmp_path):
    codex = Program("codex", "c0de")
    codex.step("ls", "a.py")
    run(["stop", "c0de"])
    assert "The user stopped this run" in refusal_in(codex.step("make", "built")[0])


@pytest.mark.parametrize("command", ["stop", "off", "mute"])
def test_a_session_that_has_ended_takes_no_order(program, command, capsys):
    looped(program, 1)
    told(program, "SessionEnd", reason="other")
    assert 2 == run([command, "3f2a"])
    said = capsys.readouterr()
    assert "has ended" in said.err and "Headway is off" not in said.out


def test_a_stopped_session_that_is_turned_off_before_its_next_event_needs_nobody(program, capsys):
    program.step("make one", "built")
    for words in (["stop", "3f2a"], ["off", "3f2a"]):
        assert 0 == run(words)
    assert ({}, {}) == program.step("make two", "built")
    capsys.readouterr()
    run(["status"])
    said = capsys.readouterr().out
    assert "working" in said and "Headway is off" in said and "needs you" not in said


@pytest.mark.parametrize("command", ["allow", "off", "stop"])
def test_a_session_that_is_not_there(program, command, capsys):
    looped(program, 4)
    assert 2 == run([command, "zzz"])
    said = " ".join(capsys.readouterr().err.split())
    assert "no session 'zzz' was active in the last 24 hours; `headway status --since 30d` lists older ones" in said


def test_of_two_sessions_with_one_beginning_none_is_chosen(program, capsys):
    looped(program, 4)
    program.session, program.count = "3f2a91c0-2", 50
    looped(program, 4)
    assert 2 == run(["allow", "3f2a"])
    said = capsys.readouterr().err
    assert "matches several sessions" in said and "\n  3f2a91c0-1  " in said and "\n  3f2a91c0-2  " in said


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


@pytest.mark.parametrize("order", ["allow", "stop", "mute", "off"])
def test_an_empty_name_is_no_session(program, order, capsys):
    looped(program, 1)
    assert 2 == run([order, ""])
    assert "no session ''" in capsys.readouterr().err


def test_a_session_is_found_among_many(program, capsys):
    looped(program, 1)
    for number in range(120):
        other(program, f"other-{number}").prompt("please")
    assert 0 == run(["stop", "3f2a"])


def test_a_time_that_no_calendar_has_is_refused(program, capsys):
    assert 2 == run(["mute", "exact_cycle", "--for", "999999999999999d"])
    assert "is too long; expected at most 100000d" in capsys.readouterr().err
    assert 0 == run(["mute"])
    assert "nothing is muted" in capsys.readouterr().out
    assert 0 == run(["mute", "exact_cycle", "--for", "100000d"])


@pytest.mark.parametrize("words", [["mute"], ["mute", "exact_cycle"], ["allow", "--undo"]])
def test_a_damaged_database_gets_one_line(program, tmp_path, words, capsys):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "sessions.db").write_bytes(b"no database" * 1000)
    assert 2 == run(words)
    assert [f"Error: {tmp_path}/state/sessions.db: file is not a database; run `headway doctor` for details"] == (
        capsys.readouterr().err.splitlines()
    )


@pytest.mark.parametrize("words", [["mute", "exact_cycle"], ["serve", "--port", "0"]], ids=" ".join)
def test_a_state_folder_that_cannot_be_made_gets_one_line_with_what_to_do(program, tmp_path, words, capsys):
    (tmp_path / "state").write_text("no folder")
    assert 2 == run(words)
    assert [
        f"Error: {tmp_path}/state: File exists; set HEADWAY_STATE_DIR to a folder of your own that can be written"
    ] == capsys.readouterr().err.splitlines()


@pytest.mark.skipif(os.getuid() != 0, reason="only the super-user can give a folder away")
def test_a_state_folder_of_another_user_gets_one_line_with_what_to_do(program, tmp_path, capsys):
    (tmp_path / "state").mkdir()
    os.chown(tmp_path / "state", 12_345, -1)
    assert 2 == run(["mute", "exact_cycle"])
    (said,) = capsys.readouterr().err.splitlines()
    assert f"Error: {tmp_path}/state belongs to another user; set HEADWAY_STATE_DIR to a folder of your own" in said


def test_any_name_of_the_state_folder_can_be_read(program, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "a#b?c%41"))
    looped(program, 1)
    assert 0 == run(["status"])
    assert "3f2a91c0" in capsys.readouterr().out
