"""What programs do not report, report twice, or report incorrectly."""

import json

import pytest

from headway.hosts.hook.call import respond
from headway.hosts.hook.interrupt import interrupt_parent
from headway.store.overview import list_sessions

from .programs import Program, ask, captured, kept_going_in, refusal_in, told_in

INVALID = "<tool_use_error>String to replace not found in file.\nString: x = 1</tool_use_error>"


def batch(*calls: tuple[str, dict, str], start: int = 0, session: str = "s1") -> dict:
    listed = [
        {"tool_name": tool, "tool_input": args, "tool_use_id": f"b{start + place}", "tool_response": response}
        for place, (tool, args, response) in enumerate(calls)
    ]
    return {"session_id": session, "cwd": "/p", "hook_event_name": "PostToolBatch", "tool_calls": listed}


def test_invalid_edits_of_claude_are_only_in_the_batch():
    edit = ("Edit", {"file_path": "/p/a.py", "old_string": "x = 1", "new_string": "x = 2"}, INVALID)

    answers = [ask(batch(edit, start=number), "claude-code") for number in range(3)]

    assert [{}, {}] == answers[:2]
    assert "3 times" in told_in(answers[2])
    assert "PostToolBatch" == answers[2]["hookSpecificOutput"]["hookEventName"]
    assert 3 == list_sessions()[0].steps


def test_lone_surrogates_do_not_silence_the_hook():
    """Programs in JavaScript truncate long texts at any position."""
    half = "\ud83d"
    edit = (f"Edit{half}", {"file_path": "/p/a.py", "old_string": f"x {half}"}, INVALID + half)

    answers = [ask(batch(edit, start=number, session=f"s{half}") | {"cwd": f"/p{half}"}) for number in range(3)]

    assert "3 times" in told_in(answers[2])
    assert "s\ufffd" == list_sessions()[0].session


def test_a_batch_does_not_count_results_twice():
    program = Program("claude-code")
    for _ in range(4):
        program.step(f"make part-{program.count}", f"built {program.count}")
        sent = batch(("Bash", {"command": "x"}, "built"))
        sent["tool_calls"][0]["tool_use_id"] = f"call-{program.count}"
        assert ask(sent, "claude-code") == {}

    assert 4 == list_sessions()[0].steps


def test_a_call_that_a_hook_refused_counts_as_denied():
    refused = ("Bash", {"command": "rm x"}, "PreToolUse:Bash hook error: not here")

    ask(batch(refused), "claude-code")

    assert 1 == list_sessions()[0].steps and () == list_sessions()[0].findings


def test_parallel_calls_are_one_batch():
    """Three equal reads in one answer of the model are not a loop: they were requested before any result."""
    program = Program("claude-code")
    calls = []
    for _ in range(3):
        program.count += 1
        calls.append(program.spelled("after", command="git status", output="nothing to commit"))
        before = {**calls[-1], "hook_event_name": "PreToolUse"}
        assert ask(before, "claude-code") == {}

    assert [{}] * 3 == [ask(call, "claude-code") for call in calls]


def test_an_empty_prompt_of_qwen_is_not_a_user_message():
    program = Program("qwen")
    program.prompt("please do it")
    told = ""
    for _ in range(3):
        _, after = program.step("cat missing.txt", "No such file or directory", failed=True)
        program.prompt("")
        told = told_in(after)

    assert "3 times" in told


@pytest.mark.parametrize(
    "text", ["<local-command-stdout>a</local-command-stdout>", "  <system-reminder>x</system-reminder>"]
)
def test_a_generated_prompt_is_not_a_user_message(text):
    program = Program("claude-code")
    for _ in range(2):
        program.step("cat missing.txt", "No such file or directory", failed=True)
    program.prompt(text)

    _, after = program.step("cat missing.txt", "No such file or directory", failed=True)

    assert "3 times" in told_in(after)


def test_a_duplicate_event_counts_once():
    """The same command in the settings of the user and of the project."""
    program = Program("claude-code")
    for _ in range(2):
        program.count += 1
        for moment in ("before", "failed"):
            data = program.spelled(moment, command="cat missing.txt", output="No such file or directory")
            assert {} == ask(data, "claude-code") == ask(data, "claude-code")

    assert 2 == list_sessions()[0].steps


@pytest.mark.parametrize("agent", ["gemini", "copilot"])
def test_without_call_ids_the_event_time_identifies_duplicates(agent):
    program = Program(agent)
    for _ in range(2):
        program.count += 1
        for moment in ("before", "after"):
            data = program.spelled(moment, command="cat missing.txt", output="No such file or directory")
            assert {} == ask(data, agent) == ask(data, agent)

    assert 2 == list_sessions()[0].steps


def test_a_program_that_also_runs_claudes_hooks_is_counted_once():
    for data in captured("copilot-pascal"):
        assert {} == ask(data, "copilot") == ask(data, "claude-code")

    (session,) = list_sessions()
    assert ("copilot", 4) == (session.host, session.steps)


def test_geminis_announcement_of_a_compression_is_ignored():
    program = Program("gemini")
    told = ""
    for _ in range(3):
        ask({**program.spelled("prompt", prompt="x"), "hook_event_name": "PreCompress", "trigger": "auto"}, "gemini")
        told = told_in(program.step("cat missing.txt", "No such file or directory")[1])

    assert "3 times" in told


def test_codex_exit_codes_come_from_its_recording(tmp_path):
    rollout = tmp_path / "rollout-1.jsonl"
    program = Program("codex")
    for number in range(1, 4):
        item = {"type": "CommandExecution", "id": f"call-{number}", "exit_code": 3, "aggregated_output": "working"}
        with rollout.open("a") as file:
            file.write(json.dumps({"type": "event_msg", "payload": {"type": "item_completed", "item": item}}) + "\n")
        program.count = number
        data = program.spelled("after", command="./check", output="working") | {"transcript_path": str(rollout)}
        told = told_in(ask(data, "codex"))

    assert "failed in the same way 3 times" in told


def test_codex_does_not_report_a_patch_through_the_shell():
    """Without a recording it still counts as an edit, and a test after it is not a repeat."""
    program = Program("codex")
    for number in range(6):
        _, after = program.step("pytest -q", "1 failed, 2 passed in 0.1s")
        assert told_in(after) == "", number
        program.count += 1
        patch = f"apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.py\n-x = {number}\n+x = {number + 1}\n*** End Patch\nE"
        assert {} == ask(program.spelled("before", command=patch), "codex")
    program.end()

    assert 12 == list_sessions()[0].steps


FAILING, PASSING = "1 failed, 9 passed in 0.31s", "10 passed in 0.31s"


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "qwen", "openhands"])
def test_a_contradicted_claim_is_said_once(agent):
    program = Program(agent)
    program.prompt("make the tests pass")
    program.step("pytest -q", FAILING, failed=True)

    first = program.end("All done, the tests pass.")

    assert "1 failing" in kept_going_in(first)
    assert {} == program.end("All done, the tests pass.")
    assert {} == program.end("Really done.", again=True)
    assert ["claim_contradicted"] == [one.reason for one in list_sessions()[0].decisions]


def test_our_message_at_the_end_of_a_turn_is_not_a_user_message():
    """Qwen and Gemini pass it on as a prompt; treating it as the user's would reset the counts."""
    program = Program("qwen")
    program.prompt("make the tests pass")
    program.step("pytest -q", FAILING, failed=True)
    said = kept_going_in(program.end("Done. All tests pass."))

    program.prompt(said)

    assert said and {} == program.end("Done. All tests pass.")


def test_an_agent_that_a_hook_kept_going_is_not_held_again():
    program = Program("claude-code")
    program.step("pytest -q", FAILING, failed=True)

    assert {} == program.end("Done. All tests pass.", again=True)


@pytest.mark.parametrize("text", ["One test still fails.", "I could not fix it.", ""])
def test_an_admitted_failure_is_not_a_contradiction(text):
    program = Program("claude-code")
    program.step("pytest -q", FAILING, failed=True)

    assert {} == program.end(text)


def test_a_program_that_cannot_be_held_is_not_checked():
    program = Program("opencode")
    program.step("pytest -q", PASSING)
    program.step("pytest -q", FAILING, failed=True)

    assert {} == program.end() and () == list_sessions()[0].decisions


@pytest.mark.parametrize("agent", ["copilot", "cursor"])
def test_without_a_final_message_nothing_is_held_against_it(agent):
    program = Program(agent)
    program.step("pytest -q", FAILING, failed=True)
    assert {} == program.end("Done. All tests pass.")


def test_passing_tests_are_not_reported():
    program = Program("claude-code")
    program.step("pytest -q", FAILING, failed=True)
    program.step("pytest -q", PASSING)

    assert {} == program.end("Done. All tests pass.")


def test_only_the_program_itself_is_interrupted():
    """Our parent is not Codex, so nothing is interrupted."""
    assert interrupt_parent("codex") is False


def test_a_stopped_codex_is_refused_with_and_without_interrupt():
    program = Program("codex")
    for _ in range(6):
        program.step("cat missing.txt", "No such file or directory")
    program.count += 1
    data = json.dumps(program.spelled("before", command="ls")).encode()

    answer = json.loads(respond(data, ["--agent", "codex", "--mode", "enforce", "--interrupt"]))

    assert "stopped this run" in refusal_in(answer)
