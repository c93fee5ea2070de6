"""Processes one call of the hook: read an event, update the session, answer.

Most events need no evaluation: no call is refused before a nudge, and a batch whose calls have all returned is nothing
new. For those the session's notes are enough, and neither msgspec nor the engine is imported. No fault
disturbs the agent: nothing is printed, the exit code is 0, and the fault is logged.
"""

import _sqlite3 as sqlite3  # see store/errors.py
import json
import os
import sys
import time

from headway.hosts.abilities import MODES
from headway.hosts.hook.event import BATCH, BEFORE, TASK, WAITING, HookEvent, HookReply, NotUnderstoodError
from headway.hosts.hook.host import Host
from headway.hosts.hook.notes import Notes, call_key
from headway.hosts.hook.recognise import OTHER_NAMES, host_called, recognise
from headway.rolling.text import whole_characters
from headway.store.errors import NewerDatabaseError, is_busy, is_damage
from headway.store.queue import done, give_back, put, take, waiting
from headway.store.sessions import Row, SessionStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, BinaryIO

LARGEST_INPUT = 64_000_000
"""Maximum size of an event, in bytes."""
_DRAINED_AT_ONCE = 1 << 20
LONGEST_QUESTION = 200
"""Maximum number of characters of a program's question to store."""
TIME_FOR_WAITING = 1.0
"""Seconds after which a call processes no more waiting events."""
PATIENCE_FOR_WAITING = 1.0
"""Seconds to wait for the database while processing waiting events."""

USAGE = """Usage: headway hook [--agent NAME] [--mode MODE] [--interrupt]

Read one event of a live agent from stdin and write the answer to stdout, in the agent's own format. Agents run this;
`headway install NAME` adds it to their settings. It never fails: faults go to a log that `headway doctor` shows.

  --agent NAME   claude-code, codex, gemini, qwen, copilot, cursor, openhands, opencode, kilo, pi or cline
                 (default: recognised from the event)
  --mode MODE    observe, nudge or enforce, unless the setting policy.mode says otherwise (default: nudge)
  --interrupt    Codex only: interrupt the agent when it makes another call after a stop
  --help         show this help
"""


def main(arguments: "Sequence[str]", raw: bytes | None = None, id: str = "") -> int:
    """Answer one event, from stdin unless `raw` is given. Always returns 0."""
    if "--help" in arguments or "-h" in arguments:
        sys.stdout.write(USAGE)
        return 0
    try:
        answer = respond(_received(sys.stdin.buffer) if raw is None else raw, arguments, id)
        if answer:
            os.write(1, answer)
    except NewerDatabaseError as error:
        from headway.store.faults import note_once

        note_once("the database was left alone", str(error))  # log it only once, not at every step
    except NotUnderstoodError as error:
        from headway import __version__
        from headway.store.faults import NOT_UNDERSTOOD, note_once

        note_once(f"{NOT_UNDERSTOOD}{error} (Headway {__version__})")  # once for each version
    except BaseException as error:  # a fault of Headway must not reach the agent
        from headway.store.faults import note_fault

        note_fault(f"hook {' '.join(arguments)}"[:80].rstrip(), error)
    return 0


def _received(stdin: "BinaryIO") -> bytes:
    """Read all input, because the agent would fail if the hook ended while it is still writing."""
    raw = stdin.read(LARGEST_INPUT + 1)
    while len(raw) > LARGEST_INPUT and stdin.read(_DRAINED_AT_ONCE):
        pass
    return raw


class Request:
    """One event, read but not yet processed."""

    def __init__(self, host: Host, hook_event: HookEvent, route: str, data: "dict[str, Any]", interrupt: bool) -> None:
        self.host, self.hook_event, self.route, self.data, self.interrupt = host, hook_event, route, data, interrupt

    def answer(self, said: HookReply | None) -> bytes:
        """A reply in the host's own format; empty if there is nothing to say."""
        answer = None if said is None else self.host.reply(self.hook_event, said)
        return b"" if answer is None else json.dumps(answer).encode()

    def interrupts(self, said: HookReply | None) -> bool:
        """Whether to interrupt the agent, because it requests another call after a stop."""
        return self.interrupt and said is not None and said.again


def respond(raw: bytes, arguments: "Sequence[str]" = (), id: str = "") -> bytes:
    """The answer to one event as bytes; empty if there is nothing to say.

    An event with an `id` may be sent again if it is unknown whether it was processed. It then gets the same answer.
    """
    request = read_request(raw, arguments, id)
    if request is None:
        return b""
    said = take_in(request)
    if request.interrupts(said):
        from headway.hosts.hook.interrupt import interrupt_parent

        interrupt_parent(request.host.name)
    return request.answer(said)


def read_request(raw: bytes, arguments: "Sequence[str]" = (), id: str = "") -> Request | None:
    """Read an event; None if Headway does not need it."""
    named, mode, interrupt = _options(arguments)
    if len(raw) > LARGEST_INPUT:
        raise ValueError(f"an event of more than {LARGEST_INPUT} bytes is not read")
    data = _read(raw, named or "an agent")
    host = recognise(data, named, os.environ)
    hook_event = host.event_from(data)
    if hook_event is None:
        return None
    hook_event.id, hook_event.mode = id or hook_event.id, mode
    return Request(host, hook_event, named or "", data, interrupt)


def _read(raw: bytes, sender: str) -> "dict[str, Any]":
    try:
        data = json.loads(whole_characters(raw))
    except (ValueError, RecursionError) as error:
        raise NotUnderstoodError(f"{sender} sent what is not JSON ({type(error).__name__})") from error
    if not isinstance(data, dict):
        raise NotUnderstoodError(f"{sender} sent JSON that is not an object but a {type(data).__name__}")
    return data


def take_in(request: Request) -> HookReply | None:
    """Process an event after the waiting ones. If the database stays busy, this event waits too."""
    hook_event = request.hook_event
    try:
        if waiting():
            take_in_waiting()
        return _taken_in(request.host, hook_event, request.route)
    except sqlite3.OperationalError as error:
        if not is_busy(error):
            raise
        from headway.rolling.secrets import masked

        waits = {"host": request.host.name, "route": request.route, "mode": hook_event.mode, "id": hook_event.id}
        put(waits | {"at": hook_event.at or time.time(), "data": masked(request.data)})
        return None


def take_in_waiting() -> None:
    """Process waiting events. An event that fails for another reason is logged and dropped."""
    began = time.monotonic()
    for name, event in take():
        try:
            host = host_called(event["host"])
            hook_event = host.event_from(event["data"])
            if hook_event is not None:
                hook_event.queued, hook_event.at = name, event["at"]
                hook_event.id, hook_event.mode = event.get("id", ""), event.get("mode", "")
                _taken_in(host, hook_event, event["route"], patience=PATIENCE_FOR_WAITING)
        except Exception as error:
            if isinstance(error, (sqlite3.DatabaseError, OSError)):
                give_back(name)
                raise
            from headway.store.faults import note_fault

            note_fault("a waiting event", error)
        done(name)
        if time.monotonic() - began > TIME_FOR_WAITING:
            return


def _taken_in(host: Host, hook_event: HookEvent, route: str, patience: float | None = None) -> HookReply | None:
    """Process an event. A damaged database is moved aside, and the session starts in a new one."""
    store = SessionStore(patience=patience)
    try:
        return _handle(store, host, hook_event, route)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        from headway.store.faults import note_fault

        note_fault("the database was moved aside", error)
        store.put_aside()
        return _handle(SessionStore(), host, hook_event, route)


def _handle(store: SessionStore, host: Host, hook_event: HookEvent, route: str) -> HookReply | None:
    try:
        store.prepare()
        return judge(store, host, hook_event, route)
    finally:
        store.close()


def judge(store: SessionStore, host: Host, hook_event: HookEvent, route: str) -> HookReply | None:
    """Process an event with an open database; returns the reply, or None."""
    if hook_event.agent_is_guess:
        hook_event.agent = _who_asked(store, host, hook_event)
    return None if _can_skip_engine(store, host, hook_event, route) else _engine()(store, host, hook_event, route)


def _who_asked(store: SessionStore, host: Host, hook_event: HookEvent) -> str:
    """The agent with an equal open call; the guessed agent, if it has one too or none has."""
    begins = f"{call_key(hook_event.uses[0])}-"
    kept = store.notes_of(host.name, hook_event.session)
    asked = [agent for agent, notes in kept if any(id.startswith(begins) for id in notes.get("calls", ()))]
    return hook_event.agent if hook_event.agent in asked or not asked else asked[-1]


def _engine() -> "Callable[[SessionStore, Host, HookEvent, str], HookReply | None]":
    """The part that decides."""
    from headway.hosts.hook.msgspec_import import import_msgspec

    import_msgspec()
    from headway.hosts.hook.watch import watch

    return watch


def _options(arguments: "Sequence[str]") -> tuple[str | None, str, bool]:
    """The agent, the mode, and whether to interrupt."""
    given, interrupt, words = {"--agent": "", "--mode": ""}, False, list(arguments)
    while words:
        word, equals, value = words.pop(0).partition("=")
        if word in given and (equals or words):
            given[word] = value if equals else words.pop(0)
        elif word == "--interrupt":
            interrupt = True
        else:
            raise ValueError(f"unknown option {word!r}; see `headway hook --help`")
    named, mode = given["--agent"], given["--mode"]
    if mode not in ("", *MODES):
        raise ValueError(f"unknown mode {mode!r}; expected {', '.join(MODES)}")
    return OTHER_NAMES.get(named, named) or None, mode, interrupt


def _can_skip_engine(store: SessionStore, host: Host, hook_event: HookEvent, route: str) -> bool:
    """Whether the notes are enough: nothing can be refused, or the event has nothing new."""
    key = (host.name, hook_event.session, hook_event.agent)
    if hook_event.moment == WAITING:
        _note_waiting(store, key, hook_event, route)
        return True
    if hook_event.moment == TASK:
        return store.find(key, light=True).id is None  # its first task, so nothing is stored about it
    if hook_event.moment not in (BEFORE, BATCH) or (
        hook_event.moment == BEFORE and _is_always_judged(host, hook_event)
    ):
        return False
    store.begin()
    row = store.find(key, light=True)
    notes = Notes(row.notes)
    if row.id is None or _needs_engine(hook_event, notes, bool(row.watchful)):
        store.roll_back()
        return False
    if row.route == route and notes.remember(hook_event):
        if hook_event.moment == BATCH:
            notes.end_batch()
        for use in hook_event.uses if hook_event.moment == BEFORE else ():
            notes.announce(use)
        question = host.question(hook_event)
        store.keep_notes(row, moment=hook_event.moment, waiting=question)
        if question:
            _note_due(store, row, hook_event, question)
    store.commit()
    return True


def _is_always_judged(host: Host, hook_event: HookEvent) -> bool:
    """Whether a call goes to the engine as soon as it is announced."""
    return not host.is_brief or host.may_go_unreported(hook_event.uses[0])


def _note_waiting(store: SessionStore, key: tuple[str, str, str], hook_event: HookEvent, route: str) -> None:
    """Record that a program asks a person. This needs no engine, and ends with the session's next event."""
    from headway.rolling.secrets import excerpt

    store.begin()
    row = store.find(key, light=True)
    if row.id is not None and row.route == route:
        asked = excerpt(hook_event.text, LONGEST_QUESTION) or "The program asks you something."
        store.keep_notes(row, moment=hook_event.moment, waiting=asked)
        _note_due(store, row, hook_event, asked)
    store.commit()


def _note_due(store: SessionStore, row: Row, hook_event: HookEvent, asked: str) -> None:
    """Record a notice for a person. The same question in one prompt counts once."""
    from headway.store.notices import NEEDS_YOU, record

    about = ",".join(use.id for use in hook_event.uses) or f"{asked} {row.notes.get('done', [])[-1:]}"
    record(store.connection, row.id, NEEDS_YOU, about, asked)


def _needs_engine(hook_event: HookEvent, notes: Notes, watchful: bool) -> bool:
    """Whether a call may be refused, a batch contains an unknown call, or this event was answered before."""
    if notes.reply_to(hook_event.id) is not None:
        return True
    return watchful if hook_event.moment == BEFORE else not all(use.id in notes.done for use in hook_event.uses)
