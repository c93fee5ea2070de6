"""Sessions of Kimi CLI and of its successor Kimi Code: `wire.jsonl`, what the agent sent to its screen.

Kimi CLI stores it in `~/.kimi/sessions/<project>/<id>/`, beside `context.jsonl`, which has the same without times and
failures. Kimi Code stores one for each agent, in `~/.kimi-code/sessions/<project>/<id>/agents/<agent>/`.
"""

from collections.abc import Iterator

from headway.core.events import Event
from headway.readers.kimi.session import Session
from headway.shapes.values import fields, text
from headway.sources import Head, Source, readable

_WIRE, _CONTEXT = "wire.jsonl", "context.jsonl"


class Kimi:
    """Sessions of Kimi CLI and Kimi Code."""

    name = "kimi"
    title = "Kimi CLI and Kimi Code sessions"

    def recognises(self, head: Head) -> bool:
        """By the files of a session, by the version of the protocol, or by a message with its payload."""
        if not head.data:
            return {_WIRE, _CONTEXT} <= set(head.names)
        first = head.first
        if first.get("type") == "metadata":
            return "protocol_version" in first
        is_step = "agentId" in first and text(first.get("type")) == "context.append_loop_event"
        return is_step or {"type", "payload"} == fields(first.get("message")).keys()

    def read(self, source: Source) -> Iterator[Event]:
        """One agent of a run; in Kimi CLI's sessions also its sub-agents."""
        wire = source.member(_WIRE) if source.is_folder else source
        session = Session(*_names(wire))
        yield session.talk.started(None, "kimi")
        for record in wire.records():
            if "message" in record and "timestamp" in record:
                message = fields(record["message"])
                yield from session.wired(text(message.get("type")), fields(message.get("payload")), record["timestamp"])
            elif "type" in record:
                yield from session.logged(record)
            else:
                wire.skip("neither a message nor a type")
        if wire is not source:
            source.count_in(wire)


def _names(wire: Source) -> tuple[str, str]:
    """The session and the agent, from the names of the folders around the file, because it does not contain them."""
    path = wire.path
    if path is None or path.name != _WIRE:
        return "", ""
    folder = path.absolute().parent
    if folder.parent.name == "agents":
        return readable(folder.parent.parent.name), "" if folder.name == "main" else readable(folder.name)
    return readable(folder.name), ""
