"""What a loop does next: a pure function of where it stands and what time it is.

The policy decides what a round is worth (`report.recommendation`); here that becomes the loop's next move. A loop's own
order, its limits and what it calls done, is kept here as well.

In the modes `observe` and `nudge` (`policy.mode`) nothing that the policy says rolls back a round or ends the loop; it
is told and reported. What the loop itself was given holds in every mode: its limits, its target, what it calls done.

After a round the order is: the same regression again, done, a person has to look, a limit, going back, an agent that
keeps failing, being stuck, and otherwise the next round. A round that broke tests, or in which fewer of them run than
at the baseline, is never done, whatever it claims.
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
"""How the prompt is varied when the work is stuck, one after the other."""
ANOTHER_AGENT = "another agent"
FAILURES = 3
"""Rounds in a row in which the agent failed and changed nothing, after which it is not started again."""


class Assess(msgspec.Struct, frozen=True):
    """Keep and measure what is there: the baseline, or a round whose agent has ended."""

    number: int


class Work(msgspec.Struct, frozen=True):
    """Let the agent work for a round."""

    number: int
    approach: str = ""
    agent: int = 0


class GoBack(msgspec.Struct, frozen=True):
    """Bring the files of an earlier round back."""

    to: int
    message: str


class HandOver(msgspec.Struct, frozen=True):
    """End the loop and put its result in place."""

    ending: Ending


class Over(msgspec.Struct, frozen=True):
    """Nothing is left to do."""


Move = Assess | Work | GoBack | HandOver | Over


def next_move(course: LoopState, now: float) -> Move:
    """What is due."""
    if course.handing_over is not None:
        return HandOver(course.handing_over.ending) if course.placed is None else Over()
    if course.measuring_is_due:
        return Assess(course.number + 1)
    if course.going_back is not None:
        return GoBack(course.going_back.to, course.going_back.message)
    if course.agent_is_due and course.began is not None:
        limit = _limit(course, now)
        again = Work(course.began.number, course.began.approach, course.began.agent)
        return HandOver(limit) if limit else again
    return _after_round(course, now)


def _after_round(course: LoopState, now: float) -> Move:
    report = course.rounds[-1]
    judgements: tuple[Callable[[], Move | None], ...] = (
        lambda: _end(_nothing_measured(course)),
        lambda: None if _is_left(course) else _end(_same_again(course, report)),
        lambda: _end(done(course, report)),
        lambda: None if _is_left(course) else _end(_for_a_person(course, report, now)),
        lambda: _end(_limit(course, now)),
        lambda: None if _is_left(course) else _way_back(report),
        lambda: _failing(course),
        lambda: _stuck(course, report),
        lambda: _end(_other_stop(course, report)),
    )
    for judge in judgements:
        move = judge()
        if move is not None:
            return move
    return Work(course.number + 1, agent=course.agent)


def _is_settled(course: LoopState) -> bool:
    return course.settled >= course.number


def _is_left(course: LoopState) -> bool:
    """Whether nothing follows from what the policy says about a round: it is settled, or the mode is too weak."""
    return _is_settled(course) or course.mode != "enforce"


def _end(ending: Ending | None) -> Move | None:
    return HandOver(ending) if ending else None


def _nothing_measured(course: LoopState) -> Ending | None:
    """Without anything measured no round can be judged: that has to be wanted.

    A test command that succeeds without a summary tells at least when it no longer does.
    """
    succeeds = course.measured.tests_exit_code == 0
    if course.number or course.order.no_tests or is_judged(course.measured) or succeeds:
        return None
    missing = what_is_missing([one.reading for one in course.ends[0].readings])
    ask = (
        "start a new loop with your test command (--test CMD), or continue without tests: "
        f"headway loop --resume {course.loop_id} --no-tests"
    )
    message = f"Nothing could be measured, so rounds cannot be judged: {missing}. Either {ask}"
    return Ending(outcome="refused", reason="nothing_measured", message=message)


def _same_again(course: LoopState, report: RoundReport) -> Ending | None:
    advice = report.recommendation
    if advice.action in (Action.STOP, Action.ESCALATE) and advice.reason in course.settings.policy.rollback_on:
        message = f"The same problem again after a rollback: {advice.message}"
        return Ending(outcome="stopped", reason=advice.reason, message=message)
    return None


def _for_a_person(course: LoopState, report: RoundReport, now: float) -> Ending | None:
    advice = report.recommendation
    if advice.action is not Action.ESCALATE or advice.reason in course.tracker.stop_on:
        return None
    if advice.reason == "uncertain" and course.time_for_work(now) <= 0:
        return None  # what is missing may only have lacked the time
    return Ending(outcome="stopped", reason=advice.reason, message=f"A person has to look: {advice.message}")


def _limit(course: LoopState, now: float) -> Ending | None:
    order, budget = course.order, budget_of(course)
    if course.number >= order.max_rounds:
        made = "1 round was" if course.number == 1 else f"{course.number} rounds were"
        return Ending(outcome="limit", reason="max_rounds", message=f"{made} made; that is the maximum.")
    if order.seconds is not None and course.seconds(now) >= order.seconds:
        return Ending(outcome="limit", reason="time", message=f"The time limit is reached: {duration(order.seconds)}.")
    expected, least = forecast(course), order.stop_when_gain_below
    if least is not None and expected is not None and expected.gain is not None and expected.gain[1] < least:
        message = f"Another round would likely gain fewer than {least:g} passing tests: {expected}."
        return Ending(outcome="limit", reason="gain", message=message)
    if order.seconds is not None and course.time_for_work(now) <= 0:
        said = f"Of the time limit of {duration(order.seconds)}, too little is left for another round."
        return Ending(outcome="limit", reason="time", message=said)
    if budget is not None and course.cost_usd is not None and course.cost_usd * (1 + 1 / len(course.costs)) > budget:
        spent = f"{money(course.cost_usd)} of {money(budget)} is spent; another round would exceed the budget."
        return Ending(outcome="limit", reason="spend", message=spent)
    return None


def budget_of(course: LoopState) -> float | None:
    """What the loop may cost: by its own order, or else by the settings."""
    return course.order.budget_usd if course.order.budget_usd is not None else course.settings.global_.max_cost_usd


def _way_back(report: RoundReport) -> Move | None:
    advice = report.recommendation
    if advice.action is not Action.ROLLBACK or advice.target_iteration is None:
        return None
    return GoBack(advice.target_iteration, advice.message)


def _failing(course: LoopState) -> Move | None:
    """An agent that cannot work (no key, no quota, a crash) would burn all rounds."""
    latest = course.agents[max(0, course.number - FAILURES) : course.number]
    if len(latest) < FAILURES or course.number - FAILURES < course.settled:
        return None
    if not all(one.exit_code and not _changed(course, one.number) for one in latest):
        return None
    if course.order.then and ANOTHER_AGENT not in course.tried:
        return Work(course.number + 1, ANOTHER_AGENT, 1)
    last_line = next((line for line in reversed(latest[-1].output.splitlines()) if line.strip()), "it printed nothing")
    message = (
        f"The agent failed {FAILURES} rounds in a row (now with exit code {latest[-1].exit_code}) and changed nothing: "
        f"{last_line.strip()[:200]}"
    )
    return HandOver(Ending(outcome="stopped", reason="agent_failed", message=message))


def _changed(course: LoopState, number: int) -> bool:
    changes = course.ends[number].changes
    return changes is None or bool(changes.files)


def _stuck(course: LoopState, report: RoundReport) -> Move | None:
    """Another approach, another agent, and then a person."""
    if course.mode == "observe" or course.number == 0:
        return None
    if _is_settled(course) and course.number not in course.returns:
        return None
    advice, agent = report.recommendation, course.last_agent
    moved = report.iteration.verdict == "forward"
    cut = agent is not None and agent.cut not in ("", "round_timeout", "time") and not moved
    if not cut and not (advice.action in (Action.STOP, Action.ESCALATE) and advice.reason in course.tracker.stop_on):
        return None
    ways = _other_ways(course)
    for way in ways:
        if way not in course.tried:
            return Work(course.number + 1, way, 1 if way == ANOTHER_AGENT else course.agent)
    if course.mode != "enforce":
        return None
    reason, said = (agent.cut, agent.message) if cut and agent else (advice.reason, advice.message)
    tried = f"{len(ways)} other approach{'es' * (len(ways) > 1)} ({', '.join(ways)})"
    state = f"Still stuck after {tried}" if ways else "Stuck, and there is no prompt to vary"
    return HandOver(Ending(outcome="stopped", reason=reason, message=f"{state}, so a person has to look: {said}"))


def _other_ways(course: LoopState) -> list[str]:
    """What can be tried when the work is stuck: where there is no prompt, none can be varied."""
    return [*(APPROACHES if course.order.has_task else ()), *([ANOTHER_AGENT] if course.order.then else [])]


def _other_stop(course: LoopState, report: RoundReport) -> Ending | None:
    advice = report.recommendation
    if advice.action is not Action.STOP or _is_settled(course):
        return None
    if _is_left(course) and advice.reason != "target_reached":  # a target is the loop's own order
        return None
    return Ending(outcome="stopped", reason=advice.reason, message=advice.message)
