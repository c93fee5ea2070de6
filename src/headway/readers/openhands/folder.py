"""The folder of a conversation: its state beside its events, one in each file, and a folder for each sub-agent."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from headway.core.events import Event
from headway.readers.openhands.sdk import Conversation
from headway.readers.openhands.usage import Meter
from headway.sources import Source, readable
from headway.sources.branches import Branches


class _Link(Struct, gc=False):
    """What the tree is made of; older versions have no parents."""

    id: str = ""
    parent_id: str = ""


class _Model(Struct, gc=False):
    model: str | None = None


class _Agent(Struct, gc=False):
    llm: _Model | None = None


class _Workspace(Struct, gc=False):
    working_dir: str | None = None


class _Stats(Struct, gc=False):
    usage_to_metrics: dict[str, dict[str, Any]] = {}


class _State(Struct, gc=False):
    """The state file beside the events in a conversation's folder."""

    id: str | None = None
    agent: _Agent | None = None
    workspace: _Workspace | None = None
    stats: _Stats | None = None


def read_folder(source: Source, run: str = "", agent: str = "") -> Iterator[Event]:
    """The events of a conversation, and of those that its sub-agents had."""
    beside = source.member("base_state.json")
    state = beside.document(_State) or _State()
    source.count_in(beside)
    run = run or state.id or (readable(source.path.name) if source.path else "")
    model = state.agent.llm.model if state.agent and state.agent.llm else None
    yield from _files(source, Conversation(run, model, state.workspace.working_dir if state.workspace else None, agent))
    for inner in _subagents(source):
        yield from read_folder(inner, run, readable(inner.path.name) if inner.path else "")
        source.count_in(inner)
    if agent:
        return  # its usage is included in the main agent's
    for metrics in (state.stats.usage_to_metrics if state.stats else {}).values():
        yield from Meter(run).read(metrics)


def _files(source: Source, conversation: Conversation) -> Iterator[Event]:
    files = sorted((name for name in source.names if name.startswith("events/event-")), key=_position)
    links = (source.member(file).document(_Link) for file in files)
    conversation.branches = Branches((link.id, link.parent_id) for link in links if link and link.parent_id)
    for file in files:
        member = source.member(file)
        event = member.document(dict[str, Any])
        try:
            yield from conversation.events_of(event, member) if event is not None else ()
        except msgspec.ValidationError as error:
            member.skip(str(error))
        source.count_in(member)


def _subagents(source: Source) -> Iterator[Source]:
    """The conversations below this one; a link could lead back to it."""
    folder = source.path / "subagents" if source.path else None
    for inner in sorted(folder.iterdir()) if folder is not None and folder.is_dir() else ():
        if inner.is_dir() and not inner.is_symlink():
            yield Source(inner)


def _position(name: str) -> tuple[int, str]:
    """Where a file stands: five digits are not always enough."""
    number = name.removeprefix("events/event-").partition("-")[0]
    return int(number) if number.isdecimal() and len(number) < 19 else 0, name
