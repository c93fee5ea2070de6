"""The part of a hook call that needs the engine: a session is loaded, evaluated and kept again."""

import time

from headway import __version__
from headway.config.fingerprint import settings_fingerprint
from headway.core.decision import Action
from headway.hosts.delivery import REPEATS, way_to_stop
from headway.hosts.hook.evaluation import Evaluation
from headway.hosts.hook.event import COMPACTED, PROMPT, SESSION_END, TURN_END, HookEvent, HookReply
from headway.hosts.hook.events import ENDS_A_TASK
from headway.hosts.hook.host import Host
from headway.hosts.hook.monitors import faults_noted, monitor_of
from headway.hosts.hook.notes import Notes
from headway.policy.wording import REPORT
from headway.store.sessions import Row, SessionStore

_SENTENCES = {
    Action.NUDGE: "Headway: {}",
    Action.BLOCK: "Headway refused this call. {}",
    Action.STOP: "Headway stopped this run until the user speaks. {}",
    Action.ESCALATE: "Headway asks the user to look at this. {}",
}
_SUB_AGENT_STOPPED = "Headway stopped this sub-agent. {}"


def watch(store: SessionStore, host: Host, heard: HookEvent, route: str) -> HookReply | None:
    """Take in an event; what the host is to say, or None if there is nothing to say.

    The work is done before the database is locked. If another process has written this session meanwhile, it is done
    once more, on what that one left, while no other process can write.
    """
    key = (host.name, heard.session, heard.agent)
    heard.at = time.time() if heard.at is None else heard.at
    mark = settings_fingerprint(heard.cwd)
    evaluation = _evaluate(_found(store, key), host, heard, route, mark)
    if evaluation is None:
        return None
    store.begin()
    if not store.is_current(evaluation.row, key):
        evaluation = _evaluate(_found(store, key), host, heard, route, mark)
    if evaluation is not None:
        _keep(store, key, evaluation, mark)
        if evaluation.outgoing:
            from headway.store.outgoing import put

            put(store.connection, evaluation.outgoing, evaluation.monitor.settings.forward.queue_mb * 1_000_000)
        if heard.agent and evaluation.stops:
            _tell_parent(store, key, evaluation.delivery.message)
    store.commit()
    return None if evaluation is None else _reply(evaluation)


def _found(store: SessionStore, key: tuple[str, str, str]) -> Row:
    """The row of an agent. A sub-agent that starts in a session that is left alone is left alone too."""
    row = store.find(key)
    if row.id is None and key[2]:
        Notes(row.notes).off = Notes(store.find((*key[:2], ""), light=True).notes).off
    return row


def _evaluate(row: Row, host: Host, heard: HookEvent, route: str, mark: str) -> Evaluation | None:
    """What an event leads to in a session as it was found; None if it came before, or over another route."""
    notes = Notes(row.notes)
    if row.id is None:
        if heard.agent and heard.moment in (*ENDS_A_TASK, COMPACTED):
            return None  # an agent that called nothing: the program compacts a context with one
        row.route = route
    if row.route != route or not notes.remember(heard) or (heard.moment == PROMPT and notes.is_ours(heard.text)):
        return None
    evaluation = Evaluation(row, monitor_of(row, heard, mark), host, heard, notes)
    with faults_noted():
        evaluation.feed_all()
        evaluation.settle()
    if heard.moment == SESSION_END:
        notes.off = False
    evaluation.saved = evaluation.monitor.save(content=False)
    return evaluation


def _reply(evaluation: Evaluation) -> HookReply | None:
    """What the host is to say, in whole sentences."""
    delivery, heard = evaluation.delivery, evaluation.heard
    action = delivery.action
    if action is Action.CONTINUE:
        return None
    sentence = _SUB_AGENT_STOPPED if action is Action.STOP and heard.agent else _SENTENCES[action]
    if action is Action.STOP:
        action = way_to_stop(evaluation.host.can, heard.moment, evaluation.again)
    return HookReply(action.value, sentence.format(delivery.message), evaluation.again)


def _keep(store: SessionStore, key: tuple[str, str, str], evaluation: Evaluation, mark: str) -> None:
    row, notes, monitor, heard = evaluation.row, evaluation.notes, evaluation.monitor, evaluation.heard
    session, delivery = monitor.session, evaluation.delivery
    before = Action.CONTINUE if heard.moment == PROMPT else Action(row.verdict)
    store.keep(
        row,
        key,
        **({"route": row.route, "cwd": heard.cwd} if row.id is None else {}),
        model=session.model,
        ended=int(heard.moment == SESSION_END or (heard.moment == TURN_END and bool(heard.agent))),
        steps=session.step_count,
        last_tool=session.calls[-1].tool_name if session.calls else None,
        verdict=max(before, delivery.action, key=lambda action: action.rank).value,
        watchful=int(bool(notes.halted or notes.pending_nudge or notes.unreported) or monitor.may_refuse),
        settings_mark=mark,
        written_by=__version__,
        monitor=evaluation.saved,
    )
    store.record_findings(row, evaluation.findings, session.step_count)
    if delivery.is_postponed:
        decision = evaluation.decision
        store.record_decision(row, session.step_count, Action.NUDGE.value, decision.reason, decision.message)
    elif delivery.action is not Action.CONTINUE and delivery.reason not in REPEATS:
        store.record_decision(row, session.step_count, delivery.action.value, delivery.reason, delivery.message)
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


def _tell_parent(store: SessionStore, key: tuple[str, str, str], why: str) -> None:
    """Leave word for the agent that started a sub-agent: with its next result it hears why that one was stopped."""
    row = store.find((*key[:2], ""), light=True)
    if row.id is not None:
        why = why.removesuffix(REPORT).rstrip()
        notes = Notes(row.notes)
        told = f"A sub-agent of yours was stopped. {why} What it reports may be incomplete."
        notes.pending_nudge = f"{notes.pending_nudge} {told}".strip()
        store.keep_notes(row)
