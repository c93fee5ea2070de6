"""Is your agent making headway? Headway watches an AI agent and says what to do about it.

>>> from headway import Monitor
>>> monitor = Monitor()
>>> decision = monitor.called("Read", {"file_path": "src/auth.py"}, call="c1")
>>> decision = monitor.returned("c1", output="def login(): ...")
>>> decision.action == "continue"
True
"""

from typing import TYPE_CHECKING, Any

from headway.config.settings import Settings, SettingsError
from headway.core.decision import Action, Decision
from headway.core.detector import Detector, state
from headway.core.engine import Outcome
from headway.core.events import (
    Advised,
    AgentSpoke,
    ContextCompacted,
    Event,
    EventError,
    IterationEnded,
    RunEnded,
    RunStarted,
    Stopped,
    ToolCalled,
    ToolReturned,
    Used,
    UserSpoke,
    decode_event,
    encode_event,
)
from headway.core.finding import Finding, Severity
from headway.core.iteration import Iteration, Measurements
from headway.core.session import Session
from headway.core.step import Call, Step
from headway.monitor import Monitor, SavedStateError

if TYPE_CHECKING:
    from headway.hosts.guard import RunStopped, guard

__version__ = "0.1.0"

__all__ = [
    "Action", "Advised", "AgentSpoke", "Call", "ContextCompacted", "Decision", "Detector", "Event", "EventError",
    "Finding", "Iteration", "IterationEnded", "Measurements", "Monitor", "Outcome", "RunEnded", "RunStarted",
    "RunStopped", "SavedStateError", "Session", "Settings", "SettingsError", "Severity", "Step", "Stopped",
    "ToolCalled", "ToolReturned", "Used", "UserSpoke", "decode_event", "encode_event", "guard", "state",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load `guard` where it is used: a hook that runs at every step of an agent must not pay for it."""
    if name not in ("guard", "RunStopped"):
        raise AttributeError(f"module 'headway' has no attribute {name!r}")
    from headway.hosts import guard as module

    return getattr(module, name)
