"""The part of a hook call that needs the engine: loads a session, evaluates the event and saves the session."""

import json
import time

from headway import __version__
from headway.core.decision import Action
from headway.hosts.abilities import ENFORCE, NUDGE
from headway.hosts.delivery import REPEATS, way_to_stop, weakest_mode
from headway.hosts.hook.evaluation import Evaluation
from headway.hosts.hook.event import (
    ALLOWED,
    COMPACTED,
    PROMPT,
    REMARK,
    SESSION_END,
    START,
    TASK,
    TURN_END,
    HookEvent,
    HookReply,
)
from headway.hosts.hook.events import ENDS_A_TASK
from headway.hosts.hook.host import Host
from headway.hosts.hook.monitors import faults_noted, monitor_of
from headway.hosts.hook.notes import Notes
from headway.policy.wording import REPORT
from headway.rolling.secrets import excerpt
from headway.store.answers import Answer, answers_in
from headway.store.sessions import Row, SessionStore

PROMPT_KEPT = 200
"""Maximum number of characters of the first prompt to store, so that people can tell sessions apart."""


def watch(store: SessionStore, host: Host, hook_event: HookEvent, route: str) -> HookReply | None:
    """Process an event; returns the reply, or None if there is none.

    The work is done before the database is locked. If another process has written this session meanwhile, it is
    repeated on the new state, while no other process can write.
    """
    key = (host.name, hook_event.session, hook_event.agent)
    hook_event.at = time.time() if hook_event.at is None else hook_event.at
    fingerprint, project = store.look_at(hook_event.cwd)
    answers = answers_in(store.connection, project)
    given = [json.dumps(hook_event.settings, sort_keys=True)] if hook_event.settings else []
    mark = "\n".join([fingerprint, *given, *(f"{one.kind} {one.subject}" for one in answers)])
    row = _found(store, key)
    evaluation = _evaluate(row, host, hook_event, route, mark, answers)
    if evaluation is None:
        return Notes(row.notes).reply_to(hook_event.id)
    store.begin()
    if not store.is_current(row, key):
        row = _found(store, key)
        evaluation = _evaluate(row, host, hook_event, route, mark, answers)
    if evaluation is None:
        store.commit()
        return Notes(row.notes).reply_to(hook_event.id)
    reply = _reply(evaluation)
    evaluation.notes.keep_reply(hook_event.id, reply)
    _keep(store, key, evaluation, mark)
    if evaluation.outgoing:
        from headway.store.outgoing import put

        put(store.connection, evaluation.outgoing, evaluation.monitor.settings.forward.queue_mb * 1_000_000)
    if hook_event.agent and evaluation.stops:
        _tell_parent(store, key, evaluation.delivery.message)
    store.commit()
    return reply


def _found(store: SessionStore, key: tuple[str, str, str]) -> Row:
    """The row of an agent. A sub-agent that starts in a session that is off is off too."""
    row = store.find(key)
    if row.id is None and key[2]:
        Notes(row.notes).off = Notes(store.find((*key[:2], ""), light=True).notes).off
    return row


def _evaluate(
    row: Row, host: Host, hook_event: HookEvent, route: str, mark: str, answers: list[Answer]
) -> Evaluation | None:
    """The evaluation of an event; None if it was processed before, or came over another route."""
    notes = Notes(row.notes)
    if row.id is None:
        if hook_event.transcript and not hook_event.agent:
            _note_beginning(notes, hook_event)
        if hook_event.agent and hook_event.moment in (*ENDS_A_TASK, COMPACTED):
            return None  # an agent without calls: the program uses one for compactions
        row.route = route
    if (
        row.route != route
        or not notes.remember(hook_event)
        or (hook_event.moment == PROMPT and notes.is_ours(hook_event.text))
    ):
        return None
    evaluation = Evaluation(row, monitor_of(row, hook_event, mark, answers), host, hook_event, notes)
    with faults_noted():
        evaluation.feed_all()
        evaluation.settle()
    if hook_event.moment == SESSION_END:
        notes.off = False
    evaluation.saved = evaluation.monitor.save(content=False, forget=True)
    return evaluation


def _note_beginning(notes: Notes, hook_event: HookEvent) -> None:
    """Remember where a session begins in a transcript that has the history of an earlier one."""
    from headway.hosts.hook.transcript import size_of  # once in a session

    if size := size_of(hook_event.transcript):
        notes.began = size


def _reply(evaluation: Evaluation) -> HookReply | None:
    """The reply in whole sentences."""
    delivery, hook_event = evaluation.delivery, evaluation.hook_event
    action = delivery.action
    if action is Action.CONTINUE:
        return _remark(evaluation)
    reason = evaluation.reason
    at_limit = action is Action.STOP and evaluation.is_reached(reason, further=1)
    said = evaluation.host.sentence(hook_event, action.value, reason, delivery.message, at_limit)
    said += _how_to_answer(evaluation)
    again = evaluation.again or evaluation.is_stopped_by_hand
    if action is Action.STOP:
        action = way_to_stop(evaluation.host.can, hook_event.moment, again)
    return HookReply(action.value, said, again, reason)


def _remark(evaluation: Evaluation) -> HookReply | None:
    """What a person is to be told, at an event that says nothing to the agent."""
    notes, remark = evaluation.notes, str(evaluation.notes.remark)
    if not remark or evaluation.hook_event.queued or notes.off:
        return None
    notes.remark = ""
    return HookReply(REMARK, remark)


def _how_to_answer(evaluation: Evaluation) -> str:
    """How a person can answer the message; empty for a limit, or for a repeated message."""
    delivery, decision, session = evaluation.delivery, evaluation.decision, evaluation.hook_event.session
    is_new = delivery.reason not in REPEATS and decision.action is not Action.CONTINUE
    if not is_new or weakest_mode(decision) != ENFORCE or not evaluation.host.is_attended:
        return ""
    which = f" {session[:8]}" if session[:8].isascii() and session[:8].replace("-", "").isalnum() else ""
    repeats = decision.findings and all(finding.repeats for finding in decision.findings)
    ways = [f"`headway allow{which}`"] if repeats or delivery.action is not Action.NUDGE else []
    ways += [f"`headway mute {finding}`" for finding in {decision.reason: None} if decision.findings]
    return f" The user can answer with {' or '.join(ways)}." if ways else ""


def _keep(store: SessionStore, key: tuple[str, str, str], evaluation: Evaluation, mark: str) -> None:
    row, notes, monitor, hook_event = evaluation.row, evaluation.notes, evaluation.monitor, evaluation.hook_event
    session, delivery = monitor.session, evaluation.delivery
    before = Action.CONTINUE if hook_event.moment == PROMPT else Action(row.verdict)
    row.monitor, row.live = None, monitor
    store.keep(
        row,
        key,
        **({"route": row.route, "cwd": hook_event.cwd} if row.id is None else {}),
        **({"prompt": excerpt(hook_event.text, PROMPT_KEPT)} if _is_first_prompt(evaluation) else {}),
        **({"transcript": hook_event.transcript} if hook_event.transcript else {}),
        model=session.model,
        **evaluation.spent(),
        **_what_the_agent_does(evaluation),
        **({"turn_step": session.step_count} if hook_event.moment in (PROMPT, TASK) else {}),
        steps=session.step_count,
        last_tool=session.calls[-1].tool_name if session.calls else None,
        verdict=max(before, delivery.action, key=lambda action: action.rank).value,
        watchful=int(bool(notes.halted or notes.pending_nudge or notes.unreported) or monitor.may_refuse),
        settings_mark=mark,
        written_by=__version__,
        monitor=evaluation.saved,
    )
    store.record_steps(row, [step for step in session.steps if step.number > evaluation.steps_before])
    if evaluation.findings:
        store.record_findings(row, evaluation.findings, session.step_count)
    _record_notices(store, row, evaluation)
    if delivery.would is not None:
        would = delivery.would
        store.record_decision(row, session.step_count, would.action.value, would.reason, would.message, would=True)
    elif notes.would_be_stopped and hook_event.moment not in (START, SESSION_END):
        store.went_on(row, session.step_count)
    if delivery.is_postponed:
        decision = evaluation.decision
        store.record_decision(row, session.step_count, Action.NUDGE.value, decision.reason, decision.message)
    elif delivery.action is not Action.CONTINUE and delivery.reason not in REPEATS:
        store.record_decision(row, session.step_count, delivery.action.value, delivery.reason, delivery.message)
    if hook_event.moment == SESSION_END and not hook_event.agent:
        _end_sub_agents(store, key)


def _what_the_agent_does(evaluation: Evaluation) -> "dict[str, object]":
    """The columns that an event of the agent changes. A person's answer from outside changes none of them."""
    row, hook_event = evaluation.row, evaluation.hook_event
    if hook_event.event == ALLOWED and row.id is not None:
        return {}
    is_over = hook_event.moment == SESSION_END or (hook_event.moment == TURN_END and bool(hook_event.agent))
    return {"moment": hook_event.moment, "waiting": evaluation.host.question(hook_event), "ended": int(is_over)}


def _record_notices(store: SessionStore, row: Row, evaluation: Evaluation) -> None:
    """Record what a person is to be notified about. The service sends it."""
    delivery, session = evaluation.delivery, evaluation.monitor.session
    question, step = evaluation.host.question(evaluation.hook_event), session.step_count
    is_silent = delivery.action is Action.CONTINUE and delivery.would is None
    if is_silent and not (evaluation.findings or question or session.limits.holds or evaluation.unkept):
        return  # without loading anything
    from headway.core.stop import calls_nearly_used_up
    from headway.store.faults import note_once
    from headway.store.notices import BUDGET_80, ESCALATE, NEEDS_YOU, STOP, WOULD_STOP, record, record_limit

    for finding in evaluation.findings:
        record_limit(store.connection, row.id, finding)
    if calls := calls_nearly_used_up(session):
        record(store.connection, row.id, BUDGET_80, "calls", calls)
    due = [(delivery.action.value, delivery)] if delivery.reason not in REPEATS else []
    if delivery.would is not None and evaluation.mode == NUDGE:
        due.append((f"would_{delivery.would.action.value}", delivery.would))
    for kind, one in due:
        if kind in (STOP, ESCALATE, WOULD_STOP):
            record(store.connection, row.id, kind, f"{one.reason} {step}", one.message.removesuffix(REPORT).rstrip())
    if question:
        record(store.connection, row.id, NEEDS_YOU, f"question {step}", question)
    if evaluation.unkept:
        record(store.connection, row.id, NEEDS_YOU, "limit", evaluation.unkept)
        note_once("a limit is not kept", evaluation.unkept)


def _is_first_prompt(evaluation: Evaluation) -> bool:
    hook_event = evaluation.hook_event
    return hook_event.moment in (PROMPT, TASK) and bool(hook_event.text) and not evaluation.row.prompt


def _end_sub_agents(store: SessionStore, key: tuple[str, str, str]) -> None:
    """End all sub-agents of a session, and turn Headway on again for them."""
    for agent, notes in store.notes_of(*key[:2]):
        if agent and Notes(notes).off:
            row = store.find((*key[:2], agent), light=True)
            Notes(row.notes).off = False
            store.keep_notes(row)
    store.end_sub_agents(key)


def _tell_parent(store: SessionStore, key: tuple[str, str, str], why: str) -> None:
    """Store for the parent agent why its sub-agent was stopped. It gets the message with its next result."""
    row = store.find((*key[:2], ""), light=True)
    if row.id is not None:
        why = why.removesuffix(REPORT).rstrip()
        notes = Notes(row.notes)
        told = f"One of your sub-agents was stopped. {why} Its report may be incomplete."
        notes.pending_nudge = f"{notes.pending_nudge} {told}".strip()
        store.keep_notes(row)
