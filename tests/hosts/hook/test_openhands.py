"""OpenHands passes on hook messages only instead of a call, at the end of a turn and with a prompt (SDK 1.58.0)."""

from headway.hosts.hook.recognise import host_called
from headway.store.overview import list_sessions

from .programs import Program, ask, captured, refusal_in

TOLD = (
    "Headway: The command `cat notes.txt` gave the same result 3 times in a row. "
    "Run it again after a change and it will be accepted. This call did not run"
)
STOP = {"event_type": "Stop", "session_id": "s1", "working_dir": "/home/dev/project", "message": None}


def looping(times: int = 3) -> Program:
    program = Program("openhands")
    program.prompt("please look into it")
    assert [({}, {})] * times == [program.step("cat notes.txt", "nothing new") for _ in range(times)]
    return program


def breaking_a_test() -> Program:
    program = Program("openhands")
    program.prompt("make the tests pass")
    program.step("pytest -q", "9 passed in 0.31s")
    program.step("sed -i s/x/y/ a.py", "")
    program.step("pytest -q", "1 failed, 8 passed in 0.31s", failed=True)
    return program


def test_a_nudge_replaces_the_next_call_once():
    program = looping()

    held, _ = program.step("cat plan.txt", "a plan")

    assert refusal_in(held).startswith(TOLD)
    assert ({}, {}) == program.step("cat plan.txt", "a plan")
    assert ({}, {}) == program.step("ls", "notes.txt plan.txt")
    (session,) = list_sessions()
    assert (5, ["exact_cycle"]) == (session.steps, [one.reason for one in session.decisions])


def test_changes_and_terminal_input_are_not_held_back():
    program = looping()
    change, typed = program.spelled("before", command="create"), program.spelled("before", command="C-c")
    change |= {"tool_name": "file_editor"}
    change["tool_input"] |= {"path": "/home/dev/project/a.py", "file_text": "x"}
    typed["tool_input"]["is_input"] = True

    assert ({}, {}) == (ask(change, "openhands"), ask(typed, "openhands"))
    assert refusal_in(program.step("cat plan.txt", "a plan")[0]).startswith(TOLD)


def test_a_repeat_is_nudged_then_refused_and_later_calls_run():
    program = looping()

    assert refusal_in(program.step("cat notes.txt", "nothing new")[0]).endswith(
        "This call did not run: it was refused to give you this message."
    )
    assert refusal_in(program.step("cat notes.txt", "nothing new")[0]).startswith("Headway refused this call.")
    assert ({}, {}) == program.step("cat plan.txt", "a plan")


def test_a_user_message_cancels_a_pending_nudge():
    program = looping()

    program.prompt("look at the plan instead")

    assert ({}, {}) == program.step("cat plan.txt", "a plan")


def test_a_run_that_was_stopped_may_finish():
    """Finishing is a call; refusing it would keep the agent running forever."""
    program = looping()
    for _ in range(4):
        program.step("cat notes.txt", "nothing new")

    assert "stopped this run" in refusal_in(program.step("ls", "a")[0])
    assert {} == program.end("All done.")


def test_an_allowed_end_of_turn_is_not_held_by_a_later_stop():
    program = breaking_a_test()

    assert {} == program.end("One test still fails.")
    assert {} == ask(STOP, "openhands")


def test_without_a_final_message_nothing_is_held_against_it():
    """An agent may also end with a message, and `Stop` does not contain it."""
    breaking_a_test()

    assert {} == ask(STOP, "openhands")


def test_results_show_failures_and_running_commands():
    host = host_called("openhands")
    heard = [
        one for data in captured("openhands") if (one := host.event_from(data)) is not None and one.moment == "after"
    ]
    found = [host.result(one.uses[0], one) for one in heard]

    assert [True, True, False, True, True, False, False] == [one["failed"] for one in found]
    assert {None} == {one["exit_code"] for one in found}, "-1 is no exit code"
    assert "timed out after 1.0 seconds" in found[2]["output"]
    assert {"command": "view", "path": "/home/dev/project/missing.txt"} == heard[0].uses[0].args
