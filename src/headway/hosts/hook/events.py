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

    def __init__(self, host: Host, heard: HookEvent, notes: Notes, waiting: "Mapping[str, Call]") -> None:
        self.host, self.heard, self.notes = host, heard, notes
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
        heard = list(self._heard())
        return heard + overdue if self.heard.moment == BEFORE else overdue + heard

    def start(self) -> Event:
        """The session begins."""
        heard = self.heard
        return events.RunStarted(root=heard.cwd or None, model=heard.model, program=self.host.name, at=heard.at)

    def _heard(self) -> "Iterator[Event]":
        heard, notes = self.heard, self.notes
        if heard.moment == START:
            yield self.start()
        elif heard.moment in (PROMPT, TASK):
            notes.start_turn()
            yield events.UserSpoke(text=heard.text, at=heard.at)
        elif heard.moment == COMPACTED:
            yield events.ContextCompacted(at=heard.at)
        elif heard.moment == TURN_END:
            yield from self._turn_end()
        elif heard.moment == ANSWERED:
            yield from self._answered()
        elif heard.moment == SESSION_END:
            yield events.RunEnded(at=heard.at)
        else:
            yield from self._calls()

    def _turn_end(self) -> "Iterator[Event]":
        heard, notes = self.heard, self.notes
        goes_on = self.host.can.hold and not (notes.ended or notes.halted or notes.off or heard.agent or heard.again)
        notes.end_batch()
        notes.ended = True
        if heard.text:
            yield events.AgentSpoke(text=heard.text, at=heard.at)
        if goes_on:
            yield events.TurnEnding(text=heard.text, at=heard.at)
        if heard.agent:  # its task is over; whatever comes next is another task
            notes.start_turn()
            yield events.UserSpoke(at=heard.at)

    def _answered(self) -> "Iterator[Event]":
        """What the model used and said."""
        heard = self.heard
        if any(heard.used.values()):
            yield events.Used(at=heard.at, **heard.used)
        if heard.text.strip():
            yield events.AgentSpoke(text=heard.text, at=heard.at)

    def _calls(self) -> "Iterator[Event]":
        """Calls that are announced or returned: first all calls of a batch, then their results."""
        notes, heard = self.notes, self.heard
        results: list[Event] = []
        for use in heard.uses:
            if (heard.moment == BATCH and use.id in notes.done) or notes.was_refused(use):
                continue
            if heard.moment == BEFORE:
                self.asking, self.batch = notes.announce(use)
                if self.host.may_go_unreported(use):
                    notes.expect(self.asking)
                yield self._called(use, self.asking, self.batch)
            else:
                *asked, result = self._returned(use)
                results.append(result)
                yield from asked
        yield from results
        if heard.moment == BATCH:
            notes.end_batch()

    def _called(self, use: ToolUse, id: str, batch: str) -> Event:
        return events.ToolCalled(call=id, tool=use.tool, args=dict(use.args), batch=batch, at=self.heard.at)

    def _returned(self, use: ToolUse) -> "Iterator[Event]":
        """A call returned. If a person was asked about it, the result shows what the person said."""
        notes, result = self.notes, self.host.result(use, self.heard)
        if self.heard.moment == BATCH and not notes.was_announced(use):
            self.unannounced = use.id
        id, batch = notes.close(use)
        if why := notes.asked_why(use):
            notes.start_turn()
            if result.get("denied"):
                notes.halted = f"{why} {REPORT}"
            else:
                notes.allow(use)
                yield events.UserSpoke(at=self.heard.at)
        yield self._called(use, id, batch)
        yield events.ToolReturned(call=id, at=self.heard.at, **result)

    def _overdue(self) -> list[Event]:
        """Results of calls that were announced and never reported, if they are over."""
        found: list[Event] = []
        heard, notes = self.heard, self.notes
        for id in notes.unreported if heard.moment not in (AFTER, BATCH) else ():  # this may be the report
            is_over = heard.moment in ENDS_A_TASK or (heard.moment == BEFORE and notes.is_over(id, heard.uses[0]))
            call = self.waiting.get(id)
            result = None if call is None else self.host.unreported(call, heard, is_over)
            if result is not None:
                found.append(events.ToolReturned(call=id, at=heard.at, **result))
            if result is not None or call is None:
                notes.drop(id)
        return found
