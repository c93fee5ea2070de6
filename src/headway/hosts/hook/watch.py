"""The part of a hook call that judges: the session's monitor is loaded, fed, asked and kept again."""

import sys
import time
from contextlib import nullcontext

import msgspec

from headway import __version__
from headway.config.fingerprint import settings_fingerprint
from headway.config.settings import Settings, SettingsError
from headway.core.decision import CONTINUE, Action, Decision
from headway.core.events import Event
from headway.core.finding import Finding
from headway.hosts.hook.event import (
    AFTER,
    BATCH,
    BEFORE,
    COMPACTED,
    PROMPT,
    SESSION_END,
    START,
    TURN_END,
    HookEvent,
    HookReply,
)
from headway.hosts.hook.events import ENDS_A_TASK, HeardEvents
from headway.hosts.hook.host import Host
from headway.hosts.hook.notes import Notes
from headway.monitor import Monitor, SavedStateError
from headway.policy.end_of_turn import end_of_turn
from headway.policy.rules import REPORT, RUNS_AGAIN
from headway.store.sessions import Row, SessionStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

HALTED = "halted"
"""Reason of a refusal that only repeats that the run was stopped."""
HELD_BACK = "held_back"
"""Reason of a refusal that only says what was decided after an earlier call."""
OWED = "owed"
"""Reason of a nudge that says what could not be said at an earlier event."""
TOLD_BEFORE = "told_before"
"""Reason of a nudge that says again what was lost when the context was compacted."""
_CAN_WAIT = frozenset(("read", "search", "list", "run", "test", "build", "web"))
"""Kinds of calls that may be held back once: no change, and nothing that is under way."""

_SAID = {
    Action.NUDGE: "Headway: {}",
    Action.BLOCK: "Headway refused this call. {}",
    Action.STOP: "Headway stopped this run until the user speaks. {}",
    Action.ESCALATE: "Headway asks for a person to look at this. {}",
    Action.ROLLBACK: "Headway: {}",
}
_SUB_AGENT_STOPPED = "Headway stopped this sub-agent. {}"


def watch(store: SessionStore, host: Host, heard: HookEvent, route: str) -> HookReply | None:
    """Take in what was heard; what is to be said to the host, or None if there is nothing to say.

    The work is done before the database is locked. If another process has written this session meanwhile, it is done
    once more, on what that one left, while nobody else can write.
    """
    key = (host.name, heard.session, heard.agent)
    heard.at = time.time() if heard.at is None else heard.at
    mark = settings_fingerprint(heard.cwd)
    judged = _judge(_found(store, key), host, heard, route, mark)
    if judged is None:
        return None
    store.begin()
    if not store.is_current(judged.row, key):
        judged = _judge(_found(store, key), host, heard, route, mark)
    if judged is not None:
        _keep(store, key, judged, mark)
        if heard.agent and judged.stops:
            _tell_parent(store, key, judged.settled)
    store.commit()
    return None if judged is None else _words(judged)


def _found(store: SessionStore, key: tuple[str, str, str]) -> Row:
    """The row of an agent; a sub-agent that starts in a session that is left alone is left alone too."""
    row = store.find(key)
    if row.id is None and key[2]:
        Notes(row.notes).off = Notes(store.find((*key[:2], ""), light=True).notes).off
    return row


def _judge(row: Row, host: Host, heard: HookEvent, route: str, mark: str) -> "_Evaluation | None":
    """What follows from an event for a session as it was found; None if it came before, or over another route."""
    notes = Notes(row.notes)
    if row.id is None:
        if heard.agent and heard.moment in (*ENDS_A_TASK, COMPACTED):
            return None  # an agent that called nothing: the program compacts a context with one
        row.route = route
    if row.route != route or notes.is_double(heard) or (heard.moment == PROMPT and notes.is_ours(heard.text)):
        return None
    judged = _Evaluation(row, _monitor(row, heard, mark), host, heard, notes)
    with _faults_noted():
        judged.feed_all()
        judged.settle()
    if heard.moment == SESSION_END:
        notes.off = False
    judged.saved = judged.monitor.save(content=False)
    return judged


def _faults_noted() -> "AbstractContextManager[None]":
    """While this lasts, what plug-ins fail at goes into the fault log; without any, `logging` is not imported."""
    if "logging" not in sys.modules:
        return nullcontext()
    from headway.store.fault_lines import faults_told

    return faults_told(_note_once)


def _note_once(line: str) -> None:
    from headway.rolling.secrets import mask
    from headway.store.faults import note_once

    what, _, why = mask(line).partition(": ")
    note_once(what, why)


def _words(judged: "_Evaluation") -> HookReply | None:
    """What the host is to say. A stop is said first, so that the agent can report; the run is ended if it goes on."""
    decision, heard = judged.settled, judged.heard
    action = decision.action
    if action is Action.CONTINUE:
        return None
    text = _SUB_AGENT_STOPPED if action is Action.STOP and heard.agent else _SAID[action]
    said = HookReply(action.value, text.format(decision.message), judged.again)
    if action is Action.STOP and not judged.again and heard.moment in (BEFORE, AFTER, BATCH):
        said.action = Action.BLOCK.value if heard.moment == BEFORE else Action.NUDGE.value
    return said


class _Evaluation:
    """One event on its way through the monitor."""

    def __init__(self, row: Row, monitor: Monitor, host: Host, heard: HookEvent, notes: Notes) -> None:
        self.row, self.monitor, self.host, self.heard, self.notes = row, monitor, host, heard, notes
        self.findings: list[Finding] = []
        self.decision = self.settled = CONTINUE
        self.saved = b""
        self.events = HeardEvents(host, heard, notes, monitor.session.pairing.waiting)
        self.nudge: Decision | None = None
        """The first thing that the agent is to be told because of this event."""
        self.again = False
        """The agent was refused a call because its run is stopped, and asks for another."""
        self.was_halted = bool(notes.halted)
        self.stops = False
        """The run is stopped by this event."""

    def feed_all(self) -> None:
        """Feed the events that were heard; of several decisions the strongest counts."""
        if self.row.id is None and self.heard.moment != START:
            self._feed(self.events.start())
        for event in self.events.in_order():
            self._feed(event)

    def settle(self) -> None:
        """Find out what is to be said now, given what was said before and what this moment allows."""
        self.settled = self._deliverable()
        if self.heard.queued and self.settled.action is Action.NUDGE:  # nobody hears it now
            self.notes.pending_nudge = self.settled.message
        elif self.settled.action is Action.NUDGE and self.settled.reason not in (HELD_BACK, TOLD_BEFORE):
            self.notes.tell(self.settled.message)
        if self.heard.moment == BEFORE and not self.heard.queued:
            self._note_refusal()
        elif self.was_halted and self.events.unasked:
            self.again = self.notes.asks_again(self.events.unasked)

    def _note_refusal(self) -> None:
        """Remember a call that does not run, or that a person is asked about."""
        action, notes = self.settled.action, self.notes
        if action is Action.ESCALATE:
            notes.ask(self.events.asking, self.settled.message)
        elif action in (Action.BLOCK, Action.STOP) or self.settled.reason == HELD_BACK:
            self.again = action is Action.STOP and notes.asks_again(self.events.batch)
            notes.refuse(self.events.asking, ends_batch=BATCH not in self.host.moments.values())

    def _deliverable(self) -> Decision:
        notes, moment, decision = self.notes, self.heard.moment, self.decision
        if notes.off:
            return CONTINUE
        if notes.halted and (moment == BEFORE or (self.was_halted and self.events.unasked)):
            return Decision(action=Action.STOP, reason=HALTED, message=notes.halted)
        if self._is_allowed(decision):
            return CONTINUE
        if decision.action is Action.ESCALATE and not (moment == BEFORE and self.host.can_ask):
            decision = msgspec.structs.replace(decision, action=Action.STOP)  # ending the run hands it to a person
        if decision.action is Action.STOP and decision.findings and self.nudge and not notes.told:
            decision = self.nudge  # several calls came back at once, and it has not heard of any of them
        if decision.action is Action.STOP:
            notes.halted, self.stops = decision.message, True
        if self.heard.compacted and (notes.halted or notes.told):
            return self._told_before()
        if moment == TURN_END:
            return self._at_turn_end(decision)
        if decision.action is Action.BLOCK and moment != BEFORE:  # it has run already: all that is left is to say so
            said = decision.message.removesuffix(RUNS_AGAIN).rstrip()
            decision = msgspec.structs.replace(decision, action=Action.NUDGE, message=said)
        if not self.host.hears_results:
            return self._deliver_as_refusal(decision)
        if decision.action is Action.NUDGE and self.host.answer(self.heard, Action.NUDGE.value, "-") is None:
            notes.pending_nudge, decision = (
                decision.message,
                CONTINUE,
            )  # this moment cannot carry it, the next result can
        elif decision.action is Action.BLOCK and (self._follows_a_change() or notes.may_run_unheard()):
            decision = CONTINUE  # nobody is refused before being told
        elif moment in (AFTER, BATCH) and decision is CONTINUE and notes.pending_nudge:
            decision, notes.pending_nudge = Decision(action=Action.NUDGE, reason=OWED, message=notes.pending_nudge), ""
        return decision

    def _follows_a_change(self) -> bool:
        """Whether a change was asked for in the same answer, before this call: an edit, and then the test of it."""
        if BATCH not in self.host.moments.values():  # results come one by one, and this one would be known
            return False
        asking, batch = self.events.asking, self.events.batch
        waiting = self.monitor.session.pairing.waiting.items()
        return any(id != asking and call.batch == batch and call.meaning.changes for id, call in waiting)

    def _is_allowed(self, decision: Decision) -> bool:
        """Whether only calls would be refused or end the run that a person has let run."""
        if decision.action.rank <= Action.NUDGE.rank or not all(finding.repeats for finding in decision.findings):
            return False
        uses = self.heard.uses if decision.findings else ()
        return bool(uses) and all(map(self.notes.is_allowed, uses))

    def _told_before(self) -> Decision:
        """What the agent was told in this turn, and no longer has in its context."""
        halted, told = self.notes.halted, " ".join(self.notes.told)
        said = f"this run was stopped. {halted}" if halted else f"you were told: {told}"
        message = f"Before the context was compacted, {said}"
        return Decision(action=Action.NUDGE, reason=TOLD_BEFORE, message=message)

    def _deliver_as_refusal(self, decision: Decision) -> Decision:
        """What the model would not hear after a call waits for one that can wait, or for the same call again."""
        notes, moment = self.notes, self.heard.moment
        if moment == AFTER and decision.action is Action.NUDGE:
            notes.pending_nudge = decision.message
        elif (
            moment == BEFORE and notes.pending_nudge and decision.action is Action.BLOCK
        ):  # a repeat of what it was not told of
            decision = self._held_back("This call was held back to say so.")
        elif decision is not CONTINUE:
            notes.pending_nudge = ""
        elif moment == BEFORE and notes.pending_nudge and self._can_wait():
            decision = self._held_back("This call was held back to say so; asked for again, it runs.")
        return decision

    def _held_back(self, why: str) -> Decision:
        said, self.notes.pending_nudge = f"{self.notes.pending_nudge} {why}", ""
        return Decision(action=Action.NUDGE, reason=HELD_BACK, message=said)

    def _can_wait(self) -> bool:
        asking = self.monitor.session.asking
        return asking is not None and asking.meaning.kind in _CAN_WAIT and self.host.can_wait(self.heard.uses[0])

    def _at_turn_end(self, decision: Decision) -> Decision:
        """The agent is kept going only for a failed check, once; another nudge waits for the next result."""
        was_ended, self.notes.ended = self.notes.ended, True
        if decision.action.rank >= Action.STOP.rank:
            return decision
        if decision.action is Action.NUDGE:
            self.notes.pending_nudge = decision.message
        if was_ended or self.notes.halted or self.heard.agent or self.heard.again or not self.host.can_be_kept_going:
            return CONTINUE
        check = end_of_turn(self.monitor.session, self.heard.text)
        if check is None or not self.notes.may_check(check.message):
            return CONTINUE
        self.notes.checked(check.message)
        self.monitor.advised(check.message)
        return check

    def _feed(self, event: Event) -> None:
        outcome = self.monitor.feed(event)
        self.findings += outcome.findings
        if outcome.decision.action is Action.NUDGE:
            self.nudge = self.nudge or outcome.decision
        if outcome.decision.action.rank > self.decision.action.rank:
            self.decision = outcome.decision


def _monitor(row: Row, heard: HookEvent, mark: str) -> Monitor:
    """The session's monitor as it was left, with the settings as they are now; a new one where that is impossible."""
    if row.monitor is not None:
        try:
            settings = None if row.settings_mark == mark else _settings(heard.cwd)
            return Monitor.load(row.monitor, settings=settings, rounds=False)
        except (SavedStateError, SettingsError) as error:  # another version of Headway left it: begin anew
            from headway.store.faults import note_fault

            note_fault("saved session", error)
    return Monitor(run=heard.session, agent=heard.agent, settings=_settings(heard.cwd), rounds=False)


def _settings(folder: str) -> Settings:
    """The settings that hold in a folder; with a mistake in them, the packaged ones."""
    from pathlib import Path

    from headway.config.find import find_settings

    try:
        return find_settings(folder=Path(folder or ".")).settings
    except (SettingsError, OSError) as error:
        from headway.store.faults import note_fault

        note_fault("settings", error)
        return Settings()


def _keep(store: SessionStore, key: tuple[str, str, str], judged: _Evaluation, mark: str) -> None:
    row, monitor, decision, heard = judged.row, judged.monitor, judged.settled, judged.heard
    session = monitor.session
    before = Action.CONTINUE if heard.moment == PROMPT else Action(row.verdict)
    store.keep(
        row,
        key,
        **({"route": row.route, "cwd": heard.cwd} if row.id is None else {}),
        model=session.model,
        ended=int(heard.moment == SESSION_END or (heard.moment == TURN_END and bool(heard.agent))),
        steps=session.step_count,
        last_tool=session.calls[-1].tool_name if session.calls else None,
        verdict=max(before, decision.action, key=lambda action: action.rank).value,
        watchful=int(
            bool(judged.notes.halted or judged.notes.pending_nudge or judged.notes.unreported) or monitor.may_refuse
        ),
        settings_mark=mark,
        written_by=__version__,
        monitor=judged.saved,
    )
    store.record_findings(row, judged.findings, session.step_count)
    if decision.action is not Action.CONTINUE and decision.reason not in (HALTED, HELD_BACK, TOLD_BEFORE):
        store.record_decision(row, session.step_count, decision.action.value, decision.reason, decision.message)
    if heard.moment == SESSION_END and not heard.agent:
        _end_sub_agents(store, key)


def _end_sub_agents(store: SessionStore, key: tuple[str, str, str]) -> None:
    """A session is over, and with it that its sub-agents are left alone."""
    for agent, notes in store.notes_of(*key[:2]):
        if agent and Notes(notes).off:
            row = store.find((*key[:2], agent), light=True)
            Notes(row.notes).off = False
            store.keep_notes(row)
    store.end_sub_agents(key)


def _tell_parent(store: SessionStore, key: tuple[str, str, str], decision: Decision) -> None:
    """Leave word for the agent that started a sub-agent: with the next result it hears why that one ended."""
    row = store.find((*key[:2], ""), light=True)
    if row.id is not None:
        why = decision.message.removesuffix(REPORT).rstrip()
        notes = Notes(row.notes)
        told = f"A sub-agent of yours was stopped. {why} What it reports may be incomplete."
        notes.pending_nudge = f"{notes.pending_nudge} {told}".strip()
        store.keep_notes(row)
