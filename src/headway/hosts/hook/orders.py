"""Orders of a person about live sessions, given from outside: by a command, by the service or on the dashboard.

    allow(session)              let what was refused run again; its project remembers which calls may repeat
    disallow(folder)            forget which calls may repeat in a project
    mute(folder, detector)      ignore the findings of a detector in a project, for some seconds or permanently
    unmute(folder, detector)
    answers(folder)             what is allowed and muted in a project
    stop(session)               end the run at its next event, until the user's next message
    leave_alone(session, off)   turn Headway off for a session, or on again

A session is a `SessionOverview` of `headway.store.overview`. The hook follows an order at the next event. An order
outranks detectors in every mode; limits that the user set still apply.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from headway.hosts.abilities import OBSERVE
from headway.hosts.hook.event import ALLOWED, PROMPT, HookEvent
from headway.hosts.hook.monitors import monitor_of
from headway.hosts.hook.notes import Notes
from headway.hosts.hook.recognise import FRAMEWORKS, HOSTS, host_called
from headway.hosts.hook.watch import watch
from headway.policy.wording import REPORT
from headway.store.answers import ALLOW, MUTE, Answer, answers_in, forget, project_of, remember
from headway.store.overview import SessionOverview
from headway.store.sessions import SessionStore

STOPPED = f"The user stopped this run. {REPORT}"


def ends_at_once(session: SessionOverview) -> bool:
    """Whether its run ends at the next event of any kind, as in a framework."""
    return bool(host_called(session.host).can.at_once)


def can_be_told(session: SessionOverview) -> bool:
    """Whether a hook reports this session. Telemetry cannot deliver messages."""
    return session.host in HOSTS or session.host in FRAMEWORKS


def allow(session: SessionOverview) -> list[str]:
    """Let refused calls run, like a message in the session; returns the calls that may now repeat in its project."""
    with _opened() as store:
        repeats = _told_repeats(store, session)
        store.begin()
        remember(store.connection, project_of(session.cwd), ALLOW, repeats)
        store.commit()
        hook_event = HookEvent(ALLOWED, PROMPT, session.session, agent=session.agent, cwd=session.cwd)
        watch(store, host_called(session.host), hook_event, store.find(_key(session), light=True).route)
    return [about for _, about in repeats]


def disallow(folder: str) -> int:
    """Forget which calls may repeat in a project; returns how many."""
    with _opened() as store:
        return forget(store.connection, project_of(folder), ALLOW)


def mute(folder: str, detector: str, seconds: float | None = None) -> str:
    """Mute a detector in the project of a folder, for some seconds or permanently; returns the project."""
    project = project_of(folder)
    with _opened() as store:
        store.begin()
        remember(store.connection, project, MUTE, [(detector, detector)], seconds)
        store.commit()
    return project


def unmute(folder: str, detector: str) -> bool:
    """End the muting of a detector; returns whether it was muted."""
    with _opened() as store:
        return forget(store.connection, project_of(folder), MUTE, detector) > 0


def answers(folder: str) -> list[Answer]:
    """What is allowed and muted in the project of a folder, the oldest first."""
    with _opened() as store:
        return answers_in(store.connection, project_of(folder))


def stop(session: SessionOverview) -> None:
    """End a run at its next event. It stays stopped until the user sends a message in it.

    In a framework, a program sends the messages of the user. There the first message after that is answered with the
    stop, unless another event was.
    """
    with _opened() as store:
        store.begin()
        row = store.find(_key(session))
        notes = Notes(row.notes)
        notes.halted, notes.halted_in, notes.off, notes.stop_is_due = STOPPED, OBSERVE, False, True
        store.keep_notes(row, watchful=1, verdict="stop")
        store.record_decision(row, session.steps, "stop", "manual_stop", STOPPED)
        store.commit()


def leave_alone(session: SessionOverview, off: bool) -> None:
    """Turn Headway off for a session, or on again as after a user message. A pending `stop` stays."""
    with _opened() as store:
        store.begin()
        row = store.find(_key(session))
        notes = Notes(row.notes)
        notes.off = off
        store.keep_notes(row)
        store.commit()
        if not off and notes.halted != STOPPED:
            hook_event = HookEvent(ALLOWED, PROMPT, session.session, agent=session.agent, cwd=session.cwd)
            watch(store, host_called(session.host), hook_event, row.route)


def _told_repeats(store: SessionStore, session: SessionOverview) -> list[tuple[str, str]]:
    """The calls that the agent was nudged about in this turn, as fingerprints and as text."""
    row = store.find(_key(session))
    hook_event = HookEvent(ALLOWED, PROMPT, session.session, agent=session.agent, cwd=session.cwd)
    if row.monitor is None:
        return []
    told = monitor_of(row, hook_event, row.settings_mark).session
    entries = [entry for entry in told.ledger.active(told.clock) if entry.nudged_at is not None]
    names = {call.digest: f"{call.tool_name} {call.meaning.command or call.meaning.path or ''}" for call in told.calls}
    digests = dict.fromkeys(one for entry in entries for one in entry.finding.repeats)
    return [(str(one), names.get(one, "a call").strip()[:200]) for one in digests]


def _key(session: SessionOverview) -> tuple[str, str, str]:
    return session.host, session.session, session.agent


@contextmanager
def _opened() -> Iterator[SessionStore]:
    store = SessionStore()
    try:
        store.prepare()
        yield store
    finally:
        store.roll_back()
        store.close()
