"""A decision becomes the strongest thing that a host can do, whatever the host."""

from itertools import product
from pathlib import Path

import pytest

from headway import Action, Finding, Severity
from headway.core.decision import CONTINUE, Decision
from headway.core.ledger import AT_THE_END
from headway.hosts.abilities import Abilities
from headway.hosts.delivery import Situation, deliver, way_to_stop
from headway.hosts.frameworks.conversation import FRAMEWORK, ONLY_TOLD
from headway.hosts.hook.event import AFTER, BATCH, BEFORE, PROMPT, TURN_END, HookEvent
from headway.hosts.hook.recognise import HOSTS, host_called
from headway.policy.wording import RUNS_AGAIN

MOMENTS = (BEFORE, AFTER, BATCH, PROMPT, TURN_END)
HOOKS = {name: host_called(name).can for name in HOSTS}
ALL = [
    Abilities(tell, *able)
    for tell, *able in product([(), (AFTER,), (BEFORE, AFTER, BATCH, PROMPT)], *[(True, False)] * 5)
]


def decided(action, identity="loop"):
    found = Finding(detector="d", severity=Severity.HIGH, confidence=1.0, message="Seen.", identity=identity)
    return Decision(action=Action(action), reason="d", message=f"Seen. {RUNS_AGAIN}", findings=(found,))


def done(action, can, moment, **more):
    return deliver(decided(action), can, Situation(moment=moment, **more))


@pytest.mark.parametrize("can", ALL, ids=str)
def test_no_host_is_asked_for_what_it_cannot_do(can):
    for action, moment in product(["nudge", "block", "stop", "escalate"], MOMENTS):
        now = done(action, can, moment)
        assert now.action is not Action.BLOCK or (can.refuse and moment == BEFORE)
        assert now.action is not Action.ESCALATE or (can.ask and moment == BEFORE)
        assert now.action is not Action.NUDGE or moment in can.tell
        assert now.action is not Action.CONTINUE or (now.is_postponed and "Seen." in now.pending)


@pytest.mark.parametrize("can", ALL, ids=str)
def test_nobody_is_refused_before_being_told(can):
    first = done("block", can, BEFORE, pending="Told late.")
    assert Action.BLOCK is not first.action
    assert "Told late." in first.message + first.pending


@pytest.mark.parametrize("can", ALL, ids=str)
def test_nothing_is_lost_where_nobody_hears_the_answer(can):
    """An event that had to wait for the database is answered to nobody. What it leads to is said later."""
    decisions = [CONTINUE, decided("nudge"), decided("block")]
    for moment in MOMENTS:
        now = Situation(moment=moment, reaches_agent=False, pending="Told late.", can_wait=True)
        unheard = [deliver(decision, can, now) for decision in decisions]
        assert ["continue"] * 3 == [str(one.action) for one in unheard]
        assert ["Told late."] * 3 == [one.pending[:10] for one in unheard]
        assert "Seen." in unheard[1].pending
        assert Action.STOP is deliver(decided("stop"), can, now).action


def test_a_call_runs_once_while_the_agent_does_not_know_why_it_should_not():
    can = HOOKS["codex"]
    assert done("block", can, BEFORE, pending="Told late.").lets_through
    assert Action.BLOCK is done("block", can, BEFORE, pending="Told late.", is_let_through=True).action


def test_a_call_that_follows_a_change_in_the_same_answer_runs():
    assert Action.CONTINUE is done("block", HOOKS["claude-code"], BEFORE, follows_change=True).action


@pytest.mark.parametrize("moment", [AFTER, BATCH])
def test_what_is_pending_is_said_with_the_next_result(moment):
    now = deliver(CONTINUE, HOOKS["claude-code"], Situation(moment=moment, pending="Told late."))
    assert (Action.NUDGE, "owed", "Told late.", "") == (now.action, now.reason, now.message, now.pending)


@pytest.mark.parametrize(("can_wait", "reason"), [(True, "held_back"), (False, "")])
def test_where_nothing_is_heard_after_a_call_it_is_said_in_place_of_one_that_can_wait(can_wait, reason):
    now = deliver(CONTINUE, HOOKS["openhands"], Situation(moment=BEFORE, pending="Told late.", can_wait=can_wait))
    assert reason == now.reason
    assert ("lets it run if you make it again" in now.message) == can_wait


def test_a_refusal_that_comes_too_late_is_told_without_its_promise():
    assert ("Seen.", Action.NUDGE) == (done("block", FRAMEWORK, AFTER).message, done("block", FRAMEWORK, AFTER).action)


@pytest.mark.parametrize(
    ("can", "action"), [(HOOKS["cursor"], "escalate"), (HOOKS["codex"], "stop"), (FRAMEWORK, "stop")]
)
def test_where_nobody_can_be_asked_the_run_ends(can, action):
    assert action == done("escalate", can, BEFORE).action


@pytest.mark.parametrize(("name", "action"), [("claude-code", "nudge"), ("opencode", "continue")])
def test_only_what_is_about_the_end_holds_an_agent_at_its_end(name, action):
    about_the_end = deliver(decided("nudge", f"{AT_THE_END}1"), HOOKS[name], Situation(moment=TURN_END))
    assert action == about_the_end.action
    assert done("nudge", HOOKS[name], TURN_END).is_postponed


def test_what_was_stopped_stays_stopped():
    now = deliver(CONTINUE, FRAMEWORK, Situation(moment=BEFORE, stopped="Enough."))
    assert (Action.STOP, "halted", "Enough.") == (now.action, now.reason, now.message)


@pytest.mark.parametrize("name", HOOKS)
def test_a_stop_is_said_first_and_ends_the_run_where_that_is_possible(name):
    can = HOOKS[name]
    assert ["block", "nudge", "nudge"] == [way_to_stop(can, moment, again=False) for moment in (BEFORE, AFTER, BATCH)]
    assert ("stop" if can.stop else "block") == way_to_stop(can, BEFORE, again=True)


@pytest.mark.parametrize("name", HOOKS)
def test_a_program_can_tell_what_it_declares_and_nothing_else(name):
    host = host_called(name)
    instead = {BEFORE} if name == "openhands" else set()  # a refusal is all that it passes on
    declared = {*host.can.tell, *([TURN_END] if host.can.hold else []), *instead}
    answered = {
        (event, moment): host.answer(HookEvent(event, moment, "s"), "nudge", "why") is not None
        for event, moment in host.moments.items()
    }

    assert {(event, moment): moment in declared for event, moment in answered} == answered


NAMES = {
    "Claude Code": "claude-code", "Gemini CLI": "gemini", "OpenCode": "opencode", "Kilo Code (command line)": "kilo",
    "pi": "pi", "Cline (command line)": "cline", "Codex CLI": "codex", "Qwen Code": "qwen", "Copilot CLI": "copilot",
    "Cursor": "cursor", "OpenHands": "openhands",
}  # fmt: skip


def test_the_page_about_hooks_tells_what_each_program_declares():
    page = (Path(__file__).parents[2] / "docs" / "hooks.md").read_text("utf-8")
    table = page.partition("## What each program allows")[2].partition("\n\n")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    told = {NAMES[name]: [cell.startswith("yes") for cell in cells[:4]] for name, *cells in rows}

    assert told == {name: [AFTER in can.tell, can.refuse, can.stop, can.hold] for name, can in HOOKS.items()}
    escalate = next(line for line in page.splitlines() if line.startswith("| escalate"))
    assert {"claude-code", "cursor"} == {name for name, can in HOOKS.items() if can.ask}
    assert all(name in escalate for name in ("Claude Code", "Cursor"))


def test_the_page_about_frameworks_tells_who_can_ask_and_that_none_can_hold():
    root = Path(__file__).parents[2]
    page = " ".join((root / "docs" / "frameworks.md").read_text("utf-8").split())
    assert not FRAMEWORK.hold and "No adapter keeps an agent from ending its turn" in page
    adapters = (root / "src" / "headway" / "hosts" / "frameworks").glob("*.py")
    can_ask = {path.stem for path in adapters if "can_ask=" in path.read_text("utf-8")}
    assert {"langchain", "openai_agents", "google_adk"} == can_ask
    assert "LangGraph (if there is a checkpointer), the OpenAI Agents SDK and Google ADK ask a person" in page


def test_frameworks_refuse_unless_a_call_has_run_before_they_hear_of_it():
    assert Action.BLOCK is done("block", FRAMEWORK, BEFORE).action
    assert Action.NUDGE is done("block", ONLY_TOLD, BEFORE).action


@pytest.mark.parametrize("can", [*HOOKS.values(), FRAMEWORK, ONLY_TOLD], ids=str)
@pytest.mark.parametrize("action", ["nudge", "block", "stop", "rollback", "escalate"])
def test_a_mode_is_a_limit_for_every_host(can, action):
    for moment in MOMENTS:
        full, told, silent = (
            deliver(decided(action), can, Situation(moment=moment, can_wait=True), mode)
            for mode in ("enforce", "nudge", "observe")
        )
        assert told.action in (Action.CONTINUE, Action.NUDGE) and told.reason != "held_back"
        assert (Action.CONTINUE, "", "") == (silent.action, silent.message, silent.pending)
        assert (told.would is not None) == (full.action.rank > Action.NUDGE.rank)
        would = Action.NUDGE if full.is_postponed else full.action
        assert would == (silent.would.action if silent.would else Action.CONTINUE)


@pytest.mark.parametrize("mode", ["observe", "nudge", "enforce"])
def test_a_persons_stop_holds_in_every_mode(mode):
    stop = Decision(action=Action.STOP, reason="manual_stop", message="Stopped: enough.")
    assert Action.STOP is deliver(stop, FRAMEWORK, Situation(moment=BEFORE), mode).action


@pytest.mark.parametrize(
    ("moment", "would"), [(BEFORE, "would ask the user here"), (AFTER, "would stop this run here")]
)
def test_in_the_mode_nudge_the_agent_is_told_what_enforce_would_do_at_this_moment(moment, would):
    assert would in deliver(decided("escalate"), HOOKS["claude-code"], Situation(moment=moment), "nudge").message


@pytest.mark.parametrize("moment", MOMENTS)
def test_where_a_run_ends_at_once_the_agent_is_not_asked_to_report(moment):
    can = Abilities((BEFORE, AFTER), stop=True, at_once=True)

    assert Action.STOP is way_to_stop(can, moment, again=False)
