"""What a person can tell a session from the dashboard; each returns one sentence that says what was done."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from headway.hosts.hook import orders
from headway.serve.guards import RefusedError
from headway.store.overview import SessionOverview

Order = Callable[[SessionOverview, Mapping[str, Any]], str]


def allow(session: SessionOverview, given: Mapping[str, Any]) -> str:
    """Let a session run what was refused."""
    orders.allow(session)
    return "Refused calls may run again."


def mute(session: SessionOverview, given: Mapping[str, Any]) -> str:
    """Say nothing more about one detector in this project."""
    raise RefusedError(HTTPStatus.NOT_IMPLEMENTED, "this Headway cannot mute a detector yet")


def stop(session: SessionOverview, given: Mapping[str, Any]) -> str:
    """Stop an agent."""
    raise RefusedError(HTTPStatus.NOT_IMPLEMENTED, "this Headway cannot stop a session yet")


ORDERS: dict[str, Order] = {"allow": allow, "mute": mute, "stop": stop}
