"""The modes of the hook: observe records, nudge sends messages, enforce refuses and stops."""

import json

import pytest

from headway.hosts.hook.call import respond
from headway.store.overview import list_sessions

from .programs import PROGRAMS, Program, ask, refusal_in, told_in

FAILURE = "cat: missing.txt: No such file or directory"
HEARS_ONLY_REFUSALS = {"openhands"}


def looping(program, times):
    return [program.step("cat missing.txt", FAILURE, failed=True) for _ in range(times)]


def decided():
    (session,) = list_sessions()
    return [(one.action, one.would) for one in reversed(session.decisions)]


@pytest.mark.parametrize("mode", ["", "nudge"])
@pytest.mark.parametrize("agent", PROGRAMS)
def test_by_default_a_loop_is_nudged_and_never_refused_or_stopped(agent, mode):
    program = Program(agent, mode=mode)
    program.prompt("please fix it")

    steps = looping(program, 12)

    assert not any(refusal_in(before) for before, _ in steps)
    assert all(answer.get("continue", True) and "stop" not in answer for step in steps for answer in step)
    said = [number for number, (before, after) in enumerate(steps, 1) if told_in(before) or told_in(after)]
    assert ([] if agent in HEARS_ONLY_REFUSALS else 3) == (said and said[0])
    assert len(said) <= 3, "it is not told for ever"
    assert ("stop", True) in decided() and 1 == decided().count(("stop", True))
    assert ("block", False) not in decided() and ("stop", False) not in decided()
    assert list_sessions()[0].steps == 12


def test_in_nudge_mode_a_stop_becomes_one_message():
    program = Program("claude-code", mode="nudge")
    steps = looping(program, 12)
    told = [text for before, after in steps for text in (told_in(before), told_in(after)) if "would stop" in text]
    assert 1 == len(told)
    assert "In the mode `enforce`, Headway would stop this run here." in told[0]
    assert "No further calls will run" not in told[0] and "refuses it" not in told[0], "that would not be true"


@pytest.mark.parametrize("agent", PROGRAMS)
def test_observe_says_nothing_and_records_decisions(agent):
    program = Program(agent, mode="observe")
    program.prompt("please fix it")

    assert [({}, {})] * 12 == looping(program, 12)
    assert program.end("All tests pass.") == {}

    assert {("nudge", True), ("stop", True)} <= set(decided())
    assert all(would for _, would in decided())
    assert "continue" == list_sessions()[0].verdict


def test_steps_after_a_prevented_stop_are_counted_until_the_user_speaks():
    program = Program("claude-code", mode="nudge")
    looping(program, 10)
    (stop,) = [one for one in list_sessions()[0].decisions if one.action == "stop"]
    assert (10, True) == (stop.until_step, stop.until_at >= stop.at)

    program.prompt("try something else")
    program.step("make", "built")

    (stop,) = [one for one in list_sessions()[0].decisions if one.action == "stop"]
    assert 10 == stop.until_step


def test_the_time_until_a_session_is_closed_is_not_counted():
    program = Program("claude-code", mode="nudge")
    looping(program, 10)
    program.end("I give up.")
    (before,) = [one for one in list_sessions()[0].decisions if one.action == "stop"]
    ask({"hook_event_name": "SessionEnd", "session_id": "s1", "reason": "other"}, "claude-code", "nudge")
    (after,) = [one for one in list_sessions()[0].decisions if one.action == "stop"]
    assert before == after


def in_project(program, folder):
    spelled = program.spelled
    program.spelled = lambda *given, **said: spelled(*given, **said) | {"cwd": str(folder)}
    return program


@pytest.mark.parametrize(("setting", "refused"), [("observe", False), ("nudge", False), ("enforce", True)])
def test_the_mode_setting_overrides_the_hooks_option(tmp_path, setting, refused):
    (tmp_path / "headway.toml").write_text(f'[policy]\nmode = "{setting}"\n')
    installed = "nudge" if refused else "enforce"
    steps = looping(in_project(Program("claude-code", mode=installed), tmp_path), 5)
    assert refused == bool(refusal_in(steps[-1][0]))


def test_a_run_stopped_by_enforce_continues_in_mode_nudge(tmp_path):
    program = in_project(Program("claude-code"), tmp_path)
    assert refusal_in(looping(program, 6)[-1][0])
    (tmp_path / "headway.toml").write_text('[policy]\nmode = "nudge"\n')
    assert not refusal_in(program.step("ls", "a.py")[0])


LIMITS = {
    "steps": "[global]\nmax_total_iterations = 4\n",
    "time": "[global]\nmax_seconds = 0.000001\n",
}


@pytest.mark.parametrize(("mode", "held"), [("observe", False), ("nudge", True), ("enforce", True)])
@pytest.mark.parametrize("limit", ["time", "steps"])
def test_user_limits_apply_in_every_mode_but_observe(tmp_path, limit, mode, held):
    (tmp_path / "headway.toml").write_text(LIMITS[limit])
    program = in_project(Program("claude-code", mode=mode), tmp_path)
    program.prompt("please do it")
    answers = [program.step(f"make part-{number}", f"part {number} is built") for number in range(12)]
    ended = [one for step in answers for one in step if "Headway stopped this run" in str(one)]
    assert held == bool(ended)
    assert not any("headway allow" in str(one) for one in ended), "that would not lift a limit"
    assert held == bool(refusal_in(answers[-1][0])), "it stays so"


def test_a_limit_does_not_say_that_a_message_lifts_it(tmp_path):
    """After the last call that fits, after a call beyond it and after the user's message, until the limit is raised."""
    (tmp_path / "headway.toml").write_text(LIMITS["steps"])
    program = in_project(Program("claude-code", mode="nudge"), tmp_path)
    program.prompt("please do it")
    told = [str(program.step(f"make part-{number}", f"part {number} is built")) for number in range(5)]
    program.prompt("go on")
    told.append(str(program.step("make it", "it is built")))
    assert all("until the user raises its limit and sends a message" in one for one in told[3:])
    (tmp_path / "headway.toml").write_text(LIMITS["steps"].replace("4", "40"))
    assert "stopped this run until the user sends a message" in str(program.step("make it", "it is built"))
    program.prompt("go on")
    assert not refusal_in(program.step("make it", "it is built")[0])


@pytest.mark.parametrize("mode", ["nudge", "enforce"])
def test_a_step_limit_is_kept_before_each_call(tmp_path, mode):
    """Calls that are asked for together are counted as they are asked for, before any result is there."""
    (tmp_path / "headway.toml").write_text(LIMITS["steps"])
    program = in_project(Program("claude-code", mode=mode), tmp_path)
    program.prompt("please do it")
    answers = []
    for number in range(6):
        program.count += 1
        answers.append(program._ask(program.spelled("before", command=f"make part-{number}")))
    assert [""] * 4 == [refusal_in(answer) for answer in answers[:4]]
    assert "The step limit of 4 is exceeded: 5 calls requested." in refusal_in(answers[4])
    assert refusal_in(answers[5])


@pytest.mark.parametrize("mistake", ["[detectors.exact_cycel]\nlimit = 3\n", "[notify]\ndesktop = true\n", "no TOML"])
def test_an_invalid_project_file_does_not_disable_the_users_limits(tmp_path, mistake):
    (tmp_path / "config" / "headway").mkdir(parents=True)
    (tmp_path / "config" / "headway" / "config.toml").write_text(LIMITS["steps"])
    (tmp_path / "headway.toml").write_text(mistake)
    program = in_project(Program("claude-code"), tmp_path)
    answers = [program.step(f"make part-{number}", f"part {number} is built") for number in range(12)]
    assert refusal_in(answers[-1][0])


def test_an_invalid_mode_is_logged_and_not_answered(capsys):
    with pytest.raises(ValueError, match="unknown mode 'strict'; expected observe, nudge, enforce"):
        respond(json.dumps({"session_id": "s", "hook_event_name": "Stop"}).encode(), ["--mode", "strict"])
