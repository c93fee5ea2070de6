"""Prompts that no person wrote: what a machine reports wakes the agent, and gives it something to do."""

import pytest

from .programs import Program, ask, refusal_in, told_in

REPORT = "<task-notification>\n<task-id>a{0}</task-id>\n<summary>Agent completed</summary>\n<result>{0} problems, the worst in mail/store.py line {1}.</result>\n</task-notification>"


def reported(program, number):
    program.prompt(REPORT.format(number, number * 31 + 7))
    return program.end(
        f"The reviewer found {number} problems, the worst in mail/store.py. {9 - number} are still running."
    )


@pytest.mark.parametrize("mode", ["nudge", "enforce"])
def test_a_lead_may_note_nine_reports_and_then_write_its_summary(mode):
    program = Program("claude-code", mode=mode)
    program.prompt("Review the nine parts and summarise")
    assert [{}] * 9 == [reported(program, number) for number in range(1, 10)]
    assert ({}, {}) == program.step("cat > REVIEW.md <<< 'nine parts'", "")


def test_the_same_report_again_and_again_is_no_news_but_stops_nobody():
    program, told = Program("claude-code"), []
    program.prompt("Watch the queue")
    for _ in range(12):
        told.append(told_in(program.prompt("<task-notification>\nThe queue is still full.\n</task-notification>")))
        program.end("The queue is still full, I wait until it is empty.")
    first, second = filter(None, told)
    assert "3 times with no call in between" in first and "messages in a row said hardly anything new" in second
    assert ({}, {}) == program.step("cat > REPORT.md <<< 'the queue is full'", "")


def test_news_lifts_no_stop():
    program = Program("claude-code")
    program.prompt("go")
    answers = [program.step("cat missing.txt", "No such file or directory", failed=True) for _ in range(7)]
    assert "stopped" in refusal_in(answers[-1][0])
    program.prompt(REPORT.format(3, 4))
    assert "stopped" in refusal_in(program.step("ls", "a.py")[0])


@pytest.mark.parametrize(
    "more",
    [{"prompt": REPORT.format(2, 8)}, {"prompt": "Build 8 failed.", "source": "poll_event"}, {"prompt": "It is done.", "source": "system"}],
)  # fmt: skip
def test_a_look_may_follow_what_is_new(more):
    program = Program("claude-code")
    for _ in range(2):
        program.step("cat missing.txt", "No such file or directory", failed=True)
    ask(program.spelled("prompt", prompt="") | more, "claude-code")
    assert "" == told_in(program.step("cat missing.txt", "No such file or directory", failed=True)[1])
    for _ in range(2):
        _, after = program.step("cat missing.txt", "No such file or directory", failed=True)
    assert "times" in told_in(after)
