"""The state of a session, from what is stored about it."""

import pytest

from headway.store.overview import KeptDecision, KeptFinding, SessionOverview
from headway.store.states import DONE, IDLE, LOOPING, NEEDS_YOU, STATES, WORKING, open_finding, state_of

NOW = 1_794_312_000.0


def session(**fields):
    known = {"host": "codex", "session": "s", "agent": "", "cwd": "/p", "model": None, "started_at": NOW - 900}
    known |= {"seen_at": NOW - 5, "ended": False, "steps": 20, "last_tool": "Bash", "verdict": "continue", "off": False}
    return SessionOverview(**{**known, "moment": "batch", **fields})


def found(last_step, detector="exact_cycle"):
    return KeptFinding(
        detector=detector, identity="i", severity="high", confidence=1.0, message="Seen.", first_step=1,
        last_step=last_step, occurrences=3, last_at=NOW,
    )  # fmt: skip


def decided(step, action="nudge", would=False):
    return KeptDecision(step=step, at=NOW, action=action, reason="exact_cycle", message="Seen.", would=would)


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, WORKING),
        ({"moment": "prompt"}, WORKING),
        ({"moment": "before"}, WORKING),
        ({"moment": "before", "seen_at": NOW - 3_000}, WORKING),
        ({"moment": "before", "seen_at": NOW - 3_700}, IDLE),
        ({"moment": "batch", "seen_at": NOW - 590}, WORKING),
        ({"moment": "batch", "seen_at": NOW - 610}, IDLE),
        ({"moment": "turn end"}, IDLE),
        ({"moment": "start"}, IDLE),
        ({"moment": ""}, IDLE),
        ({"ended": True, "waiting": "May it?", "verdict": "stop"}, DONE),
        ({"moment": "waiting", "waiting": "May it?"}, NEEDS_YOU),
        ({"verdict": "stop"}, NEEDS_YOU),
        ({"verdict": "stop", "moment": "turn end", "seen_at": NOW - 90_000}, NEEDS_YOU),
        ({"verdict": "stop", "off": True}, WORKING),
        ({"verdict": "stop", "off": True, "moment": "turn end"}, IDLE),
        ({"verdict": "escalate", "moment": "before"}, NEEDS_YOU),
        ({"verdict": "escalate", "moment": "batch"}, WORKING),
    ],
)
def test_what_a_session_is_doing(fields, state):
    assert state == state_of(session(**fields), NOW)


@pytest.mark.parametrize(
    ("last_step", "turn_step", "told_at", "is_open"),
    [(20, 0, 18, True), (16, 0, 16, True), (15, 0, 15, False), (20, 20, 18, False), (20, 19, 18, False)],
    ids=["seen now", "five steps", "too old", "the user spoke", "told in the turn before"],
)
@pytest.mark.parametrize("would", [False, True])
def test_it_is_looping_while_the_finding_it_was_told_about_is_seen(last_step, turn_step, told_at, is_open, would):
    one = session(findings=(found(last_step),), decisions=(decided(told_at, would=would),), turn_step=turn_step)
    assert is_open == (open_finding(one) is not None)
    assert (LOOPING if is_open else WORKING) == state_of(one, NOW)


def test_a_finding_that_led_to_nothing_is_no_loop():
    assert WORKING == state_of(session(findings=(found(20, "scope_creep"),), decisions=(decided(20),)), NOW)


def test_an_agent_that_ended_its_turn_loops_no_more():
    assert IDLE == state_of(session(findings=(found(20),), decisions=(decided(20),), moment="turn end"), NOW)


def test_what_needs_attention_comes_first():
    assert (NEEDS_YOU, LOOPING, WORKING, IDLE, DONE) == STATES
