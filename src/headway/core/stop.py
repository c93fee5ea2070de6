"""Seed 004's question, answered as the seed does: should this run stop?

The order is kept: a person's word, the tool budget, a loop, too many iterations, a goal that is at hand. What Headway
does about the answer is the policy's business.
"""

from typing import TYPE_CHECKING

import msgspec

from headway.core.call import Call

if TYPE_CHECKING:
    from headway.core.memory import Memory


class StopDecision(msgspec.Struct, frozen=True):
    """Whether to stop, why, and what to tell the agent."""

    should_stop: bool = False
    reason: str | None = None
    hint: str | None = None


def stop_decision(memory: "Memory") -> StopDecision:
    """Ask the seed's five questions in the seed's order."""
    checks = (
        ("manual_stop", _manual_stop(memory)),
        ("tool_budget_exceeded", budget_hint(memory)),
        ("loop_detected", _loop(memory)),
        ("max_iterations", iterations_hint(memory)),
        ("goal_forcing", goal_hint(memory)),
    )
    return next((StopDecision(True, reason, hint) for reason, hint in checks if hint), StopDecision())


def effective_maximum(base: int, multiplier: float, productive: int, total: int) -> int:
    """The seed's maximum: more for models that explore more, and up to twice as much when turns pass without a call."""
    adjusted = int(base * multiplier)
    if productive <= 0 or total <= 0:
        return adjusted
    productivity = productive / total  # divided twice, as in the seed: total / productive may give one more
    return int(adjusted * min(2.0, max(1.0, 1.0 / productivity)))


def exploration_limit(memory: "Memory") -> int | None:
    """How much looking around is fine in this run at this point."""
    limits = memory.limits
    if limits.max_exploration_iterations is None:
        return None
    calls = memory.tool_call_count
    return effective_maximum(
        limits.max_exploration_iterations, limits.exploration_multiplier, calls, calls + memory.idle_turn_count
    )


def effective_budget(memory: "Memory") -> int | None:
    """The tool budget; a soft one grows by half, twice at most, while tests get better or the last output was new."""
    budget = memory.limits.tool_budget
    if budget is None or not memory.limits.soft_budget:
        return budget
    latest = memory.steps[-1] if memory.steps else None
    is_better = memory.tests.improved_at > max(0, memory.step_count - 10)
    gaining = is_better or (latest is not None and latest.novelty > 0.3)
    extended = budget + budget // 2
    return min(2 * budget, extended if memory.tool_call_count < extended else 2 * budget) if gaining else budget


def used_up(memory: "Memory", budget: int) -> str:
    """How the tool budget stands, in a sentence that is true at the budget and past it."""
    made = memory.tool_call_count
    if made == budget:
        return f"All {budget} calls of the tool budget have been made."
    return f"{made} calls were asked for; the tool budget is {budget}."


def limit_reached(memory: "Memory") -> tuple[str, str] | None:
    """A limit of the user's that leaves no room for the call that is being asked for: which one, and how it stands."""
    limits, budget = memory.limits, effective_budget(memory)
    if budget is not None and "tool_budget" not in limits.advice and memory.tool_call_count > budget:
        return "tool_budget_exceeded", used_up(memory, budget)
    tokens, passed = memory.tokens_in + memory.tokens_out, memory.duration.total_seconds()
    for reason, unit, used, limit, times in (
        ("spend", "tokens", tokens, limits.max_tokens, memory.use_count),
        ("spend", "USD", memory.cost_usd, limits.max_cost_usd, memory.use_count),
        ("deadline", "seconds", passed, limits.max_seconds, memory.turn_count),
    ):
        if limit is not None and would_overshoot(used, limit, times):
            return reason, how_it_stands(unit, used, limit, times)
    return None


def would_overshoot(used: float, limit: float, times: int) -> bool:
    """Whether as much again as was used at a time, on average, goes past a limit."""
    return used > 0 and used + used / max(1, times) > limit


def how_it_stands(unit: str, used: float, limit: float, times: int) -> str:
    """How much of a limit is used, and whether the rest is enough, in a sentence that is true."""
    verb = "have passed" if unit == "seconds" else "are used"
    if used < limit and would_overshoot(used, limit, times):
        each = f"{used / max(1, times):,.4g}"
        return f"{used:,.6g} {unit} {verb}, and a step takes about {each}; the limit is {limit:,.6g} {unit}."
    return f"{used:,.6g} {unit} {verb}; the limit is {limit:,.6g} {unit}."


def equal_calls(memory: "Memory", call: Call) -> int:
    """How often the latest calls have been this one; reads of one file are equal when their lines overlap."""
    recent = memory.calls[-memory.limits.signature_history_size :]
    return sum(_same_signature(other, call) for other in recent)


def loop_warning(memory: "Memory") -> str | None:
    """The seed's warning, from one call before it is a loop until another call is made."""
    times, threshold = _times(memory), memory.limits.loop_repeat_threshold
    if times < threshold - 1:
        return None
    tool = memory.calls[-1].tool_name
    return f"{tool} was called {times} times with the same target; {threshold} times are a loop."


def _manual_stop(memory: "Memory") -> str | None:
    return f"Stopped: {memory.stopped}." if memory.stopped is not None else None


def budget_hint(memory: "Memory") -> str | None:
    """What to say when the tool budget is used up."""
    budget = effective_budget(memory)
    if budget is None or memory.tool_call_count < budget:
        return None
    return f"Tool budget exceeded ({memory.tool_call_count}/{budget})"


def _loop(memory: "Memory") -> str | None:
    times = _times(memory)
    if times < memory.limits.loop_repeat_threshold:
        return None
    return f"{memory.calls[-1].tool_name} was called {times} times with the same target."


def _times(memory: "Memory") -> int:
    """How often the latest call has been made lately; 0 where nobody is to look."""
    return equal_calls(memory, memory.calls[-1]) if memory.calls and memory.limits.loop_detection else 0


def iterations_hint(memory: "Memory") -> str | None:
    """What to say when there was more looking around, or there were more steps, than planned."""
    limit, total = exploration_limit(memory), memory.limits.max_total_iterations
    if limit is not None and memory.exploration_count > limit:
        return f"{memory.exploration_count} steps of looking around since the last change; the limit is now {limit}."
    if total is not None and memory.step_count >= total:
        return f"{memory.step_count} steps were made; the limit is {total}."
    return None


def goal_hint(memory: "Memory") -> str | None:
    """What to say when the target is known and nothing is done about it."""
    limits, since = memory.limits, memory.explored_since_target
    if memory.changes.last >= memory.turn.first_step:
        return None
    if not limits.force_action_after_target_read or since is None or since < limits.explorations_after_target:
        return None
    return f"The target has been read; {since} more steps looked around and nothing has been changed yet."


def _same_signature(one: Call, other: Call) -> bool:
    if one.meaning.kind != "read" or not one.meaning.path:
        return one.digest == other.digest
    if (one.tool_name, one.meaning.path) != (other.tool_name, other.meaning.path):
        return False
    ours, theirs = one.meaning.lines, other.meaning.lines
    return ours is None or theirs is None or (ours[0] <= theirs[1] and theirs[0] <= ours[1])
