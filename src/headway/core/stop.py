"""How much of its limits a run has used up, and what to say about it. The policy decides what follows from that."""

from typing import TYPE_CHECKING

from headway.core.repeats import anything_may_have_changed

if TYPE_CHECKING:
    from headway.core.session import Session


def effective_maximum(base: int, multiplier: float, productive: int, total: int) -> int:
    """The limit for a model: more if it explores more, and up to twice as much if turns pass without a call."""
    adjusted = int(base * multiplier)
    if productive <= 0 or total <= 0:
        return adjusted
    productivity = productive / total  # divided twice: total / productive may round to one more
    return int(adjusted * min(2.0, max(1.0, 1.0 / productivity)))


def exploration_limit(session: "Session") -> int | None:
    """The current exploration limit of this run; None if it has none."""
    limits = session.limits
    if limits.max_exploration_iterations is None:
        return None
    calls = session.tool_call_count
    return effective_maximum(
        limits.max_exploration_iterations, limits.exploration_multiplier, calls, calls + session.talk.idle_turns
    )


def effective_budget(session: "Session") -> int | None:
    """The tool budget; a soft one grows by half, twice at most, while tests get better or the last output was new."""
    budget = session.limits.tool_budget
    if budget is None or not session.limits.soft_budget:
        return budget
    latest = session.steps[-1] if session.steps else None
    is_better = session.tests.improved_at > max(0, session.step_count - 10)
    gaining = is_better or (latest is not None and latest.novelty > 0.3)
    extended = budget + budget // 2
    return min(2 * budget, extended if session.tool_call_count < extended else 2 * budget) if gaining else budget


def used_up(session: "Session", budget: int) -> str:
    """How the tool budget stands, in a sentence that is true at the budget and past it."""
    made = session.tool_call_count
    if made == budget:
        return f"The tool budget is used up: {budget} of {budget} calls made."
    return f"The tool budget of {budget} calls is exceeded: {made} calls requested."


def enforced_steps(session: "Session") -> int | None:
    """The step limit, if it ends the run."""
    limits = session.limits
    return None if "max_total_iterations" in limits.advice else limits.max_total_iterations


def calls_nearly_used_up(session: "Session") -> str:
    """How a tool budget or step limit that ends the run stands, if 80 % of it are used; otherwise empty."""
    made, budget = session.tool_call_count, effective_budget(session)
    budget = None if "tool_budget" in session.limits.advice else budget
    for name, limit in (("tool budget", budget), ("step limit", enforced_steps(session))):
        if limit is not None and 0.8 * limit <= made < limit:
            return f"The {name} is nearly used up: {made} of {limit} calls made."
    return ""


def limit_reached(session: "Session", further: int = 0) -> tuple[str, str] | None:
    """The limit that leaves no room for the requested call, and a sentence about it; None if there is room.

    With `further`, the limit that leaves no room for so many calls more.
    """
    limits, budget, steps = session.limits, effective_budget(session), enforced_steps(session)
    requested = session.tool_call_count + further
    if budget is not None and "tool_budget" not in limits.advice and requested > budget:
        return "tool_budget_exceeded", used_up(session, budget)
    if steps is not None and requested > steps:
        return "max_iterations", f"The step limit of {steps} is exceeded: {requested} calls requested."
    spending, passed = session.spending, session.duration.total_seconds()
    for reason, unit, used, limit, times in (
        ("spend", "tokens", spending.tokens, limits.max_tokens, spending.count),
        ("spend", "USD", spending.known_usd, limits.max_cost_usd, spending.count),
        ("deadline", "seconds", passed, limits.max_seconds, session.turn_count),
    ):
        if limit is not None and would_overshoot(used, limit, times):
            return reason, budget_status(unit, used, limit, times, is_estimate(unit, session))
    return None


def is_estimate(unit: str, session: "Session") -> bool:
    """Whether an amount rests on list prices in part, so that a sentence must say "about"."""
    return unit == "USD" and session.spending.estimated_usd > 0


def would_overshoot(used: float, limit: float, times: int) -> bool:
    """Whether using the average amount once more would exceed a limit."""
    return used > 0 and used + used / max(1, times) > limit


_LIMIT_NAMES = {
    "seconds": ("time limit", "elapsed", "reached"),
    "tokens": ("token budget", "used", "used up"),
    "USD": ("money budget", "used", "used up"),
}


def budget_status(unit: str, used: float, limit: float, times: int, estimated: bool = False) -> str:
    """How much of a limit is used, and whether it is reached."""
    name, verb, end = _LIMIT_NAMES[unit]
    so_far = f"{'about ' if estimated else ''}{_amount(used, unit)} {verb}, limit {_amount(limit, unit)}"
    if used >= limit:
        return f"The {name} is {end}: {so_far}."
    if would_overshoot(used, limit, times):
        one = "turn" if unit == "seconds" else "report of usage"
        average = f"about {_amount(used / max(1, times), unit, 4)} per {one}"
        return f"Another average {one} would exceed the {name}: {so_far}, {average}."
    return f"The {name} is nearly {end}: {so_far}."


def _amount(number: float, unit: str, digits: int = 6) -> str:
    """12.3 seconds, 1,000 tokens, $4.90; less than a dollar with up to four decimals."""
    if unit != "USD":
        return f"{number:,.{digits}g} {unit}"
    whole, _, cents = f"{number:,.4f}".partition(".")
    return f"${number:,.2f}" if number >= 1 else f"${whole}.{cents[:2]}{cents[2:].rstrip('0')}"


def iterations_hint(session: "Session") -> str | None:
    """What to say when the run has explored more, or made more steps, than its limits allow."""
    return exploration_hint(session) or steps_hint(session)


def exploration_hint(session: "Session") -> str | None:
    """What to say when the run has explored more than its limit allows."""
    limit, count = exploration_limit(session), session.exploration.count
    if limit is None or count <= limit:
        return None
    unedited = "" if anything_may_have_changed(session, session.changes.last) else " without an edit in between"
    return f"{count} reads, searches and listings{unedited}; the limit is now {limit}."


def steps_hint(session: "Session") -> str | None:
    """What to say when the run has made all its steps."""
    total = session.limits.max_total_iterations
    if total is None or session.step_count < total:
        return None
    return f"The step limit is reached: {session.step_count} steps made, limit {total}."


def goal_hint(session: "Session") -> str | None:
    """What to say when the target is known and nothing is done about it."""
    limits, since = session.limits, session.exploration.since_target
    if session.changes.last >= session.turn.first_step:
        return None
    if not limits.force_action_after_target_read or since is None or since < limits.explorations_after_target:
        return None
    unchanged = "" if anything_may_have_changed(session) else ", and nothing has been changed yet for this request"
    return f"The target was read {since} explorations ago{unchanged}."
