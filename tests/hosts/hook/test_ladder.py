"""A loop is nudged, refused and stopped, as far as each program allows; a user message clears it."""

import pytest

from headway.store.overview import list_sessions

from .programs import PROGRAMS, Program, refusal_in, told_in

FAILURE = "cat: missing.txt: No such file or directory"
CAN_BE_STOPPED = {"claude-code", "gemini", "opencode", "kilo", "pi", "cline"}
HEARS_ONLY_REFUSALS = {"openhands"}


def looping(program: Program, times: int) -> list[tuple[dict, dict]]:
    return [program.step("cat missing.txt", FAILURE, failed=True) for _ in range(times)]


@pytest.mark.parametrize("agent", PROGRAMS)
def test_a_stubborn_loop_climbs_the_ladder(agent):
    program = Program(agent)
    program.prompt("please fix it")

    steps = looping(program, 8)

    assert [{}, {}] == [after for _, after in steps[:2]] and not any(before for before, _ in steps[:3])
    assert (agent not in HEARS_ONLY_REFUSALS) == ("3 times" in told_in(steps[2][1]))
    first = agent in HEARS_ONLY_REFUSALS  # it is told in place of the repeat, and refused only then
    assert [not first, True] == ["Headway refused this call." in refusal_in(before) for before, _ in steps[3:5]]
    assert "3 times" in refusal_in(steps[3][0])
    assert all("stopped this run" in refusal_in(before) for before, _ in steps[5:])
    (session,) = list_sessions()
    assert ("stop", 3) == (session.verdict, session.steps)
    assert ["nudge", *["block"] * (2 - first), "stop"] == [one.action for one in reversed(session.decisions)]
    assert "exact_cycle" in {one.detector for one in session.findings}


@pytest.mark.parametrize("agent", sorted(CAN_BE_STOPPED))
def test_a_program_that_can_be_stopped_is_stopped(agent):
    program = Program(agent)

    stopped, again = (before for before, _ in looping(program, 7)[-2:])

    assert stopped.get("continue", True) and "stop" not in stopped, "it may report first"
    assert "No further calls will run. Report what you found" in refusal_in(stopped)
    assert again.get("continue") is False or "stopped this run" in again["stop"]


@pytest.mark.parametrize("agent", sorted(set(PROGRAMS) - CAN_BE_STOPPED))
def test_a_program_that_cannot_be_stopped_has_all_calls_refused(agent):
    program = Program(agent)
    looping(program, 6)

    other, _ = program.step("ls", "a.py")

    assert "stopped this run" in refusal_in(other)
    assert program.end("I could not find the file.") == {}


@pytest.mark.parametrize("agent", PROGRAMS)
def test_a_user_message_lifts_refusals(agent):
    program = Program(agent)
    looping(program, 6)

    program.prompt("look at other.txt instead")

    assert ({}, {}) == program.step("cat other.txt", "hello")
    assert [({}, {})] * 2 == looping(program, 2)


@pytest.mark.parametrize("agent", PROGRAMS)
def test_healthy_work_gets_no_message(agent):
    program = Program(agent)
    program.prompt("please do it")

    steps = [program.step(f"make part-{number}", f"part {number} is built") for number in range(30)]

    assert [({}, {})] * 30 == steps and program.end() == {}


def test_a_sub_agent_has_its_own_session():
    """Three agents that each look once are not one agent that looks three times."""
    answers = []
    for agent in ("", "a1", "a2"):
        program = Program("claude-code")
        program.count = len(answers)
        data = program.spelled("failed", command="cat missing.txt", output=FAILURE) | {"agent_id": agent}
        answers.append(program._ask(data))

    assert [{}] * 3 == answers
    assert {"": 1, "a1": 1, "a2": 1} == {one.agent: one.steps for one in list_sessions()}


def test_project_settings_apply_and_changes_take_effect_at_once(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    program = Program("claude-code")
    spelled = program.spelled
    program.spelled = lambda *given, **said: spelled(*given, **said) | {"cwd": str(project)}
    looping(program, 2)
    silenced = ("exact_cycle", "known_answer", "repeated_error", "error_run")
    quiet = "".join(f"[detectors.{id}]\nenabled = false\n" for id in silenced)

    (project / "headway.toml").write_text(quiet)

    assert [({}, {})] * 2 == looping(program, 2)


def test_invalid_settings_are_logged_and_watching_continues(tmp_path):
    from headway.store.faults import read_faults

    (tmp_path / "headway.toml").write_text("[detectors.exact_cycel]\nlimit = 3\n")
    program = Program("claude-code")
    spelled = program.spelled
    program.spelled = lambda *given, **said: spelled(*given, **said) | {"cwd": str(tmp_path)}

    steps = looping(program, 3)

    assert "3 times" in told_in(steps[2][1])
    assert "did you mean 'exact_cycle'" in read_faults()[0]
