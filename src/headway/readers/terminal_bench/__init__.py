"""Trials of Terminal-Bench: a folder with `results.json` and a recorded terminal, or a recording of a terminal alone.

Only the most detailed of these is read: the agent's own sessions in `agent-logs`, what it printed as JSON, the episodes
of Terminal-Bench's agent Terminus, or the recording (asciinema). A recording shows what was typed and the output; it
has no exit codes, and no steps of an agent with its own screen.
"""

from collections.abc import Iterator
from pathlib import Path

from headway.core import events
from headway.core.events import Event
from headway.readers.terminal_bench.cast import Cast
from headway.readers.terminal_bench.episodes import episodes
from headway.readers.terminal_bench.native import native_events
from headway.shapes.conversation import Conversation
from headway.shapes.values import Record, fields, text
from headway.sources import Head, Source, readable, seconds

_RESULTS, _CAST = "results.json", "sessions/agent.cast"
_TERMINAL = (_CAST, "sessions/agent.log", "panes/post-agent.txt")


class TerminalBench:
    """Trials of Terminal-Bench."""

    name = "terminal-bench"
    title = "Terminal-Bench trials (folders), asciinema recordings"

    def recognises(self, head: Head) -> bool:
        """By the results beside a recorded terminal; a recording by its header."""
        if not head.data:
            return _RESULTS in head.names and any(name in head.names for name in _TERMINAL)
        first = head.first
        has_size = {"width", "height"} <= first.keys() or isinstance(first.get("term"), dict)
        return first.get("version") in (2, 3) and type(first["version"]) is int and has_size and "timestamp" in first

    def read(self, source: Source) -> Iterator[Event]:
        """One run, or the agent's own sessions, each a run."""
        return _trial(source) if source.is_folder else _alone(source)


def _alone(source: Source) -> Iterator[Event]:
    talk = Conversation(readable(source.path.stem) if source.path else "")
    cast = Cast(source)
    yield talk.started(None, None, None, cast.began)
    yield from cast.events(talk)


def _trial(source: Source) -> Iterator[Event]:
    results = source.member(_RESULTS)
    known: Record = results.document(dict) or {}
    source.count_in(results)
    found = native_events(source)
    first = next(found, None)
    if first is not None:
        yield first
        yield from found
        return
    talk = Conversation(text(known.get("trial_name")) or (readable(source.path.name) if source.path else ""))
    ran = _ran_by(source.path)
    began = seconds(known.get("agent_started_at"))
    yield talk.started(ran.get("model_name"), ran.get("agent_name"), None, began)
    yield events.UserSpoke(run=talk.run, at=began, text=text(known.get("instruction")))
    yield from _steps(source, talk)
    usage = {"input_tokens": known.get("total_input_tokens"), "output_tokens": known.get("total_output_tokens")}
    yield from talk.used(usage, at=seconds(known.get("agent_ended_at")))


def _ran_by(trial: Path | None) -> Record:
    """What is known of the run that a trial belongs to, two folders above it."""
    path = trial.parent.parent / "run_metadata.json" if trial else None
    return fields(Source(path).document(dict)) if path and path.is_file() else {}


def _steps(source: Source, talk: Conversation) -> Iterator[Event]:
    found = episodes(source, talk)
    first = next(found, None)
    if first is not None:
        yield first
        yield from found
    elif _CAST in source.names:
        cast = source.member(_CAST)
        yield from Cast(cast).events(talk)
        source.count_in(cast)
