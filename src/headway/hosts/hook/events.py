"""Translates one hook event into Headway's events, including results of calls that no program reports."""

from headway.core import events
from headway.core.call import Call
from headway.core.events import Event
from headway.hosts.hook.event import (
    AFTER,
    ANSWERED,
    BATCH,
    BEFORE,
    COMPACTED,
    NEWS,
    PROMPT,
    SESSION_END,
    START,
    TASK,
    TURN_END,
    HookEvent,
    ToolUse,
)
from headway.hosts.hook.host import Host
from headway.hosts.hook.notes import Notes
from headway.policy.wording import REPORT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ENDS_A_TASK = (TURN_END, TASK, PROMPT, SESSION_END)
"""Moments after which no result of an earlier call is reported any more."""


class EventTranslator:
    """Headway's events for one hook event."""

    def __init__(self, host: Host, hook_event: HookEvent, notes: Notes, waiting: "Mapping[str, Call]") -> None:
        self.host, self.hook_event, self.notes = host, hook_event, notes
        self.waiting = waiting
        """Calls without a result, by id."""
        self.asking = self.batch = ""
        """The call that is requested now, and its batch."""
        self.unannounced = ""
        """A call that returned without an announcement. Claude Code announces none with invalid arguments."""

    def in_order(self) -> list[Event]:
        """The events, and overdue results of earlier calls. Overdue results come first unless a call is requested.

        An agent that requests a call does not know yet what follows from overdue results.
        """
        overdue = self._overdue()
        translated = list(self._translated())
        return translated + overdue if self.hook_event.moment == BEFORE else overdue + translated

    def start(self) -> Event:
        """The session begins."""
        hook_event = self.hook_event
        return events.RunStarted(
            root=hook_event.cwd or None, model=hook_event.model, program=self.host.name, at=hook_event.at
        )

    def _translated(self) -> "Iterator[Event]":
        hook_event, notes = self.hook_event, self.notes
        if hook_event.moment == START:
            yield self.start()
        elif hook_event.moment in (PROMPT, TASK):
            notes.start_turn()
            yield self._message(hook_event.sender)
        elif hook_event.moment == NEWS:
            notes.ended = False  # the agent begins to work again, and ends once more
            yield self._message("news")
        elif hook_event.moment == COMPACTED:
            yield events.ContextCompacted(at=hook_event.at)
        elif hook_event.moment == TURN_END:
            yield from self._turn_end()
        elif hook_event.moment == ANSWERED:
            yield from self._answered()
        elif hook_event.moment == SESSION_END:
            yield events.RunEnded(at=hook_event.at)
        else:
            yield from self._calls()

    def _message(self, kind: events.Sender) -> Event:
        return events.UserSpoke(text=self.hook_event.text, kind=kind, at=self.hook_event.at)

    def _turn_end(self) -> "Iterator[Event]":
        hook_event, notes = self.hook_event, self.notes
        goes_on = self.host.can.hold and not (
            notes.ended or notes.halted or notes.off or hook_event.agent or hook_event.again
        )
        notes.end_batch()
        notes.ended = True
        if hook_event.text:
            yield events.AgentSpoke(text=hook_event.text, at=hook_event.at)
        if goes_on:
            yield events.TurnEnding(text=hook_event.text, at=hook_event.at)
        if hook_event.agent:  # its task is over; whatever comes next is another task
            notes.start_turn()
            yield events.UserSpoke(at=hook_event.at)

    def _answered(self) -> "Iterator[Event]":
        """What the model used and said."""
        hook_event = self.hook_event
        if any(hook_event.used.values()):
            yield events.Used(at=hook_event.at, **hook_event.used)
        if hook_event.text.strip():
            yield events.AgentSpoke(text=hook_event.text, at=hook_event.at)

    def _calls(self) -> "Iterator[Event]":
        """Calls that are announced or returned: first all calls of a batch, then their results."""
        notes, hook_event = self.notes, self.hook_event
        results: list[Event] = []
        for use in hook_event.uses:
            if (hook_event.moment == BATCH and use.id in notes.done) or notes.was_refused(use):
                continue
            if hook_event.moment == BEFORE:
                self.asking, self.batch = notes.announce(use)
                if self.host.may_go_unreported(use):
                    notes.expect(self.asking)
                yield self._called(use, self.asking, self.batch)
            else:
                *asked, result = self._returned(use)
                results.append(result)
                yield from asked
        yield from results
        if hook_event.moment == BATCH:
            notes.end_batch()

    def _called(self, use: ToolUse, id: str, batch: str) -> Event:
        return events.ToolCalled(call=id, tool=use.tool, args=dict(use.args), batch=batch, at=self.hook_event.at)

    def _returned(self, use: ToolUse) -> "Iterator[Event]":
        """A call returned. If a person was asked about it, the result shows what the person said."""
        notes, result = self.notes, self.host.result(use, self.hook_event)
        if self.hook_event.moment == BATCH and not notes.was_announced(use):
            self.unannounced = use.id
        id, batch = notes.close(use)
        if why := notes.asked_why(use):
            notes.start_turn()
            if result.get("denied"):
                notes.halted = f"{why} {REPORT}"
            else:
                notes.allow(use)
                yield events.UserSpoke(at=self.hook_event.at)
        yield self._called(use, id, batch)
        yield events.ToolReturned(call=id, at=self.hook_event.at, **result)

    def _overdue(self) -> list[Event]:
        """Results of calls that were announced and never reported, if they are over."""
        found: list[Event] = []
        hook_event, notes = self.hook_event, self.notes
        for id in notes.unreported if hook_event.moment not in (AFTER, BATCH) else ():  # this may be the report
            is_over = hook_event.moment in ENDS_A_TASK or (
                hook_event.moment == BEFORE and notes.is_over(id, hook_event.uses[0])
            )
            call = self.waiting.get(id)
            result = None if call is None else self.host.unreported(call, hook_event, is_over)
            if result is not None:
                found.append(events.ToolReturned(call=id, at=hook_event.at, **result))
            if result is not None or call is None:
                notes.drop(id)
        return found
