"""Orders of a person about a live session, given in another terminal: allow what was refused, or leave it alone."""

from headway.hosts.hook.event import PROMPT, HookEvent
from headway.hosts.hook.notes import Notes
from headway.hosts.hook.recognise import host_called
from headway.hosts.hook.watch import watch
from headway.store.overview import SessionOverview
from headway.store.sessions import Row, SessionStore


def allow(session: SessionOverview) -> None:
    """Let what was refused run. It has the effect of a message in the session: counts and refusals are cleared."""
    store, row = _opened(session)
    try:
        heard = HookEvent("allow", PROMPT, session.session, agent=session.agent, cwd=session.cwd)
        watch(store, host_called(session.host), heard, row.route)
    finally:
        store.close()


def leave_alone(session: SessionOverview, off: bool) -> None:
    """Say and refuse nothing more in a session, or watch it again from the beginning."""
    store, _ = _opened(session)
    try:
        store.begin()
        row = store.find((session.host, session.session, session.agent))
        Notes(row.notes).off = off
        store.keep_notes(row)
        store.commit()
    finally:
        store.close()
    if not off:
        allow(session)


def _opened(session: SessionOverview) -> tuple[SessionStore, Row]:
    store = SessionStore()
    store.prepare()
    return store, store.find((session.host, session.session, session.agent), light=True)
