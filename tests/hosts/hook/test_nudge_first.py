"""No call is refused before a nudge was delivered, in every program and even if a nudge was lost."""

import sqlite3

import pytest

from headway.store.place import database

from .programs import PROGRAMS, Program, refusal_in, told_in

ERROR = "cat: missing.txt: No such file or directory"


def told(answer: dict) -> bool:
    """Whether this answer nudges the model in a way that the program passes on, and is not a refusal."""
    text = told_in(answer) or refusal_in(answer)
    return "Headway: " in text and "times" in text


def refuses(answer: dict) -> bool:
    return "Headway refused" in refusal_in(answer) or "Headway stopped" in refusal_in(answer)


def answers(program: Program, failed: bool, output: str, rounds: int = 9) -> list[dict]:
    return [answer for _ in range(rounds) for answer in program.step("cat missing.txt", output, failed=failed)]


@pytest.mark.parametrize("failed", [True, False], ids=["failing", "succeeding"])
@pytest.mark.parametrize("agent", PROGRAMS)
def test_a_nudge_is_delivered_before_the_first_refusal(agent, failed):
    said = answers(Program(agent), failed, ERROR if failed else "nothing new here")

    first = next(number for number, answer in enumerate(said) if refuses(answer))
    assert any(told(answer) for answer in said[:first])


@pytest.mark.parametrize("agent", sorted(set(PROGRAMS) - {"openhands"}))
def test_a_nudge_of_a_queued_event_is_said_before_a_refusal(agent, monkeypatch):
    """The third result finds the database busy: what follows from it is known only when the fourth call is asked for."""
    monkeypatch.setattr("headway.store.sessions.PATIENCE", 0.05)
    program = Program(agent)
    said = answers(program, True, ERROR, rounds=2)
    program.count += 1
    program._ask(program.spelled("before", command="cat missing.txt"))
    lock = sqlite3.connect(database(), isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    moment = "failed" if agent in ("claude-code", "qwen", "copilot", "cursor") else "after"
    assert {} == program._ask(program.spelled(moment, command="cat missing.txt", output=ERROR, code=1))
    lock.execute("ROLLBACK")
    lock.close()

    said += answers(program, True, ERROR)

    first = next(number for number, answer in enumerate(said) if refuses(answer))
    assert any(told(answer) for answer in said[:first])
