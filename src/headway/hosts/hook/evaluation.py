"""One hook event on its way through the monitor: events in, one delivery out."""

from headway.core.decision import CONTINUE, Action, Decision
from headway.core.events import Event
from headway.core.finding import Finding
from headway.hosts.abilities import NUDGE, OBSERVE
from headway.hosts.delivery import (
    AFTER_CALLS,
    HALTED,
    HELD_BACK,
    TOLD_BEFORE,
    Delivery,
    Situation,
    deliver,
    is_about_the_end,
    is_in_force,
    joined,
    weakest_mode,
)
from headway.hosts.hook.event import BATCH, BEFORE, START, TURN_END, HookEvent
from headway.hosts.hook.events import EventTranslator
from headway.hosts.hook.host import Host
from headway.hosts.hook.notes import Notes
from headway.monitor import Monitor
from headway.store.sessions import Row

CAN_WAIT = frozenset(("read", "search", "list", "run", "test", "build", "web"))
"""Kinds of calls that may be held back once: no change, and nothing that is under way."""


class Evaluation:
    """What one event of a session leads to."""

    def __init__(self, row: Row, monitor: Monitor, host: Host, heard: HookEvent, notes: Notes) -> None:
        self.row, self.monitor, self.host, self.heard, self.notes = row, monitor, host, heard, notes
        self.findings: list[Finding] = []
        self.steps_before = monitor.session.step_count
        self.decision = CONTINUE
        self.delivery = Delivery()
        self.saved = b""
        self.events = EventTranslator(host, heard, notes, monitor.session.pairing.waiting)
        self.again = False
        """The agent was refused a call because its run is stopped, and asks for another."""
        self.was_halted = bool(notes.halted)
        self.stops = False
        """The run is stopped by this event."""
        self.outgoing: list[tuple[str, bytes]] = []
        """Events to be sent to other machines, with their keys."""

    def feed_all(self) -> None:
        """Feed the events that were heard; of several decisions the strongest counts."""
        if self.row.id is None and self.heard.moment != START:
            self._feed(self.events.start())
        for event in self.events.in_order():
            self._feed(event)

    def settle(self) -> None:
        """Find out what to say now, and note it."""
        notes, heard = self.notes, self.heard
        now = self._situation()
        if notes.off or (self._is_allowed() and not now.stopped):
            return
        self.delivery = delivery = deliver(self.decision, self.host.can, now, self.mode)
        notes.pending_nudge = delivery.pending
        if delivery.would is not None and delivery.would.action.rank >= Action.STOP.rank:
            notes.would_be_stopped = True
        if delivery.lets_through:
            notes.let_through()
        if delivery.action is Action.STOP and delivery.reason != HALTED:
            notes.halted, notes.halted_in, self.stops = delivery.message, weakest_mode(self.decision), True
        if delivery.action is Action.NUDGE and delivery.reason not in (HELD_BACK, TOLD_BEFORE):
            notes.tell(delivery.message)
            if heard.moment == TURN_END:
                notes.hold(delivery.message)
        if heard.moment == BEFORE and not heard.queued:
            self._note_refusal()
        elif self.was_halted and self.events.unannounced:
            self.again = notes.asks_again(self.events.unannounced)

    def _feed(self, event: Event) -> None:
        forward = self.monitor.settings.forward
        if forward.kafka:
            event = self.notes.numbered(event)
        outcome = self.monitor.feed(event)
        if forward.kafka:
            self.outgoing.append(_outgoing(event, self.monitor, forward.content))
        self.findings += outcome.findings
        new, known = outcome.decision, self.decision
        if new.action is Action.NUDGE and known.action is Action.NUDGE:  # one is said now, the other one later
            self.decision, later = (new, known) if is_about_the_end(new) else (known, new)
            self.notes.pending_nudge = joined(self.notes.pending_nudge, later.message)
        elif new.action.rank > known.action.rank:
            self.decision = new

    @property
    def mode(self) -> str:
        """What Headway may do in this session."""
        return self.monitor.settings.policy.mode or self.heard.mode or NUDGE

    def _asks(self) -> bool:
        """Whether the agent asks for a call, or has asked for one that no event announced."""
        return self.heard.moment == BEFORE or bool(self.was_halted and self.events.unannounced)

    def _stopped(self) -> str:
        """Why the run is stopped, if that is to be said now. A person's stop is carried out at the first occasion."""
        notes = self.notes
        if not is_in_force(notes.halted_in, self.mode):
            return ""  # the mode was changed since
        after_call = self.is_stopped_by_hand and self.heard.moment in AFTER_CALLS
        return str(notes.halted) if self._asks() or after_call else ""

    @property
    def is_stopped_by_hand(self) -> bool:
        """Whether a person stopped this run."""
        return bool(self.notes.halted) and self.notes.halted_in == OBSERVE

    def _situation(self) -> Situation:
        notes, heard = self.notes, self.heard
        return Situation(
            moment=heard.moment,
            stopped=self._stopped(),
            would_be_stopped=bool(notes.would_be_stopped),
            forgotten=self._forgotten() if heard.compacted else "",
            pending=notes.pending_nudge,
            is_let_through=notes.is_let_through,
            follows_change=self._follows_change(),
            can_wait=self._can_wait(),
            is_heard=not heard.queued,
        )

    def _forgotten(self) -> str:
        """What the agent was told in this turn, and no longer has in its context."""
        halted, told = self.notes.halted, " ".join(self.notes.told)
        return f"this run was stopped. {halted}" if halted else f"you were told: {told}" if told else ""

    def _follows_change(self) -> bool:
        if BATCH not in self.host.moments.values():  # results come one by one, and this one would be known
            return False
        asking, batch = self.events.asking, self.events.batch
        waiting = self.monitor.session.pairing.waiting.items()
        return any(id != asking and call.batch == batch and call.meaning.changes for id, call in waiting)

    def _can_wait(self) -> bool:
        asking = self.monitor.session.asking
        return asking is not None and asking.meaning.kind in CAN_WAIT and self.host.can_wait(self.heard.uses[0])

    def _is_allowed(self) -> bool:
        """Whether a person has let all calls run that would be refused or end the run."""
        decision: Decision = self.decision
        if decision.action.rank <= Action.NUDGE.rank or not all(finding.repeats for finding in decision.findings):
            return False
        uses = self.heard.uses if decision.findings else ()
        return bool(uses) and all(map(self.notes.is_allowed, uses))

    def _note_refusal(self) -> None:
        """Remember a call that does not run, or that a person is asked about."""
        action, notes = self.delivery.action, self.notes
        if action is Action.ESCALATE:
            notes.ask(self.events.asking, self.delivery.message)
        elif action in (Action.BLOCK, Action.STOP) or self.delivery.reason == HELD_BACK:
            self.again = action is Action.STOP and notes.asks_again(self.events.batch)
            notes.refuse(self.events.asking, ends_batch=BATCH not in self.host.moments.values())


def _outgoing(event: Event, monitor: Monitor, content: bool) -> tuple[str, bytes]:
    from headway.core.events import encode_event
    from headway.core.reduction import reduced  # only needed where events are sent to other machines

    leaving = reduced(event, monitor.session, content=content)
    return leaving.key, encode_event(leaving)
