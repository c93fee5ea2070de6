"""The part of a hook call that judges: the session's monitor is loaded, fed, asked and kept again."""

import sys
import time
from contextlib import nullcontext

import msgspec

from headway import __version__
from headway.config.mark import settings_mark
from headway.config.settings import Settings, SettingsError
from headway.core import events
from headway.core.decision import CONTINUE, Action, Decision
from headway.core.events import Event
from headway.core.finding import Finding
from headway.hosts.hook.heard import AFTER, BATCH, BEFORE, COMPACTED, PROMPT, SESSION_END, START, TURN_END, Heard, Said
from headway.hosts.hook.host import Host
from headway.hosts.hook.notes import Notes
from headway.monitor import Monitor, SavedStateError
from headway.policy.turn_end import turn_end
from headway.store.sessions import Row, SessionStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

HALTED = "halted"
"""Reason of a refusal that only repeats that the run was stopped."""
HELD_BACK = "held_back"
"""Reason of a refusal that only says what was decided after an earlier call."""
OWED = "owed"
"""Reason of a nudge that says what could not be said at an earlier event."""
_CAN_WAIT = frozenset(("read", "search", "list", "run", "test", "build", "web"))
"""Kinds of calls that may be held back once: no change, and nothing that is under way."""

_SAID = {
    Action.NUDGE: "Headway: {}",
    Action.BLOCK: "Headway refused this call. {}",
    Action.STOP: "Headway stopped this run until the user speaks. {}",
    Action.ESCALATE: "Headway asks for a person to look at this. {}",
    Action.ROLLBACK: "Headway: {}",
}


def watch(store: SessionStore, host: Host, heard: Heard, route: str) -> Said | None:
    """Take in what was heard; what is to be said to the host, or None if there is nothing to say.

    The work is done before the database is locked. If another process has written this session meanwhile, it is done
    once more, on what that one left, while nobody else can write.
    """
    key = (host.name, heard.session, heard.agent)
    heard.at = time.time() if heard.at is None else heard.at
    mark = settings_mark(heard.cwd)
    judged = _judge(store.find(key), host, heard, route, mark)
    if judged is None:
        return None
    store.begin()
    if not store.is_current(judged.row, key):
        judged = _judge(store.find(key), host, heard, route, mark)
    if judged is not None:
        _keep(store, key, judged, mark)
    store.commit()
    return None if judged is None else _words(judged.settled, heard)


def _judge(row: Row, host: Host, heard: Heard, route: str, mark: str) -> "_Judged | None":
    """What follows from an event for a session as it was found; None if it came before, or over another route."""
    notes = Notes(row.notes)
    if row.id is None:
        row.route = route
    if row.route != route or notes.is_double(heard) or (heard.moment == PROMPT and notes.is_ours(heard.text)):
        return None
    judged = _Judged(row, _monitor(row, heard, mark), host, heard, notes)
    with _faults_noted():
        judged.feed_all()
        judged.settle()
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


def _words(decision: Decision, heard: Heard) -> Said | None:
    action = decision.action
    if action is Action.CONTINUE:
        return None
    if action is Action.ESCALATE and heard.moment != BEFORE:  # ending the run hands it to a person
        action = Action.STOP
    return Said(action.value, _SAID[action].format(decision.message), decision.reason == HALTED)


class _Judged:
    """One event on its way through the monitor."""

    def __init__(self, row: Row, monitor: Monitor, host: Host, heard: Heard, notes: Notes) -> None:
        self.row, self.monitor, self.host, self.heard, self.notes = row, monitor, host, heard, notes
        self.findings: list[Finding] = []
        self.decision = self.settled = CONTINUE
        self.saved = b""

    def feed_all(self) -> None:
        """Feed the events that were heard; of several decisions the strongest counts."""
        if self.row.id is None and self.heard.moment != START:
            self._feed(self._start())
        for event in self._events():
            self._feed(event)

    def settle(self) -> None:
        """Find out what is to be said now, given what was said before and what this moment allows."""
        self.settled = self._settled()
        if self.heard.queued and self.settled.action is Action.NUDGE:  # nobody hears it now
            self.notes.owed = self.settled.message

    def _settled(self) -> Decision:
        notes, moment, decision = self.notes, self.heard.moment, self.decision
        if moment == BEFORE and notes.halted:
            return Decision(action=Action.STOP, reason=HALTED, message=notes.halted)
        if decision.action is Action.STOP or (decision.action is Action.ESCALATE and moment != BEFORE):
            notes.halted = decision.message
        if moment == TURN_END:
            return self._at_turn_end(decision)
        if decision.action is Action.BLOCK and moment != BEFORE:  # it has run already: all that is left is to say so
            decision = msgspec.structs.replace(decision, action=Action.NUDGE)
        if not self.host.hears_results:
            return self._in_place_of_a_call(decision)
        if moment in (AFTER, BATCH) and decision is CONTINUE and notes.owed:
            decision, notes.owed = Decision(action=Action.NUDGE, reason=OWED, message=notes.owed), ""
        return decision

    def _in_place_of_a_call(self, decision: Decision) -> Decision:
        """What the model would not hear after a call waits for one that can wait; a refusal says it anyway."""
        notes, moment = self.notes, self.heard.moment
        if moment == AFTER and decision.action is Action.NUDGE:
            notes.owed = decision.message
        elif decision is not CONTINUE:
            notes.owed = ""
        elif moment == BEFORE and notes.owed and self._can_wait():
            message = f"{notes.owed} This call was held back to say so; asked for again, it runs."
            decision, notes.owed = Decision(action=Action.NUDGE, reason=HELD_BACK, message=message), ""
        return decision

    def _can_wait(self) -> bool:
        asking = self.monitor.session.asking
        return asking is not None and asking.meaning.kind in _CAN_WAIT and self.host.can_wait(self.heard.uses[0])

    def _at_turn_end(self, decision: Decision) -> Decision:
        """The agent is kept going only for a failed check, once; another nudge waits for the next result."""
        was_ended, self.notes.ended = self.notes.ended, True
        if decision.action.rank >= Action.STOP.rank:
            return decision
        if decision.action is Action.NUDGE:
            self.notes.owed = decision.message
        if was_ended or self.notes.halted or self.heard.agent or self.heard.again or not self.host.can_be_kept_going:
            return CONTINUE
        check = turn_end(self.monitor.session, self.heard.text)
        if check is None or not self.notes.may_check(check.message):
            return CONTINUE
        self.notes.checked(check.message)
        self.monitor.advised(check.message)
        return check

    def _feed(self, event: Event) -> None:
        outcome = self.monitor.feed(event)
        self.findings += outcome.findings
        if outcome.decision.action.rank > self.decision.action.rank:
            self.decision = outcome.decision

    def _start(self) -> Event:
        heard = self.heard
        return events.RunStarted(root=heard.cwd or None, model=heard.model, program=self.host.name, at=heard.at)

    def _events(self) -> "Iterator[Event]":
        heard, notes = self.heard, self.notes
        if heard.moment == START:
            yield self._start()
        elif heard.moment == PROMPT:
            notes.start_turn()
            yield events.UserSpoke(text=heard.text, at=heard.at)
        elif heard.moment == COMPACTED:
            yield events.ContextCompacted(at=heard.at)
        elif heard.moment == TURN_END:
            notes.end_batch()
            if heard.text:
                yield events.AgentSpoke(text=heard.text, at=heard.at)
        elif heard.moment == SESSION_END:
            yield events.RunEnded(at=heard.at)
        else:
            yield from self._calls()

    def _calls(self) -> "Iterator[Event]":
        notes, heard = self.notes, self.heard
        for use in heard.uses:
            if heard.moment == BATCH and use.id in notes.done:
                continue
            id, batch = notes.announce(use) if heard.moment == BEFORE else notes.close(use)
            yield events.ToolCalled(call=id, tool=use.tool, args=dict(use.args), batch=batch, at=heard.at)
            if heard.moment != BEFORE or use.response is not None:
                yield events.ToolReturned(call=id, at=heard.at, **self.host.result(use, heard))
        if heard.moment == BATCH:
            notes.end_batch()


def _monitor(row: Row, heard: Heard, mark: str) -> Monitor:
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


def _keep(store: SessionStore, key: tuple[str, str, str], judged: _Judged, mark: str) -> None:
    row, monitor, decision, heard = judged.row, judged.monitor, judged.settled, judged.heard
    session = monitor.session
    before = Action.CONTINUE if heard.moment == PROMPT else Action(row.verdict)
    store.keep(
        row,
        key,
        **({"route": row.route, "cwd": heard.cwd} if row.id is None else {}),
        model=session.model,
        ended=int(heard.moment == SESSION_END),
        steps=session.step_count,
        last_tool=session.calls[-1].tool_name if session.calls else None,
        verdict=max(before, decision.action, key=lambda action: action.rank).value,
        watchful=int(bool(judged.notes.halted or judged.notes.owed) or monitor.may_refuse),
        settings_mark=mark,
        written_by=__version__,
        monitor=judged.saved,
    )
    store.record_findings(row, judged.findings, session.step_count)
    if decision.action is not Action.CONTINUE and decision.reason not in (HALTED, HELD_BACK):
        store.record_decision(row, session.step_count, decision.action.value, decision.reason, decision.message)
