"""The policy is the only place that decides: nothing else makes a decision, and every other answer follows from one."""

import ast
from pathlib import Path

import pytest

import headway
from headway import Action, Finding, Severity
from headway.core.decision import CONTINUE, Decision
from headway.hosts.abilities import Abilities
from headway.hosts.delivery import Situation, deliver
from headway.hosts.hook.event import AFTER, BATCH, BEFORE, PROMPT, TURN_END

ROOM = Path(headway.__file__).parent
ELSEWHERE = sorted(path for path in ROOM.rglob("*.py") if path.relative_to(ROOM).parts[0] != "policy")
MADE = ("Decision", "Recommendation")
GOES_ON = ("Action.CONTINUE", "decision.action")
"""Actions that may be given to a decision elsewhere: none, and the one that the policy has decided."""


def made_in(source):
    """Every decision that a source makes or changes, as (line, the action it is given)."""
    if not any(name in source for name in MADE) and not ("replace" in source and "action" in source):
        return  # to parse it would take longer
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func).rpartition(".")[2]
        actions = [ast.unparse(word.value) for word in node.keywords if word.arg == "action"]
        if (name in MADE and (actions or node.args)) or (name == "replace" and actions):
            yield node.lineno, (actions or ["given by place"])[0]


def test_nothing_outside_the_policy_makes_a_decision_but_to_continue():
    made = [(path, *found) for path in ELSEWHERE for found in made_in(path.read_text())]
    assert [] == [(str(path), line, action) for path, line, action in made if action not in GOES_ON]
    assert len(ELSEWHERE) > 500 and made


@pytest.mark.parametrize(
    "source",
    [
        "Decision(action=Action.STOP)",
        "decision.Decision(action=action)",
        "Decision(Action.STOP)",
        "msgspec.structs.replace(decision, action=Action.STOP)",
        "replace(decision, action=Action.NUDGE)",
        "Recommendation(action=Action.STOP, reason='stalled')",
    ],
)
def test_a_second_decider_would_be_found(source):
    assert [action for _, action in made_in(source) if action not in GOES_ON]


def test_the_policy_itself_makes_decisions():
    made = [action for path in (ROOM / "policy").glob("*.py") for _, action in made_in(path.read_text())]
    assert {"Action.STOP", "action"} <= set(made)


EVERYTHING = Abilities((BEFORE, AFTER, BATCH, PROMPT, TURN_END), stop=True, hold=True, ask=True)
NOTHING = Abilities((), False, False, False, False, False)


@pytest.mark.parametrize("moment", [BEFORE, AFTER, BATCH, PROMPT, TURN_END])
@pytest.mark.parametrize("can", [EVERYTHING, NOTHING], ids=["can do everything", "can do nothing"])
def test_a_host_does_nothing_of_its_own(can, moment):
    assert Action.CONTINUE == deliver(CONTINUE, can, Situation(moment=moment, can_wait=True)).action


@pytest.mark.parametrize("moment", [BEFORE, AFTER, BATCH, PROMPT, TURN_END])
@pytest.mark.parametrize("action", ["nudge", "block", "stop", "escalate"])
def test_what_a_host_does_is_never_more_than_what_was_decided(action, moment):
    found = Finding(detector="d", severity=Severity.HIGH, confidence=1.0, message="Seen.")
    decision = Decision(action=Action(action), reason="d", message="Seen.", findings=(found,))
    done = deliver(decision, EVERYTHING, Situation(moment=moment))
    assert done.action.rank <= decision.action.rank
    assert "Seen." in (done.message or done.pending)
