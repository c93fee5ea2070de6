"""The topics, and what is written to them."""

from typing import Any

import msgspec

from headway.core.decision import Decision
from headway.core.events import Event
from headway.core.finding import Finding

EVENTS = "headway.events"
"""Events of all sessions. The key says which session, so that its events stay in order in one partition."""
FINDINGS = "headway.findings"
DECISIONS = "headway.decisions"
DEAD = "headway.dead"
"""Messages that are not events, each with the reason."""


class TopicMessage(msgspec.Struct, frozen=True):
    """One message to be written."""

    topic: str
    value: bytes


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A finding of one session: a message of `headway.findings`."""

    id: str
    """The same each time this event of this session is processed: drop a message whose id you know."""
    run: str
    agent: str
    step: int
    """Number of the latest step."""
    at: float | None
    """Time of the event that led to it."""
    finding: Finding


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """A decision other than `continue`: a message of `headway.decisions`. It lists its findings by id."""

    id: str
    """The same each time this event of this session is processed: drop a message whose id you know."""
    run: str
    agent: str
    step: int
    at: float | None
    action: str
    reason: str
    confidence: float
    message: str
    findings: tuple[str, ...] = ()
    """Detector and identity of each finding behind it."""
    back_to: int | None = None


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A message that is not an event of this session: a message of `headway.dead`."""

    reason: str
    key: str
    value: str
    """The first characters of the message."""
    partition: int | None = None
    offset: int | None = None


def decided(id: str, event: Event, step: int, decision: Decision) -> TopicMessage:
    """The message about a decision."""
    keys = tuple(finding.key for finding in decision.findings)
    told: dict[str, Any] = {name: getattr(decision, name) for name in ("reason", "confidence", "message", "back_to")}
    made = Decided(
        id=id, run=event.run, agent=event.agent, step=step, at=event.at, action=decision.action.value, findings=keys,
        **told,
    )  # fmt: skip
    return TopicMessage(DECISIONS, msgspec.json.encode(made))


def seen(id: str, event: Event, step: int, finding: Finding) -> TopicMessage:
    """The message about a finding."""
    found = Seen(id=id, run=event.run, agent=event.agent, step=step, at=event.at, finding=finding)
    return TopicMessage(FINDINGS, msgspec.json.encode(found))


LONGEST_REFUSED = 2_000
"""Characters of a refused message that are kept."""


def refused(
    reason: str, key: bytes | None, value: bytes | None, partition: int | None = None, offset: int | None = None
) -> TopicMessage:
    """The message about a message that cannot be processed."""
    told = Refused(
        reason=reason,
        key=(key or b"").decode("utf-8", "replace"),
        value=(value or b"")[:LONGEST_REFUSED].decode("utf-8", "replace"),
        partition=partition,
        offset=offset,
    )
    return TopicMessage(DEAD, msgspec.json.encode(told))
