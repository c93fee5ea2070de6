"""Transcripts of Antigravity's command line: `~/.gemini/antigravity-cli/brain/<id>/.system_generated/logs/`.

`transcript_full.jsonl` has a record for each step; a step that takes time is written again until it is over. Results
have no ids: they follow the answer that asked for them, in the order of its calls.
"""

from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of, output_of
from headway.shapes.values import Record, fields, items, text
from headway.sources import Head, Source, readable, seconds

_FULL = "transcript_full.jsonl"
_KEYS = {"step_index", "type", "source"}
_ASIDE = frozenset(("CHECKPOINT", "CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE"))
_BAD = frozenset(("ERROR", "FAILED"))
_OVER = frozenset(("DONE", *_BAD))


class Antigravity:
    """Transcripts of Antigravity."""

    name = "antigravity"
    title = "Antigravity CLI transcripts"

    def recognises(self, head: Head) -> bool:
        """By the file that has everything in it, or by records of steps."""
        if not head.data:
            return _FULL in head.names
        return head.first.keys() >= _KEYS and type(head.first["step_index"]) is int

    def read(self, source: Source) -> Iterator[Event]:
        """One run."""
        file = source.member(_FULL) if source.is_folder else source
        talk = Conversation(_name(file))
        yield talk.started(None, "antigravity")
        for record in _steps(file):
            yield from _events(record, talk)
        if file is not source:
            source.count_in(file)


def _name(file: Source) -> str:
    """The conversation's folder, which is named after it."""
    parts = file.path.absolute().parts if file.path else ()
    return readable(parts[-4]) if parts[-3:-1] == (".system_generated", "logs") else ""


def _steps(file: Source) -> list[Record]:
    """The steps in order, each as it was when it was over."""
    found: dict[int, Record] = {}
    last: dict[tuple[int, str, str], int] = {}
    for number, record in enumerate(file.records()):
        index = record.get("step_index")
        if type(index) is not int:
            file.skip("no step")
            continue
        key = (index, text(record.get("type")).upper(), text(record.get("source")).upper())
        if key in last and text(found[last[key]].get("status")).upper() not in _OVER:
            del found[last[key]]
        last[key] = number
        found[number] = record
    return [found[number] for number in sorted(found, key=lambda number: (found[number]["step_index"], number))]


def _events(record: Record, talk: Conversation) -> Iterator[Event]:
    kind, at = text(record.get("type")).upper(), seconds(record.get("created_at"))
    said = output_of(record.get("content"))
    if kind == "USER_INPUT":
        yield events.UserSpoke(run=talk.run, at=at, text=said)
    elif kind == "PLANNER_RESPONSE":
        talk.open.clear()  # an answer that was cut off must not shift the results of the next
        if said:
            yield events.AgentSpoke(run=talk.run, at=at, text=said)
        batch = talk.turn()
        for call in map(fields, items(record.get("tool_calls"))):
            yield talk.asked("", text(call.get("name")), arguments_of(call.get("args")), batch, at)
    elif kind not in _ASIDE and talk.open:
        yield _result(record, said, talk, at)


def _result(record: Record, said: str, talk: Conversation, at: float | None) -> Event:
    code = record.get("exit_code", record.get("exitCode"))
    status = text(record.get("status")).upper()
    failed = True if status in _BAD else None if code or status != "DONE" else False
    output = said or output_of(record.get("error"))
    return talk.answered("", "", output, failed, code if type(code) is int else None, at)
