"""What a hook stores about a session besides its monitor: running calls, seen events, and delivered messages.

The notes are plain, bounded data, stored as JSON. An event that needs only the notes does not need the engine.
"""

from headway.hosts.abilities import ENFORCE
from headway.hosts.hook.event import AFTER, BEFORE, PROMPT, HookEvent, HookReply, ToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from headway.core.events import Event

REMEMBERED = 128
"""Maximum number of calls and events to store."""
LATEST_IDS = 32
"""Maximum number of event ids to store: an event is sent again at once or never."""
LATEST_REPLIES = 4
MOST_TOLD = 2
"""Maximum number of messages to repeat after a compaction."""


class _Kept:
    """An attribute of `Notes` that is stored in the dictionary under a name."""

    def __init__(self, name: str, default: "Any") -> None:
        self.name, self.default = name, default

    def __get__(self, notes: "Notes", owner: type) -> "Any":
        return notes.kept.get(self.name, self.default)

    def __set__(self, notes: "Notes", value: "Any") -> None:
        notes.kept[self.name] = value


class Notes:
    """The notes of one session, over the dictionary they are stored in."""

    halted = _Kept("halted", "")
    """Why the run was stopped, until the user's next message."""
    halted_in = _Kept("halted_in", ENFORCE)
    """The weakest mode in which that stop applies; `observe` for a person's stop."""
    halted_by = _Kept("halted_by", "")
    """The machine-readable reason of that stop; empty for the stop of a person."""
    stop_is_due = _Kept("stop_is_due", False)
    """Whether a person stopped the run and no event was answered with that yet."""
    would_be_stopped = _Kept("would", False)
    """Whether the mode prevented a stop in this turn."""
    pending_nudge = _Kept("owed", "")
    """A nudge that could not be delivered when it was decided."""
    off = _Kept("off", False)
    """Whether a person has turned Headway off for this session."""
    began = _Kept("began", 0)
    """Bytes that the session's transcript had when the session began; they are of an earlier one."""
    remark = _Kept("remark", "")
    """A message for the person that was not shown yet."""
    ended = _Kept("ended", False)
    """Whether the end of the turn was reported, with no call since. Some hosts report it twice."""

    def __init__(self, kept: "dict[str, Any]") -> None:
        self.kept = kept

    # Events that come twice

    def remember(self, hook_event: HookEvent) -> bool:
        """Record an event; False if the same event came before."""
        if self._was_taken_in("queued", hook_event.queued, REMEMBERED) or self._was_taken_in(
            "ids", hook_event.id, LATEST_IDS
        ):
            return False
        marks = [mark for mark in _marks(hook_event) if mark]
        seen: list[str] = self.kept.setdefault("seen", [])
        if not marks or hook_event.moment not in (BEFORE, AFTER, PROMPT):
            return True
        if all(mark in seen for mark in marks):
            return False
        self.kept["seen"] = (seen + marks)[-REMEMBERED:]
        return True

    def _was_taken_in(self, where: str, id: str, most: int) -> bool:
        """Whether another process has already handled an event; if not, record it."""
        taken: list[str] = self.kept.get(where, [])
        if id in taken:
            return True
        if id:
            self.kept[where] = [*taken, id][-most:]
        return False

    def numbered(self, event: "Event") -> "Event":
        """An event with the next number of its session, for other machines."""
        from msgspec.structs import replace

        self.kept["sent"] = self.kept.get("sent", 0) + 1
        return replace(event, seq=self.kept["sent"])

    def keep_reply(self, id: str, reply: HookReply | None) -> None:
        """Store the reply to an event that may be sent again."""
        if id and reply is not None:
            replies = {**self.kept.get("replies", {}), id: [reply.action, reply.message, reply.again, reply.reason]}
            self.kept["replies"] = dict(list(replies.items())[-LATEST_REPLIES:])

    def reply_to(self, id: str) -> HookReply | None:
        """The reply that an event got the first time."""
        kept = self.kept.get("replies", {}).get(id)
        return None if kept is None else HookReply(*kept)

    # Calls under way

    def announce(self, use: ToolUse) -> tuple[str, str]:
        """Record that a call is about to run; returns its id and its batch.

        Calls that are announced before any of their results belong together, unless the host says which do.
        """
        id = use.id
        if not id:
            self.kept["count"] = self.kept.get("count", 0) + 1
            id = f"{call_key(use)}-{self.kept['count']}"
        batch: str = use.batch or self.kept.get("joining") or id
        self.kept["joining"] = batch
        self.ended = False
        calls: dict[str, str] = self.kept.setdefault("calls", {})
        calls[id] = batch
        for old in list(calls)[:-REMEMBERED]:
            del calls[old]
        return id, batch

    def close(self, use: ToolUse) -> tuple[str, str]:
        """Record that a call returned; returns the same id and batch, even if the host gave no id."""
        calls: dict[str, str] = self.kept.setdefault("calls", {})
        id = use.id or self._announced(use) or self.announce(use)[0]
        self.kept["joining"] = None
        self.ended = False
        self._forget("unreported", id)
        self.kept["done"] = [*self.done, id][-REMEMBERED:]
        return id, calls.pop(id, use.batch or id)

    def was_announced(self, use: ToolUse) -> bool:
        """Whether a call was announced before it ran."""
        return use.id in self.kept.get("calls", ())

    def _announced(self, use: ToolUse) -> str:
        """The id that an equal call got when it was announced."""
        beginning = f"{call_key(use)}-"
        return next((id for id in self.kept["calls"] if id.startswith(beginning)), "")

    def expect(self, id: str) -> None:
        """Record a call whose result may never be reported."""
        self._remember("unreported", id)

    @property
    def unreported(self) -> list[str]:
        """Ids of such calls whose result is unknown."""
        return list(self.kept.get("unreported", ()))

    def is_over(self, id: str, use: ToolUse) -> bool:
        """Whether a call can no longer be running, now that the model asks for `use`."""
        return self.kept["calls"].get(id) != self.kept.get("joining") or id.startswith(f"{call_key(use)}-")

    def drop(self, id: str) -> None:
        """Remove a call that no event will report any more."""
        self._forget("unreported", id)
        batch = self.kept.get("calls", {}).pop(id, None)
        if batch == self.kept.get("joining"):
            self.kept["joining"] = None

    def refuse(self, id: str, *, ends_batch: bool) -> None:
        """Record that Headway refused a call: its result is our own text. Without batch events, this ends its batch."""
        joining = self.kept.get("joining")
        self.drop(id)
        self.kept["joining"] = None if ends_batch else joining
        self._remember("refused", id)

    def was_refused(self, use: ToolUse) -> bool:
        """Whether a call returns that Headway refused."""
        return bool(use.id) and use.id in self.kept.get("refused", ())

    def ask(self, id: str, why: str) -> None:
        """Record that a person is asked whether a call may run."""
        self.kept["asked"] = {id: why}

    def asked_why(self, use: ToolUse) -> str:
        """Why a person was asked about a returning call; otherwise empty."""
        return str(self.kept.get("asked", {}).get(use.id, ""))

    def allow(self, use: ToolUse) -> None:
        """Record that a person let a call run. This applies until the user's next message."""
        self._remember("allowed", call_key(use))

    def is_allowed(self, use: ToolUse) -> bool:
        """Whether a person has allowed an equal call."""
        return call_key(use) in self.kept.get("allowed", ())

    def _remember(self, name: str, id: str) -> None:
        self.kept[name] = [*self.kept.get(name, ()), id][-REMEMBERED:]

    def _forget(self, name: str, id: str) -> None:
        if id in self.kept.get(name, ()):
            self.kept[name].remove(id)

    @property
    def done(self) -> list[str]:
        """Ids of the calls that returned."""
        done: list[str] = self.kept.get("done", [])
        return done

    def end_batch(self) -> None:
        """All calls of the batch have returned, or never will."""
        self.kept["joining"] = None
        self.kept["calls"] = {}
        self.kept["unreported"] = []

    # What was said

    def start_turn(self) -> None:
        """The user sent a message."""
        self.end_batch()
        self.halted = self.halted_by = self.pending_nudge = ""
        self.halted_in, self.would_be_stopped, self.stop_is_due = ENFORCE, False, False
        self.ended = False
        self.kept["told"] = []
        self.kept["asked"] = {}
        self.kept["allowed"] = []
        self.kept.pop("last_batch", None)

    def asks_again(self, batch: str) -> bool:
        """Whether the agent requests another call after one was refused because the run is stopped.

        Calls of the same batch as the first refused one do not count.
        """
        return bool(self.kept.setdefault("last_batch", batch) != batch)

    @property
    def told(self) -> list[str]:
        """The latest messages to the agent in this turn."""
        return list(self.kept.get("told", ()))

    def tell(self, message: str) -> None:
        """Record a message to the agent."""
        self.kept["told"] = [*(one for one in self.told if one != message), message][-MOST_TOLD:]

    @property
    def is_let_through(self) -> bool:
        """Whether a call ran although it should be refused, because the agent did not have the pending nudge yet."""
        return bool(self.pending_nudge) and self.kept.get("unheard") == self.pending_nudge

    def let_through(self) -> None:
        """Record that such a call runs now, once for each pending nudge."""
        self.kept["unheard"] = self.pending_nudge

    def hold(self, message: str) -> None:
        """Record that the agent was kept from ending its turn."""
        self.kept["said"] = ([*self.kept.get("said", []), message])[-8:]

    def is_ours(self, text: str) -> bool:
        """Whether a prompt is our own message at the end of a turn. Some hosts pass it on as the user's."""
        return any(said in text for said in self.kept.get("said", []))


def call_key(use: ToolUse) -> str:
    """What identifies a call that has no id: its tool and arguments."""
    try:
        text = repr((use.tool, _in_order(use.args)))
    except RecursionError:  # nested too deeply: only the names count
        text = repr((use.tool, sorted(map(str, use.args))))
    return _checksum(text)


def _checksum(text: str) -> str:
    from zlib import crc32  # most programs give their calls ids

    return f"{crc32(text.encode('utf-8', 'replace')):08x}"


def _in_order(args: "Mapping[str, Any]") -> "list[tuple[str, Any]]":
    return sorted(args.items(), key=lambda item: str(item[0]))


def _marks(hook_event: HookEvent) -> list[str]:
    """What identifies an event that comes twice; an empty text if nothing does."""
    if hook_event.moment == PROMPT:
        return [f"prompt {hook_event.mark} {_checksum(hook_event.text)}" if hook_event.mark else ""]
    ids = [use.id or (f"{call_key(use)} {hook_event.mark}" if hook_event.mark else "") for use in hook_event.uses]
    return [f"{hook_event.moment} {id}" if id else "" for id in ids]
