"""How a program is started for one short conversation with a scripted model."""

from collections.abc import Mapping
from typing import Any, NamedTuple

PROMPT = "Run one command."
COMMAND = "echo headway"
"""What the model asks for: it looks at nothing and changes nothing."""
KEY = "scripted"
"""In place of every key, model and name of a service: nothing real is passed on."""


class Start(NamedTuple):
    """One way to start a program offline."""

    arguments: tuple[str, ...]
    """Everything after the program's name."""
    tool: str
    """What the model calls to run a command."""
    call: Mapping[str, Any]
    environment: Mapping[str, str] = {}
    files: Mapping[str, Any] = {}
    """Settings that it needs to run at all, below a home of its own: a text, or data to put into a JSON file."""
    machine: tuple[str, ...] = ()
    """Machine-wide files that would still apply. If one exists, nothing is started."""
