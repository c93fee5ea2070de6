"""Commands that a person can give a session from the dashboard. Each returns a sentence about what was done."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from headway.hosts.hook import orders
from headway.policy import LIMITS
from headway.serve.guards import RefusedError
from headway.store.overview import SessionOverview

Order = Callable[[SessionOverview, Mapping[str, Any]], str]

REFUSING = ("block", "stop", "escalate")
"""Verdicts of sessions in which calls are refused."""
_MUTE_SECONDS = {"day": 86_400.0, "good": None}


def allow(session: SessionOverview, given: Mapping[str, Any]) -> str:
    """Let a session run what was refused."""
    _check(session)
    was_refused, repeats = session.verdict in REFUSING, orders.allow(session)
    remembered = f" May repeat in this project: {', '.join(repeats)}." if repeats else ""
    return f"{'Refused calls may run again' if was_refused else 'Counting starts again'}.{remembered}"


def mute(session: SessionOverview, given: Mapping[str, Any]) -> str:
    """Mute a detector in this project: nothing follows from its findings."""
    detector, time = given.get("detector"), given.get("for")
    known = {finding.detector for finding in session.findings} | {decision.reason for decision in session.decisions}
    if not isinstance(detector, str) or detector not in known:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "`detector` must be one that has found something in this session")
    if detector in LIMITS:
        raise RefusedError(
            HTTPStatus.BAD_REQUEST, f"{detector} is about a limit that you set; change the limit instead"
        )
    if not isinstance(time, str) or time not in _MUTE_SECONDS:
        raise RefusedError(HTTPStatus.BAD_REQUEST, '`for` must be "day" or "good"')
    project = orders.mute(session.cwd, detector, _MUTE_SECONDS[time])
    return f"{detector} is muted in {project}{' for a day' if time == 'day' else ''}."


def stop(session: SessionOverview, given: Mapping[str, Any]) -> str:
    """Stop an agent."""
    _check(session)
    if session.ended:
        raise RefusedError(HTTPStatus.CONFLICT, "this session has ended")
    orders.stop(session)
    if orders.ends_at_once(session):
        return "The run is stopped at its next event. After that, the next message of its user starts it again."
    return "The run is stopped at its next call, until you send a message in the session."


def _check(session: SessionOverview) -> None:
    if not orders.can_be_told(session):
        why = "this session is known from telemetry only, so nothing can be sent to it"
        raise RefusedError(HTTPStatus.CONFLICT, why)


ORDERS: dict[str, Order] = {"allow": allow, "mute": mute, "stop": stop}
