"""The policy is the only place that decides: nothing else makes a decision, and every other answer follows from one."""

import ast
from itertools import product
from pathlib import Path

import pytest

import headway
from headway import Action, Finding, Severity
from headway.core.decision import CONTINUE, Decision
from headway.hosts.abilities import MODES, Abilities
from headway.hosts.delivery import REPEATS, Situation, deliver
from headway.hosts.hook.event import AFTER, BATCH, BEFORE, PROMPT, TURN_END

ROOM = Path(headway.__file__).parent
ELSEWHERE = sorted(path for path in ROOM.rglob("*.py") if path.relative_to(ROOM).parts[0] != "policy")
MADE = ("Decision", "Recommendation", "Delivery")
GOES_ON = ("Action.CONTINUE", "decision.action")
"""Actions that may be given to a decision elsewhere: none, and the one that the policy has decided."""
DELIVERY = ROOM / "hosts" / "delivery.py"
"""The only module that turns a decision into what a host does."""


def last_of(node):
    """The last name of an expression: `Decision` in `core.decision.Decision`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def real_names(tree):
    """What each other name in a module stands for, given to it by an import or an assignment."""
    named = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            named |= {one.asname: one.name for one in node.names if one.asname}
        elif isinstance(node, ast.Assign) and last_of(node.value):
            real = last_of(node.value)
            named |= {last_of(target): named.get(real, real) for target in node.targets}
    return named


def calls_in(tree):
    """Every call, with the real name of what is called, and the real names of what is given to it."""
    named = real_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            given = [last_of(one) for one in (*node.args, *(word.value for word in node.keywords))]
            called = last_of(node.func)
            yield node, named.get(called, called), [named.get(one, one) for one in given]


def made_in(source):
    """Every decision that a source makes or changes, as (line, the action it is given)."""
    if not any(name in source for name in MADE) and not ("replace" in source and "action" in source):
        return  # to parse it would take longer
    for node, called, given in calls_in(ast.parse(source)):
        actions = [ast.unparse(word.value) for word in node.keywords if word.arg == "action"]
        hidden = [text for word in node.keywords if word.arg is None for text in [ast.unparse(word.value)]]
        if called in MADE and (actions or node.args or hidden):
            yield node.lineno, (actions or ["given by place"])[0]
        elif called == "replace" and (actions or any("action" in text for text in hidden)):
            yield node.lineno, (actions or hidden)[0]
        elif set(MADE) & set(given) and called not in ("isinstance", "issubclass"):
            yield node.lineno, f"whatever {called} makes of it"


def test_nothing_outside_the_policy_makes_a_decision_but_to_continue():
    made = [(path, *found) for path in ELSEWHERE if path != DELIVERY for found in made_in(path.read_text())]
    assert [] == [(str(path), line, action) for path, line, action in made if action not in GOES_ON]
    assert len(ELSEWHERE) > 500 and made and DELIVERY in ELSEWHERE


@pytest.mark.parametrize(
    "source",
    [
        "Decision(action=Action.STOP)",
        "decision.Decision(action=action)",
        "Decision(Action.STOP)",
        "Decision(**{'action': Action.STOP})",
        "from headway.core.decision import Decision as _D\n_D(action=Action.STOP)",
        "made = core.Decision\nmade(Action.STOP)",
        "msgspec.structs.replace(decision, action=Action.STOP)",
        "replace(decision, action=Action.NUDGE)",
        "replace(decision, **{'action': Action.NUDGE})",
        "msgspec.convert({'action': 'stop'}, Recommendation)",
        "msgspec.json.decode(saved, type=Decision)",
        "functools.partial(Decision, action=Action.STOP)",
        "Recommendation(action=Action.STOP, reason='stalled')",
        "Delivery(action=Action.STOP, reason='five_errors')",
    ],
)
def test_a_second_decider_would_be_found(source):
    assert [action for _, action in made_in(source) if action not in GOES_ON]


POLICY = "the policy recommended it"
ENDINGS = {
    ("loop/moves.py", "_same_regression_again", "stopped", "advice.reason"): POLICY,
    ("loop/moves.py", "_escalation", "stopped", "advice.reason"): POLICY,
    ("loop/moves.py", "_stuck", "stopped", "reason"): f"{POLICY}, of the round or while the agent worked in it",
    ("loop/moves.py", "_other_stop", "stopped", "advice.reason"): POLICY,
    ("loop/moves.py", "_limit", "limit", "'max_rounds'"): "the option --max-rounds",
    ("loop/moves.py", "_limit", "limit", "'time'"): "the option --for",
    ("loop/moves.py", "_limit", "limit", "'gain'"): "the option --stop-when-gain-below",
    ("loop/moves.py", "_limit", "limit", "'spend'"): "the option --budget-usd, or a limit in the settings",
    ("loop/moves.py", "_nothing_measured", "refused", "'nothing_measured'"): "the option --no-tests was not given",
    ("loop/done.py", "done", "done", "'until'"): "the option --until",
    ("loop/done.py", "done", "done", "'target_reached'"): f"{POLICY}, with the option --target-quality",
    ("loop/done.py", "done", "done", "'complete'"): "the agent says that it is done, and no measurement contradicts it",
    ("loop/moves.py", "_failing", "stopped", "'agent_failed'"): "about the agent's command, which fails, not the work",
    (
        "loop/finishing.py",
        "give_up",
        "stopped",
        "'rollback_failed'",
    ): "about files that cannot be restored, not the work",
}
"""Each place at which a loop ends, as (module, function, outcome, reason), and why the loop may end there."""


def endings_in(source):
    """Every ending of a loop that a source makes, as (function, outcome, reason)."""
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for node, called, given in calls_in(tree):
        if called != "Ending" and "Ending" not in given:
            continue
        words = {word.arg: word.value for word in node.keywords}
        outcome = words["outcome"].value if isinstance(words.get("outcome"), ast.Constant) else "?"
        reason = ast.unparse(words["reason"]) if "reason" in words else "?"
        around = [one.name for one in functions if one.lineno <= node.lineno <= one.end_lineno]
        yield (around or [""])[-1], outcome, reason


def test_a_loop_ends_only_for_the_reasons_that_are_listed():
    sources = {path.relative_to(ROOM).as_posix(): path.read_text() for path in ELSEWHERE}
    found = {(name, *one) for name, source in sources.items() if "Ending" in source for one in endings_in(source)}
    assert ENDINGS.keys() == found, (
        "only the policy ends a loop because of the work: say in ENDINGS why this may end one"
    )


@pytest.mark.parametrize(
    "source",
    [
        "Finish(Ending(outcome='stopped', reason='bored'))",
        "Ending(**words)",
        "from x import Ending as E\nE(reason='x')",
    ],
)
def test_another_ending_would_be_found(source):
    assert {("", "stopped", "'bored'"), ("", "?", "?"), ("", "?", "'x'")} & set(endings_in(source))


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


FLAGS = ("is_let_through", "follows_change", "can_wait", "would_be_stopped", "reaches_agent")
SITUATIONS = [
    {**dict(zip(FLAGS, flags, strict=True)), "pending": pending, "forgotten": forgotten}
    for *flags, pending, forgotten in product(*[(False, True)] * len(FLAGS), ("", "Told late."), ("", "told that."))
]


@pytest.mark.parametrize("moment", [BEFORE, AFTER, BATCH, PROMPT, TURN_END])
@pytest.mark.parametrize(
    "can", [EVERYTHING, EVERYTHING._replace(tell=(BEFORE,)), NOTHING], ids=["all", "before", "none"]
)
def test_no_situation_makes_a_host_do_more_than_to_repeat_what_was_said(can, moment):
    """Without a new decision, a host may say what could not be said before, or was lost, and nothing else."""
    for words, mode in product(SITUATIONS, MODES):
        done = deliver(CONTINUE, can, Situation(moment=moment, **words), mode)
        repeats = done.reason in REPEATS and (words["forgotten"] or words["pending"]) in done.message
        assert done.action is Action.CONTINUE or (done.action is Action.NUDGE and repeats), (words, mode)
        assert done.would is None or done.would.action.rank <= Action.NUDGE.rank, (words, mode)
