"""Reduce an event to what may leave the machine: digests in place of texts, unless the user allows their content.

A digest stands for what a detector would compare: two outputs that count as the same result have the same digest. It is
spelled in letters, because comparisons of results ignore numbers and ids. The event states whether a call failed and
how much a search found, because the output no longer shows it. Secrets that can be recognised are masked in
either case.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from headway.core import events
from headway.core.events import Event
from headway.core.repeats import result_digest
from headway.core.session import Session
from headway.rolling.normalise import digest
from headway.rolling.secrets import masked
from headway.rolling.text import clip

LONGEST_ARGUMENT = 200
"""Characters of an argument that leave the machine without its content."""
LONGEST_TEXT = 20_000
"""Characters of a text that leave the machine with its content."""
_TEXTS = ("text", "output", "reason")
"""Fields of events that hold what was said or printed."""

_NAMES = ("task", "model", "root", "targets", "outcome")
"""Fields of events that hold names and paths."""


def reduced(event: Event, session: Session, *, content: bool) -> Event:
    """Reduce an event that a session has just processed to what may leave the machine."""
    changes: dict[str, Any] = {"run": event.run or session.run, "agent": event.agent or session.agent}
    if isinstance(event, events.ToolCalled):
        changes["args"] = _arguments(event, session, content)
    elif isinstance(event, events.ToolReturned):
        changes |= _result(event, session, content)
    else:
        changes |= {name: masked(value) for name in _NAMES if (value := getattr(event, name, None))}
        for name in _TEXTS:
            if text := getattr(event, name, None):
                changes[name] = _clipped(text) if content else in_letters(digest(text))
    return msgspec.structs.replace(event, **changes)


def in_letters(number: int) -> str:
    """A digest in sixteen letters from a to p."""
    return "".join(chr(ord("a") + (number >> 4 * place & 15)) for place in range(15, -1, -1))


def _result(event: events.ToolReturned, session: Session, content: bool) -> dict[str, Any]:
    step = session.steps[-1] if session.steps and session.steps[-1].call.id == event.call else None
    known: dict[str, Any] = {"output": event.output and in_letters(digest(event.output))}
    if content:
        known = {"output": _clipped(event.output)}
    elif step is not None and event.output:
        known = {"output": in_letters(result_digest(step)), "failed": step.failed, "hits": step.hits}
    return known


def _arguments(event: events.ToolCalled, session: Session, content: bool) -> dict[str, Any]:
    """The arguments, with digests in place of long texts; a long command keeps its beginning."""
    asked = session.calls[-1] if session.calls and session.calls[-1].id == event.call else None
    command = _start(masked(asked.meaning.command)) if asked is not None and asked.meaning.command else None

    def short(text: str) -> str:
        if len(text) <= LONGEST_ARGUMENT:
            return text
        kept = LONGEST_ARGUMENT if command and command in "".join(text.split()) else 0
        return f"{text[:kept]}… {in_letters(digest(text))}"

    change = _clipped if content else short
    return {name: _each_text(value, change) for name, value in masked(event.args).items()}


def _start(command: str) -> str:
    """The beginning of a command without spaces, used to find the argument that contains it."""
    return "".join(command[:LONGEST_ARGUMENT].split())


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: _each_text(one, change) for name, one in value.items()}
    return [_each_text(one, change) for one in value] if isinstance(value, (list, tuple)) else value


def _clipped(text: str) -> str:
    """The beginning and end of a long text, with a digest of the whole text, so that different texts stay different."""
    shown: str = masked(clip(text, LONGEST_TEXT))
    return shown if len(text) <= LONGEST_TEXT else f"{shown}\n{in_letters(digest(text))}"
