"""Answers the question of seed 004 as the seed does: should this run stop?

The order is the seed's: a manual stop, the tool budget, a loop, too many iterations, a known goal. The policy decides
what Headway does about it.
"""

import msgspec

from headway.core.call import Call
from headway.core.session import Session
from headway.core.stop import effective_budget, goal_hint, iterations_hint


class StopDecision(msgspec.Struct, frozen=True):
    """Whether to stop, why, and what to tell the agent."""

    should_stop: bool = False
    reason: str | None = None
    hint: str | None = None


def stop_decision(session: Session) -> StopDecision:
    """Ask the seed's five questions in the seed's order."""
    checks = (
        ("manual_stop", _manual_stop(session)),
        ("tool_budget_exceeded", _budget(session)),
        ("loop_detected", _loop(session)),
        ("max_iterations", iterations_hint(session)),
        ("goal_forcing", goal_hint(session)),
    )
    return next((StopDecision(True, reason, hint) for reason, hint in checks if hint), StopDecision())


def equal_calls(session: Session, call: Call) -> int:
    """How many of the latest calls equal this one. Reads of one file are equal if their lines overlap."""
    recent = session.calls[-session.limits.signature_history_size :]
    return sum(_same_signature(other, call) for other in recent)


def loop_warning(session: Session) -> str | None:
    """The seed's warning: from one call before a loop until another call is made."""
    times, threshold = _times(session), session.limits.loop_repeat_threshold
    if times < threshold - 1:
        return None
    tool = session.calls[-1].tool_name
    return f"{tool} was called {times} times with the same target; {threshold} times count as a loop."


def _manual_stop(session: Session) -> str | None:
    return f"Stopped: {session.stopped}." if session.stopped is not None else None


def _budget(session: Session) -> str | None:
    """The message when the tool budget is used up."""
    budget = effective_budget(session)
    if budget is None or session.tool_call_count < budget:
        return None
    return f"Tool budget exceeded ({session.tool_call_count}/{budget})"


def _loop(session: Session) -> str | None:
    times = _times(session)
    if times < session.limits.loop_repeat_threshold:
        return None
    return f"{session.calls[-1].tool_name} was called {times} times with the same target."


def _times(session: Session) -> int:
    """How often the latest call was made recently; 0 if loop detection is off."""
    return equal_calls(session, session.calls[-1]) if session.calls and session.limits.loop_detection else 0


def _same_signature(one: Call, other: Call) -> bool:
    if one.meaning.kind != "read" or not one.meaning.path:
        return one.digest == other.digest
    if (one.tool_name, one.meaning.path) != (other.tool_name, other.meaning.path):
        return False
    ours, theirs = one.meaning.lines, other.meaning.lines
    return ours is None or theirs is None or (ours[0] <= theirs[1] and theirs[0] <= ours[1])
