"""What a detector saw: a fact, never an action."""

from enum import StrEnum
from functools import lru_cache
from typing import Any, Literal

import msgspec

from headway.rolling.secrets import mask, masked


class Severity(StrEnum):
    """How much a finding weighs. Compare with `rank`: low < medium < high < critical."""

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
    """The call it is tied to."""
    repeats: tuple[int, ...] = ()
    """Fingerprints of the calls that make the loop: asking for one of them again is asking for more of it."""
    unit: Unit = "step"
    """Whether it was seen in a step, a round or a turn; the engine fills this in."""
    advisory: bool = False
    """It may be said, but is never a reason to block or stop."""

    def __post_init__(self) -> None:
        for name, value in self.evidence.items():
            if type(value) is list:  # what was saved as a tuple comes back as one
                self.evidence[name] = tuple(value)

    @property
    def key(self) -> str:
        """Detector and identity together: the name under which the ledger keeps it."""
        return f"{self.detector}:{self.identity}"


def checked(finding: object) -> Finding:
    """A detector's finding, made safe to keep; anything that is not one raises."""
    if not isinstance(finding, Finding):
        raise TypeError(f"a detector yields Findings, not {type(finding).__name__}")
    if not isinstance(finding.confidence, (int, float)) or not isinstance(finding.message, str):
        raise TypeError(f"{finding.detector}: confidence must be a number and message a text")
    finding = _without_secrets(finding)
    if _KEPT_AS_IT_IS.issuperset(map(type, finding.evidence.values())):
        return finding
    try:
        msgspec.msgpack.encode(finding)
    except (TypeError, ValueError, OverflowError):
        plain = {str(name): repr(value) for name, value in finding.evidence.items()}
        return msgspec.structs.replace(finding, evidence=plain)
    return finding


_NUMBERS = frozenset((int, float, bool, type(None)))
_KEPT_AS_IT_IS = frozenset((str, float, bool, type(None)))
"""What can be saved whatever its value is."""


def _without_secrets(finding: Finding) -> Finding:
    """Findings are shown, kept and told to the agent, and may quote a command or an error."""
    evidence = finding.evidence
    if not _NUMBERS.issuperset(map(type, evidence.values())):
        evidence = {
            name: _masked(value) if isinstance(value, str) else masked(value) for name, value in evidence.items()
        }
    message, identity = _masked(finding.message), _masked(finding.identity)
    if message == finding.message and identity == finding.identity and evidence == finding.evidence:
        return finding
    return msgspec.structs.replace(finding, message=message, identity=identity, evidence=evidence)


_masked = lru_cache(maxsize=512)(mask)
"""A detector says the same again at every step as long as it sees its pattern."""
