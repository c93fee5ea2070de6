"""Live sessions as text: printed by `headway status`, updated by `headway watch`."""

import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from headway.hosts.hook.orders import can_be_told
from headway.reports.text import plain
from headway.store.overview import SessionOverview, is_near, list_sessions
from headway.store.place import database
from headway.store.sessions import KEPT_SESSIONS
from headway.store.states import DONE, IDLE, LOOPING, NEEDS_YOU, STATES, WORKING, open_finding, state_of

DAY = 86_400.0
"""Seconds after which a session is no longer found by its folder alone."""


def sessions_since(seconds: float, limit: int = 100) -> list[SessionOverview]:
    """The sessions that were active in the last `seconds`, latest first."""
    try:
        return list_sessions(since=time.time() - seconds, limit=limit)
    except sqlite3.Error as error:
        raise click.ClickException(f"{database()}: {error}; run `headway doctor` for details") from error


def named_session(name: str | None) -> list[SessionOverview]:
    """All agents of a session, found by a prefix of its id or by this folder.

    A live session is preferred to one that has ended. In a folder, a session that started there is preferred to one
    that started above or below it, and then the one that was active last.
    """
    known = sessions_since(DAY, limit=KEPT_SESSIONS)
    here = os.path.realpath(".")
    fitting = [one for one in known if (is_near(one, here) if name is None else name and one.session.startswith(name))]
    if not fitting:
        which = f"in {here}" if name is None else f"{name!r}"
        raise click.ClickException(
            f"no session {which} was active in the last 24 hours; `headway status --since 30d` lists older ones"
        )
    fitting = [one for one in fitting if not one.ended] or fitting
    if len({one.session for one in fitting}) > 1 and name:
        listed = {one.session: f"\n  {plain(one.session)}  {session_label(one)}" for one in fitting}
        raise click.ClickException(f"{name!r} matches several sessions; name one of them:{''.join(listed.values())}")
    meant = next((one for one in fitting if os.path.realpath(one.cwd) == here), fitting[0])
    told = [one for one in known if one.session == meant.session and can_be_told(one)]
    if not told:
        raise click.ClickException(f"{in_words(meant)} is known from telemetry only, so nothing can be sent to it")
    return told


def live_session(name: str | None) -> list[SessionOverview]:
    """The agents of a session that have not ended, found as by `named_session`."""
    found = named_session(name)
    live = [one for one in found if not one.ended]
    if not live:
        raise click.ClickException(f"{in_words(found[0])} has ended")
    return live


def in_words(session: SessionOverview) -> str:
    """One line that names the session."""
    return f"{plain(session.host)} {plain(session.session)[:8]} in {plain(session.cwd) or '?'}"


STATE_STYLES = {NEEDS_YOU: "bold yellow", LOOPING: "bold red", WORKING: "green", IDLE: "", DONE: "dim"}


def in_order(sessions: Sequence[SessionOverview], now: float) -> list[SessionOverview]:
    """Sessions that need attention first, and within a state the most recently active one."""
    return sorted(sessions, key=lambda one: (STATES.index(state_of(one, now)), -one.seen_at))


def as_table(sessions: Sequence[SessionOverview], now: float, chosen: int = -1) -> Table:
    """One line per session, with the chosen one marked. It fits into 80 columns."""
    table = Table(box=None, pad_edge=False, expand=True)
    table.add_column("", no_wrap=True, width=1)
    table.add_column("state", no_wrap=True, width=9)
    table.add_column("agent", no_wrap=True, max_width=12)
    table.add_column("id", no_wrap=True, width=8)
    table.add_column("first prompt", ratio=1, no_wrap=True, overflow="ellipsis")
    table.add_column("steps", justify="right", no_wrap=True)
    table.add_column("finding", no_wrap=True, overflow="ellipsis", max_width=16)
    table.add_column("seen", justify="right", no_wrap=True)
    for number, session in enumerate(sessions):
        state, finding = state_of(session, now), open_finding(session)
        name = f"{session.host}{'+' if session.agent else ''}"  # a sub-agent
        table.add_row(
            "▸" if number == chosen else "",
            Text(state, style=STATE_STYLES[state]),
            Text(plain(name)),
            Text(plain(session.agent or session.session)[:8]),
            Text(session_label(session)),
            str(session.steps),
            Text(plain(finding.detector) if finding else "–"),
            ago(now - session.seen_at),
            style="dim" if state == DONE else "",
        )
    return table


def session_label(session: SessionOverview) -> str:
    """How a person recognises a session: its first prompt, or its folder while there is none."""
    folder = Path(session.cwd).name or session.cwd
    return plain(f"{session.prompt} ({folder})" if session.prompt and folder else session.prompt or folder or "–")


def ago(seconds: float) -> str:
    """A short text for how long ago something was."""
    for unit, length in (("d", 86_400), ("h", 3600), ("m", 60)):
        if seconds >= length:
            return f"{seconds // length:.0f}{unit}"
    return f"{max(0, seconds):.0f}s"
