"""Transcripts of Windsurf's agent Cascade: `~/.windsurf/transcripts/<trajectory>.jsonl`, one step on each line.

Windsurf writes them if a hook for `post_cascade_response_with_transcript` is set. A step has its kind under `type`,
and its input and result in an object of that name. There are no times, no tokens and no ids. What the user does in the
editor is among the steps: commands in the terminal and opened files look like the agent's own. Steps after which the
agent does nothing more before the user's next message are considered the user's, and left out.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.values import Record, fields, text
from headway.sources import Head, Source, readable
from headway.sources.encrypted import is_encrypted, why_unread

_SPOKEN = frozenset(("user_input", "planner_response"))
_ASIDE = frozenset((
    "checkpoint", "ephemeral_message", "error_message", "conversation_history", "system_message", "suggested_responses",
    "inform", "clipboard", "lint_diff", "add_annotation",
))  # fmt: skip
"""What the editor notes between the steps."""
_OUTCOME = frozenset(("output", "content", "exit_code", "total_results", "user_rejected", "acknowledgement_type"))
_BEFORE = frozenset(("original_content",))
"""What a file was before an edit: neither given to the step nor its result."""
_BY_THE_AGENT = re.compile(r"<file name=")
"""The beginning of a file that the agent requested; a file that the user opened has no such tag."""
_MOST = 100
"""Steps in a row that may be the user's; more are the agent's."""
_FILE = "file://"


class Windsurf:
    """Transcripts of Cascade."""

    name = "windsurf"
    title = "Windsurf (Cascade) transcripts"

    def recognises(self, head: Head) -> bool:
        """By a message of the user or the agent in an object named after its kind; a folder, by its encrypted files."""
        if not head.data:
            return is_encrypted(head.names)
        return _is_step(head.first) and any(_is_step(one) and one["type"] in _SPOKEN for one in head.records)

    def read(self, source: Source) -> Iterator[Event]:
        """One run."""
        if source.is_folder:
            source.skip(why_unread(source.path))
            return
        talk = Conversation(_name(source))
        yield talk.started(None, "windsurf")
        waiting: list[Record] = []
        for record in source.records():
            if not _is_step(record):
                source.skip("not a step: it has no object named after its type")
            elif _may_be_the_users(record) and len(waiting) < _MOST:
                waiting.append(record)
            elif record["type"] == "user_input":
                waiting.clear()
                yield from _said(record, talk)
            elif record["type"] not in _ASIDE:
                for step in waiting:
                    yield from _step(step, talk)
                waiting.clear()
                yield from _said(record, talk) if record["type"] in _SPOKEN else _step(record, talk)


def _name(source: Source) -> str:
    """The trajectory, after which the file is named."""
    return readable(source.path.name).split(".")[0] if source.path else ""


def _is_step(record: Record) -> bool:
    kind = record.get("type")
    return isinstance(kind, str) and isinstance(record.get(kind), dict)


def _may_be_the_users(record: Record) -> bool:
    kind = record["type"]
    return kind == "run_command" or (
        kind == "view_file" and not _BY_THE_AGENT.match(text(record["view_file"].get("content")))
    )


def _said(record: Record, talk: Conversation) -> Iterator[Event]:
    is_user = record["type"] == "user_input"
    said = text(record[record["type"]].get("user_response" if is_user else "response"))
    if said:
        yield (events.UserSpoke if is_user else events.AgentSpoke)(run=talk.run, text=said)


def _step(record: Record, talk: Conversation) -> Iterator[Event]:
    kind, about = record["type"], fields(record[record["type"]])
    given = {name: _plain(value) for name, value in about.items() if name not in _OUTCOME | _BEFORE}
    talk.turn()
    yield talk.asked("", kind, given)
    call = next(reversed(talk.open))
    output, code, status = _output(about), about.get("exit_code"), record.get("status")
    denied = about.get("user_rejected") is True
    if status == "error" or denied or (output is not None and status == "done"):
        talk.open.pop(call)
        yield events.ToolReturned(
            run=talk.run,
            call=call,
            output=output or "",
            failed=True if status == "error" else None,
            exit_code=code if type(code) is int else None,
            denied=denied,
            hits=found if type(found := about.get("total_results")) is int and found >= 0 else None,
        )
    else:
        yield talk.unrecorded(call)


def _output(about: Record) -> str | None:
    """The result of a step; None if it was not recorded. Commands and searches leave out an empty output."""
    for name in ("output", "content"):
        if isinstance(about.get(name), str):
            return str(about[name])
    return "" if type(about.get("exit_code")) is int or about.get("total_results") == 0 else None


def _plain(value: object) -> object:
    """A path in place of the address of a file."""
    return unquote(value.removeprefix(_FILE)) if isinstance(value, str) and value.startswith(_FILE) else value
