"""The folder `storage` of older versions: a file for each session, message and part."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, field

from headway.core.events import Event
from headway.readers.opencode.parts import Info, MessagePart
from headway.readers.opencode.session import Session
from headway.sources import Source, readable


class _SessionFile(Struct, gc=False):
    id: str = ""
    parent: str | None = field(default=None, name="parentID")
    directory: str | None = None


def is_storage(names: tuple[str, ...]) -> bool:
    """Whether a folder is one: its sessions and messages lie one level deeper than names tell."""
    return "migration" in names and any(name.startswith("project/") for name in names)


def read_storage(source: Source) -> Iterator[Event]:
    """The events of all sessions, one after the other; none if they were moved to a database beside the folder."""
    top = source.path or Path()
    if (top.parent / "opencode.db").exists():
        source.told_by = readable(top.parent / "opencode.db")
        return
    files = [source.member(name) for name in _below(top, "session/*/*.json")]
    found = [one for file in files if (one := file.document(_SessionFile))]
    known = {one.id: (one.parent, one.directory) for one in found}
    for name in known:
        session = Session(name, known, source)
        for file in _below(top, f"message/{name}/*.json") if _is_name(name) else ():
            message = source.member(file)
            if info := message.document(Info):
                yield from session.message(info, info.id)
                yield from _parts(source, top, info.id, session)
            source.count_in(message)
        yield from session.flush()
    for member in files:
        source.count_in(member)


def _parts(source: Source, top: Path, message: str, session: Session) -> Iterator[Event]:
    for name in _below(top, f"part/{message}/*.json") if _is_name(message) else ():
        member = source.member(name)
        if part := member.document(MessagePart):
            yield from session.part(part)
        source.count_in(member)


def _is_name(name: str) -> bool:
    """Whether an id is a plain name, so that its folder cannot be elsewhere."""
    return name.replace("_", "").isalnum()


def _below(top: Path, pattern: str) -> list[str]:
    return sorted(file.relative_to(top).as_posix() for file in top.glob(pattern) if file.is_file())
