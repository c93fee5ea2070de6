"""With a policy that always continues, nothing is told, refused or stopped: nobody else decides.

For loops, see `tests/loop/test_courses.py`.
"""

import pytest

from headway import Monitor, TurnEnding, guard
from headway.core.decision import CONTINUE
from headway.detectors import built_in
from headway.policy import Policy
from tests.hosts.hook.programs import PROGRAMS, Program
from tests.policy.test_occasions import PLAYS
from tests.provocations import PROVOCATIONS
from tests.streams import spelled


@pytest.fixture
def findings(monkeypatch):
    """Makes every policy continue; the findings in spite of which it did."""
    seen = []

    def continues(policy, session, event):
        seen.extend(session.ledger.seen_at(session.event_count))
        return CONTINUE

    monkeypatch.setattr(Policy, "__call__", continues)
    return seen


STREAMS = {
    **{id: ({}, provoke(built_in()[id]())) for id, provoke in PROVOCATIONS.items()},
    **PLAYS,
}


@pytest.mark.parametrize("name", STREAMS)
def test_a_monitor_decides_nothing_of_its_own(findings, name):
    given, words = STREAMS[name]
    monitor = Monitor(settings=given)
    happenings = [*spelled(words), [TurnEnding(text="Done. All tests pass.")]]
    decisions = [monitor.feed(event).decision for happening in happenings for event in happening]
    assert [CONTINUE] * len(decisions) == decisions


@pytest.mark.parametrize("mode", ["observe", "nudge", "enforce"])
@pytest.mark.parametrize("agent", PROGRAMS)
def test_a_hook_answers_nothing_of_its_own(findings, agent, mode, monkeypatch, tmp_path):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    program = Program(agent, mode=mode)
    answers = [program.prompt("Fix it")]
    for command in ("make thing", "pytest -q"):
        for _ in range(9):
            answers += program.step(command, "Error: it broke", failed=True)
    answers.append(program.end("Done. All tests pass."))
    assert findings and [{}] * len(answers) == answers


def test_a_framework_is_left_alone(findings):
    tool = guard()(lambda command: "a.py b.py")
    assert ["a.py b.py"] * 20 == [tool(command="ls") for _ in range(20)] and findings
