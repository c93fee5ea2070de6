"""The state of a live session: needs you, looping, working, idle or done.

This is a pure function of what is stored about a session and of the time. Commands, the status line, the service and
the dashboard use it. It is imported by the status line, so it needs neither msgspec nor `typing`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NEEDS_YOU = "needs you"
LOOPING = "looping"
WORKING = "working"
IDLE = "idle"
DONE = "done"
STATES = (NEEDS_YOU, LOOPING, WORKING, IDLE, DONE)
"""All states; those that need attention come first."""

OPEN_FOR = 5
"""Steps for which a finding counts as open after it was last seen."""
LONGEST_CALL = 3_600.0
"""Seconds after which a call that did not return counts as abandoned."""
LONGEST_SILENCE = 600.0
"""Seconds without an event after which an agent that runs no call counts as idle."""
_AT_REST = ("", "start", "turn end", "session end")
"""Last events after which an agent does nothing until it gets a message."""
_RUNNING = "before"
"""The last event while a call is running."""


def state_of(session: "Any", now: float) -> str:
    """The state of a session: a `SessionOverview`, or anything with the same attributes."""
    if session.ended:
        return DONE
    is_asked = session.verdict == "escalate" and session.moment == _RUNNING  # afterwards the person has answered
    is_stopped = session.verdict == "stop" and not session.off  # if Headway is off, the agent may work on
    if session.waiting or is_stopped or is_asked:
        return NEEDS_YOU
    silence = now - session.seen_at
    if session.moment in _AT_REST or silence > (LONGEST_CALL if session.moment == _RUNNING else LONGEST_SILENCE):
        return IDLE
    return LOOPING if open_finding(session) is not None else WORKING


def open_finding(session: "Any") -> "Any | None":
    """The latest open finding."""
    return next(iter(open_findings(session)), None)


def open_findings(session: "Any") -> "list[Any]":
    """The findings of this turn that led to something, or would have in another mode, and are still seen."""
    led_to = {one.reason for one in session.decisions if one.step > session.turn_step}
    seen = [one for one in session.findings if one.detector in led_to and one.last_step > session.turn_step]
    still = [one for one in seen if session.steps - one.last_step < OPEN_FOR]
    return sorted(still, key=lambda one: (one.last_step, one.last_at), reverse=True)
