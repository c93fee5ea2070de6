"""Feeds one hook event to the monitor and finds what to deliver."""

from headway.core.decision import CONTINUE, Action, Decision
from headway.core.events import Event, Used
from headway.core.finding import Finding
from headway.core.repeats import follows_change
from headway.hosts.abilities import NUDGE, OBSERVE
from headway.hosts.delivery import (
    AFTER_CALLS,
    HALTED,
    HELD_BACK,
    MANUAL_STOP,
    TOLD_BEFORE,
    Delivery,
    Situation,
    deliver,
    is_about_the_end,
    is_in_force,
    joined,
    weakest_mode,
)
from headway.hosts.hook.event import ALLOWED, BATCH, BEFORE, PROMPT, START, TURN_END, HookEvent
from headway.hosts.hook.events import EventTranslator
from headway.hosts.hook.host import Host
from headway.hosts.hook.notes import Notes
from headway.monitor import Monitor
from headway.store.sessions import Row

CAN_WAIT = frozenset(("read", "search", "list", "run", "test", "build", "web"))
"""Kinds of calls that may be held back once: no changes, and nothing that is already running."""


class Evaluation:
    """The result of one event of a session."""

    def __init__(self, row: Row, monitor: Monitor, host: Host, hook_event: HookEvent, notes: Notes) -> None:
        self.row, self.monitor, self.host, self.hook_event, self.notes = row, monitor, host, hook_event, notes
        self.findings: list[Finding] = []
        self.steps_before = monitor.session.step_count
        self.decision = CONTINUE
        self.delivery = Delivery()
        self.saved = b""
        self.events = EventTranslator(host, hook_event, notes, monitor.session.pairing.waiting)
        self.again = False
        """Whether the agent requests another call after one was refused because its run is stopped."""
        self.was_halted = bool(notes.halted)
        self._before = notes.halted, notes.halted_in, notes.halted_by, notes.stop_is_due
        self.stops = False
        """Whether this event stops the run."""
        self.unkept = ""
        """Why a limit of money or tokens cannot be kept, at the event at which that becomes known."""
        self._unpriced: list[str] = []
        """Models whose price is not known."""
        self.outgoing: list[tuple[str, bytes]] = []
        """Events to be sent to other machines, with their keys."""

    def feed_all(self) -> None:
        """Feed the events; the strongest of several decisions counts."""
        if self.row.id is None and self.hook_event.moment != START:
            self._feed(self.events.start())
        limits = self.monitor.session.limits
        if limits.max_cost_usd is not None or limits.max_tokens is not None:
            self._feed_usage()
        for event in self.events.in_order():
            self._feed(event)

    def settle(self) -> None:
        """Find what to deliver now, and record it."""
        notes, hook_event = self.notes, self.hook_event
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
            notes.halted_by = delivery.reason
        if delivery.action is Action.STOP and not hook_event.queued:
            notes.stop_is_due = False
        if delivery.action is Action.NUDGE and delivery.reason not in (HELD_BACK, TOLD_BEFORE):
            notes.tell(delivery.message)
            if hook_event.moment == TURN_END:
                notes.hold(delivery.message)
        if hook_event.moment == BEFORE and not hook_event.queued:
            self._note_refusal()
        elif self.was_halted and self.events.unannounced:
            self.again = notes.asks_again(self.events.unannounced)

    @property
    def reason(self) -> str:
        """The detector or limit that caused the message."""
        if self.delivery.reason == HALTED:
            return self.notes.halted_by or MANUAL_STOP
        return self.delivery.reason

    def spent(self) -> dict[str, float]:
        """The columns about what the session has used, if that is known."""
        spending = self.monitor.session.spending
        if not spending.count:
            return {}
        return {"tokens": spending.tokens} | ({"cost_usd": spending.known_usd} if spending.known_usd else {})

    def _feed_usage(self) -> None:
        """Feed what the session has used since its last event, or find out why that is not known."""
        from headway.hosts.hook.usage import Usage, unkept  # most users limit neither money nor tokens

        session = self.monitor.session
        for used, model in Usage(self.host, self.hook_event, self.notes, session).new(self.row.reported):
            self._feed(used, model)
        if self.mode != OBSERVE and not self.notes.kept["usage"].get("unkept"):
            self.unkept = unkept(self.host, self.hook_event, session, self._unpriced)
            self.notes.kept["usage"]["unkept"] = bool(self.unkept)
            self.notes.remark = self.unkept if self.host.shows_remarks else ""

    def _feed(self, event: Event, model: str | None = None) -> None:
        if isinstance(event, Used):
            event = self._priced(event, model)
        forward = self.monitor.settings.forward
        if forward.kafka:
            event = self.notes.numbered(event)
        outcome = self.monitor.feed(event)
        if forward.kafka:
            self.outgoing.append(_outgoing(event, self.monitor, forward.content))
        self.findings += outcome.findings
        new, known = outcome.decision, self.decision
        if new.action is Action.NUDGE and known.action is Action.NUDGE:  # one is delivered now, the other later
            self.decision, later = (new, known) if is_about_the_end(new) else (known, new)
            self.notes.pending_nudge = joined(self.notes.pending_nudge, later.message)
        elif new.action.rank > known.action.rank:
            self.decision = new

    @property
    def mode(self) -> str:
        """What Headway may do in this session."""
        return self.monitor.settings.policy.mode or self.hook_event.mode or NUDGE

    def _asks(self) -> bool:
        """Whether the agent requests a call, or has made one that no event announced."""
        return self.hook_event.moment == BEFORE or bool(self.was_halted and self.events.unannounced)

    def _priced(self, event: Used, model: str | None) -> Used:
        """An event with its list price, if the program does not report the cost and the user has limited it."""
        session = self.monitor.session
        if session.limits.max_cost_usd is None or event.cost_usd:
            return event
        from headway.config.price_files import Pricer, live_prices

        pricer = Pricer(live_prices())
        priced = pricer.priced(event, model or session.model or self.hook_event.model)
        self._unpriced += pricer.unpriced
        return priced

    def _stays_stopped(self) -> bool:
        """Whether a run stays stopped after a user message: a limit is still reached, or a stop was not delivered.

        If the host ends runs at once, there is no later call to refuse, so the model must not be asked again.
        """
        if not (self.was_halted and self.host.can.at_once and self.hook_event.moment == PROMPT):
            return False
        *_, by, is_due = self._before
        if not (is_due and self.hook_event.event != ALLOWED) and not self.is_reached(by):
            return False
        notes = self.notes
        notes.halted, notes.halted_in, notes.halted_by, notes.stop_is_due = self._before
        return True

    def is_reached(self, limit: str, further: int = 0) -> bool:
        """Whether this limit leaves no room for the requested call, or for so many more."""
        from headway.core.stop import limit_reached  # most runs are never stopped

        reached = limit_reached(self.monitor.session, further)
        return reached is not None and reached[0] == limit

    def _stopped(self) -> str:
        """Why the run is stopped, if this must be delivered now. A person's stop is delivered as soon as possible."""
        notes = self.notes
        stays = self._stays_stopped()
        if not is_in_force(notes.halted_in, self.mode):
            return ""  # the mode was changed meanwhile
        by_hand = self.is_stopped_by_hand and (self.host.can.at_once or self.hook_event.moment in AFTER_CALLS)
        return str(notes.halted) if self._asks() or by_hand or stays else ""

    @property
    def is_stopped_by_hand(self) -> bool:
        """Whether a person stopped this run."""
        return bool(self.notes.halted) and self.notes.halted_in == OBSERVE

    def _situation(self) -> Situation:
        notes, hook_event = self.notes, self.hook_event
        return Situation(
            moment=hook_event.moment,
            stopped=self._stopped(),
            would_be_stopped=bool(notes.would_be_stopped),
            forgotten=self._forgotten() if hook_event.compacted else "",
            pending=notes.pending_nudge,
            is_let_through=notes.is_let_through,
            follows_change=self._has_batches and follows_change(self.monitor.session),
            can_wait=self._can_wait(),
            reaches_agent=not hook_event.queued,
        )

    @property
    def _has_batches(self) -> bool:
        """Whether the program reports the results of parallel calls together; otherwise an earlier one is known."""
        return BATCH in self.host.moments.values()

    def _forgotten(self) -> str:
        """The messages of this turn that the agent no longer has in its context."""
        halted, told = self.notes.halted, " ".join(self.notes.told)
        return f"this run was stopped. {halted}" if halted else f"you were told: {told}" if told else ""

    def _can_wait(self) -> bool:
        asking = self.monitor.session.asking
        return asking is not None and asking.meaning.kind in CAN_WAIT and self.host.can_wait(self.hook_event.uses[0])

    def _is_allowed(self) -> bool:
        """Whether a person has allowed all calls that would be refused or end the run."""
        decision: Decision = self.decision
        if decision.action.rank <= Action.NUDGE.rank or not all(finding.repeats for finding in decision.findings):
            return False
        uses = self.hook_event.uses if decision.findings else ()
        return bool(uses) and all(map(self.notes.is_allowed, uses))

    def _note_refusal(self) -> None:
        """Record a call that does not run, or that a person is asked about."""
        action, notes = self.delivery.action, self.notes
        if action is Action.ESCALATE:
            notes.ask(self.events.asking, self.delivery.message)
        elif action in (Action.BLOCK, Action.STOP) or self.delivery.reason == HELD_BACK:
            self.again = action is Action.STOP and notes.asks_again(self.events.batch)
            notes.refuse(self.events.asking, ends_batch=not self._has_batches)


def _outgoing(event: Event, monitor: Monitor, content: bool) -> tuple[str, bytes]:
    from headway.core.events import encode_event
    from headway.core.reduction import reduced  # only needed for forwarding

    leaving = reduced(event, monitor.session, content=content)
    return leaving.key, encode_event(leaving)
