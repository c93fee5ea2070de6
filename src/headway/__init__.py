"""Is your agent making headway? Headway watches an AI agent and says what to do about it.

>>> from headway import Monitor
>>> monitor = Monitor()
>>> decision = monitor.called("Read", {"file_path": "src/auth.py"}, call="c1")
>>> decision = monitor.returned("c1", output="def login(): ...")
>>> decision.action == "continue"
True
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from headway.config.settings import Settings, SettingsError
    from headway.core.call import Call
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
        Ticked,
        ToolCalled,
        ToolReturned,
        TurnEnding,
        Used,
        UserSpoke,
        decode_event,
        encode_event,
    )
    from headway.core.finding import Finding, Severity
    from headway.core.iteration import FileChanges, Iteration, Measurements
    from headway.core.session import Session
    from headway.core.step import Step
    from headway.hosts.guard import guard
    from headway.hosts.stopped import RunStopped
    from headway.monitor import Monitor, SavedStateError
    from headway.seeds import MonitoredSession

__version__ = "0.2.0"

__all__ = [
    "Action", "Advised", "AgentSpoke", "Call", "ContextCompacted", "Decision", "Detector", "Event", "EventError",
    "FileChanges", "Finding", "Iteration", "IterationEnded", "Measurements", "Monitor", "MonitoredSession",
    "Outcome", "RunEnded", "RunStarted", "RunStopped", "SavedStateError", "Session", "Settings", "SettingsError",
    "Severity", "Step", "Stopped", "Ticked", "ToolCalled", "ToolReturned", "TurnEnding", "Used", "UserSpoke",
    "decode_event", "encode_event", "guard", "state",
]  # fmt: skip

_PLACES = {
    "config.settings": ("Settings", "SettingsError"),
    "core.call": ("Call",),
    "core.decision": ("Action", "Decision"),
    "core.detector": ("Detector", "state"),
    "core.engine": ("Outcome",),
    "core.finding": ("Finding", "Severity"),
    "core.iteration": ("FileChanges", "Iteration", "Measurements"),
    "core.session": ("Session",),
    "core.step": ("Step",),
    "hosts.guard": ("guard",),
    "hosts.stopped": ("RunStopped",),
    "monitor": ("Monitor", "SavedStateError"),
    "seeds": ("MonitoredSession",),
}
"""Where names come from, `core.events` aside. Imported when asked for: many hook calls need none of them."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'headway' has no attribute {name!r}")
    from importlib import import_module

    place = next((place for place, names in _PLACES.items() if name in names), "core.events")
    value = globals()[name] = getattr(import_module(f"headway.{place}"), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
