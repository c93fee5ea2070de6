"""Decides what a loop does next: a pure function of its state and the time.

The policy judges a round (`report.recommendation`). Here its recommendation becomes the loop's next move, together with
the loop's own limits and its definition of done.

In the modes `observe` and `nudge` (`policy.mode`), no recommendation of the policy rolls back a round or ends the loop;
it is only reported. The loop's own limits, its target and its definition of done apply in every mode. So does the end
after rounds in which the agent's command failed and changed nothing, which is not a decision about the work.

After a round the checks are, in this order: the same regression again, done, escalation to a person, a limit, rollback,
an agent that keeps failing, being stuck; otherwise the next round. A round that broke tests, or that runs fewer tests
than the baseline, is never done.
"""

from collections.abc import Callable

import msgspec

from headway.core.decision import Action
from headway.loop.done import done
from headway.loop.facts import Ending
from headway.loop.forecast import forecast
from headway.loop.measuring import what_is_missing
from headway.loop.state import LoopState
from headway.reports.words import duration, money
from headway.scoring.assessment import RoundReport
from headway.scoring.verdict import is_judged

APPROACHES = ("rephrase", "decompose", "constrain")
"""How the prompt is varied when the work is stuck, in this order."""
ANOTHER_AGENT = "another agent"
FAILURES = 3
"""After this many rounds in a row in which the agent failed and changed nothing, it is not started again."""


class Assess(msgspec.Struct, frozen=True):
    """Save and measure the baseline, or a round whose agent has ended."""

    number: int


class Work(msgspec.Struct, frozen=True):
    """Run the agent for a round."""

    number: int
    approach: str = ""
    agent: int = 0


class RollBack(msgspec.Struct, frozen=True):
    """Roll back to an earlier round."""

    to: int
    message: str


class Finish(msgspec.Struct, frozen=True):
    """End the loop and put its result in place."""

    ending: Ending


class Over(msgspec.Struct, frozen=True):
    """Nothing is left to do."""


Move = Assess | Work | RollBack | Finish | Over


def next_move(state: LoopState, now: float) -> Move:
    """The next move."""
    if state.finishing is not None:
        return Finish(state.finishing.ending) if state.placed is None else Over()
    if state.measuring_is_due:
        return Assess(state.number + 1)
    if state.rolling_back is not None:
        return RollBack(state.rolling_back.to, state.rolling_back.message)
    if state.agent_is_due and state.began is not None:
        limit = _limit(state, now)
        again = Work(state.began.number, state.began.approach, state.began.agent)
        return Finish(limit) if limit else again
    return _after_round(state, now)


def _after_round(state: LoopState, now: float) -> Move:
    report = state.rounds[-1]
    judgements: tuple[Callable[[], Move | None], ...] = (
        lambda: _end(_nothing_measured(state)),
        lambda: None if _is_left(state) else _end(_same_regression_again(state, report)),
        lambda: _end(done(state, report)),
        lambda: None if _is_left(state) else _end(_escalation(state, report, now)),
        lambda: _end(_limit(state, now)),
        lambda: None if _is_left(state) else _rollback_move(report),
        lambda: _failing(state),
        lambda: _stuck(state, report),
        lambda: _end(_other_stop(state, report)),
    )
    for judge in judgements:
        move = judge()
        if move is not None:
            return move
    return Work(state.number + 1, agent=state.agent)


def _is_settled(state: LoopState) -> bool:
    return state.settled >= state.number


def _is_left(state: LoopState) -> bool:
    """Check whether the policy's advice has no effect: it is settled, or the mode does not allow it."""
    return _is_settled(state) or state.mode != "enforce"


def _end(ending: Ending | None) -> Move | None:
    return Finish(ending) if ending else None


def _nothing_measured(state: LoopState) -> Ending | None:
    """Stop if nothing is measured, because then no round can be judged. `--no-tests` allows it.

    A test command that succeeds without a summary is enough: it shows at least when it starts to fail.
    """
    succeeds = state.measured.tests_exit_code == 0
    if state.number or state.spec.no_tests or is_judged(state.measured) or succeeds:
        return None
    missing = what_is_missing([one.reading for one in state.ends[0].readings])
    ask = (
        "start a new loop with your test command (--test CMD), or continue without tests: "
        f"headway loop --resume {state.loop_id} --no-tests"
    )
    message = f"Nothing could be measured, so rounds cannot be judged: {missing}. Either {ask}"
    return Ending(outcome="refused", reason="nothing_measured", message=message)


def _same_regression_again(state: LoopState, report: RoundReport) -> Ending | None:
    advice = report.recommendation
    if advice.action in (Action.STOP, Action.ESCALATE) and advice.reason in state.settings.policy.rollback_on:
        message = f"The same problem again after a rollback: {advice.message}"
        return Ending(outcome="stopped", reason=advice.reason, message=message)
    return None


def _escalation(state: LoopState, report: RoundReport, now: float) -> Ending | None:
    advice = report.recommendation
    if advice.action is not Action.ESCALATE or advice.reason in state.tracker.stop_on:
        return None
    if advice.reason == "uncertain" and state.time_for_work(now) <= 0:
        return None  # what is missing may only have timed out
    return Ending(outcome="stopped", reason=advice.reason, message=f"A person has to decide: {advice.message}")


def _limit(state: LoopState, now: float) -> Ending | None:
    spec, budget = state.spec, budget_of(state)
    if state.number >= spec.max_rounds:
        made = "1 round was" if state.number == 1 else f"{state.number} rounds were"
        return Ending(outcome="limit", reason="max_rounds", message=f"{made} made; that is the maximum.")
    if spec.seconds is not None and state.seconds(now) >= spec.seconds:
        return Ending(outcome="limit", reason="time", message=f"The time limit is reached: {duration(spec.seconds)}.")
    expected, least = forecast(state), spec.stop_when_gain_below
    if least is not None and expected is not None and expected.gain is not None and expected.gain[1] < least:
        message = f"Another round would likely gain fewer than {least:g} passing tests: {expected}."
        return Ending(outcome="limit", reason="gain", message=message)
    if spec.seconds is not None and state.time_for_work(now) <= 0:
        said = f"Of the time limit of {duration(spec.seconds)}, too little is left for another round."
        return Ending(outcome="limit", reason="time", message=said)
    if budget is not None and state.cost_usd is not None and state.cost_usd * (1 + 1 / len(state.costs)) > budget:
        return Ending(outcome="limit", reason="spend", message=_spent(state.cost_usd, budget))
    return None


def _spent(cost: float, budget: float) -> str:
    if cost > budget:
        return f"{money(cost)} is spent, which exceeds the budget of {money(budget)}."
    return f"{money(cost)} of {money(budget)} is spent; another round of average cost would exceed the budget."


def budget_of(state: LoopState) -> float | None:
    """The maximum cost of the loop, from its own options or else from the settings."""
    return state.spec.budget_usd if state.spec.budget_usd is not None else state.settings.global_.max_cost_usd


def _rollback_move(report: RoundReport) -> Move | None:
    advice = report.recommendation
    if advice.action is not Action.ROLLBACK or advice.target_iteration is None:
        return None
    return RollBack(advice.target_iteration, advice.message)


def _failing(state: LoopState) -> Move | None:
    """Stop if the agent cannot work (no key, no quota, a crash): it would use up all rounds."""
    latest = state.agents[max(0, state.number - FAILURES) : state.number]
    if len(latest) < FAILURES or state.number - FAILURES < state.settled:
        return None
    if not all(one.exit_code and not _changed(state, one.number) for one in latest):
        return None
    if state.spec.then and ANOTHER_AGENT not in state.tried:
        return Work(state.number + 1, ANOTHER_AGENT, 1)
    last_line = next((line for line in reversed(latest[-1].output.splitlines()) if line.strip()), "it printed nothing")
    message = (
        f"The agent failed {FAILURES} rounds in a row (now with exit code {latest[-1].exit_code}) and changed nothing: "
        f"{last_line.strip()[:200]}"
    )
    return Finish(Ending(outcome="stopped", reason="agent_failed", message=message))


def _changed(state: LoopState, number: int) -> bool:
    changes = state.ends[number].changes
    return changes is None or bool(changes.files)


def _stuck(state: LoopState, report: RoundReport) -> Move | None:
    """Try another approach, then another agent, then a person."""
    if state.mode == "observe" or state.number == 0:
        return None
    if _is_settled(state) and state.number not in state.returns:
        return None
    advice, agent = report.recommendation, state.last_agent
    moved = report.iteration.verdict == "forward"
    cut = agent is not None and agent.cut not in ("", "round_timeout", "time") and not moved
    if not cut and not (advice.action in (Action.STOP, Action.ESCALATE) and advice.reason in state.tracker.stop_on):
        return None
    ways = _approaches(state)
    for way in ways:
        if way not in state.tried:
            return Work(state.number + 1, way, 1 if way == ANOTHER_AGENT else state.agent)
    if state.mode != "enforce":
        return None
    reason, said = (agent.cut, agent.message) if cut and agent else (advice.reason, advice.message)
    tried = f"{len(ways)} other approach{'es' * (len(ways) > 1)} ({', '.join(ways)})"
    summary = f"Still stuck after {tried}" if ways else "Stuck, and there is no prompt to vary"
    return Finish(Ending(outcome="stopped", reason=reason, message=f"{summary}, so a person has to decide: {said}"))


def _approaches(state: LoopState) -> list[str]:
    """The approaches for stuck work. Without a prompt there is nothing to vary."""
    return [*(APPROACHES if state.spec.has_task else ()), *([ANOTHER_AGENT] if state.spec.then else [])]


def _other_stop(state: LoopState, report: RoundReport) -> Ending | None:
    advice = report.recommendation
    if advice.action is not Action.STOP or _is_settled(state):
        return None
    if _is_left(state) and advice.reason != "target_reached":  # the target is one of the loop's own options
        return None
    return Ending(outcome="stopped", reason=advice.reason, message=advice.message)
