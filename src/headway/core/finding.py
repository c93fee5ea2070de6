"""What a detector saw: a fact, never an action."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from headway.rolling.secrets import mask, masked


class Severity(StrEnum):
    """How serious a finding is. Compare by `rank`: low < medium < high < critical."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for low up to 3 for critical."""
        return _RANKS[self]


_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


Unit = Literal["step", "round", "turn"]
"""What a finding is about, and therefore what its age is counted in."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One pattern, seen now."""

    detector: str
    severity: Severity
    confidence: float
    message: str
    """A counted fact and what it means, in at most two sentences."""
    clears: str = ""
    """What the agent can do so that it is no longer seen, in one sentence."""
    evidence: dict[str, Any] = {}
    identity: str = ""
    """Which loop, which file, which error: what makes this the same finding as an earlier one."""
    call: str | None = None
    """The call that it is about."""
    repeats: tuple[int, ...] = ()
    """Fingerprints of the calls that make up the loop: requesting one of them again continues it."""
    unit: Unit = "step"
    """Whether it was seen in a step, a round or a turn; the engine fills this in."""
    advisory: bool = False
    """It can lead to a nudge, but never to a block or a stop."""
    lasted: int = 0
    """For how long it has gone on, in what its detector counts; 0 if the detector does not say."""
    worth_saying: bool = False
    """It has gone on for so long that the agent is nudged, even if such findings are otherwise only recorded."""

    def __post_init__(self) -> None:
        for name, value in self.evidence.items():
            if type(value) is list:  # a saved tuple is loaded as a list
                self.evidence[name] = tuple(value)

    @property
    def key(self) -> str:
        """Detector and identity together: its key in the ledger."""
        return f"{self.detector}:{self.identity}"


def checked(finding: object, about: Mapping[str, str]) -> Finding:
    """A detector's finding, made safe to store, with details from the engine; raises TypeError for anything else."""
    if not isinstance(finding, Finding):
        raise TypeError(f"a detector yields Findings, not {type(finding).__name__}")
    if not isinstance(finding.confidence, (int, float)) or not isinstance(finding.message, str):
        raise TypeError(f"{finding.detector}: confidence must be a number and message a text")
    message, identity, evidence = _masked(finding.message), _masked(finding.identity), finding.evidence
    if not _NUMBERS.issuperset(map(type, evidence.values())):
        evidence = {name: _masked(value) if type(value) is str else masked(value) for name, value in evidence.items()}
    return replace(finding, message=message, identity=identity, evidence=_serialisable(evidence), **about)


_NUMBERS = frozenset((int, float, bool, type(None)))


def _serialisable(evidence: dict[str, Any]) -> dict[str, Any]:
    try:
        msgspec.msgpack.encode(evidence)
    except (TypeError, ValueError, OverflowError):
        return {str(name): repr(value) for name, value in evidence.items()}
    return evidence


_masked = lru_cache(maxsize=512)(mask)
"""Mask secrets: findings are displayed, stored and sent to the agent, and may quote a command or an error. Cached,
because a detector repeats its message at every step while it sees its pattern."""
