"""How a program is started for one short conversation with a scripted model."""

from collections.abc import Mapping
from typing import Any, NamedTuple

PROMPT = "Run one command."
COMMAND = "echo headway"
"""The command that the model asks for. It reads and changes nothing."""
KEY = "scripted"
"""Used for every key, model and service name. Nothing real is passed on."""


class Start(NamedTuple):
    """One way to start a program offline."""

    arguments: tuple[str, ...]
    """Everything after the program's name."""
    tool: str
    """The tool that the model calls to run a command."""
    call: Mapping[str, Any]
    environment: Mapping[str, str] = {}
    files: Mapping[str, Any] = {}
    """Settings that it needs to run at all, below its temporary home: text, or data for a JSON file."""
    machine: tuple[str, ...] = ()
    """Machine-wide files that would still apply. If one exists, nothing is started."""
