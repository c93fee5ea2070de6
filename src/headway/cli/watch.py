"""`headway watch`: all live sessions on this machine, updated live."""

import time

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from headway.cli.keys import DOWN, ENTER, ESCAPE, UP, Keys
from headway.cli.live_sessions import STATE_STYLES, ago, as_table, in_order, sessions_since
from headway.cli.options import duration
from headway.core.decision import Action
from headway.reports.text import plain, verdict_style
from headway.rolling.text import counted
from headway.store.overview import KeptDecision, SessionOverview
from headway.store.states import STATES, state_of

_DECISIONS = 5
_MIN_SECONDS_BETWEEN_UPDATES = 0.1
_AROUND = 5
"""Number of lines besides sessions and decisions."""


@click.command()
@click.option("--since", metavar="TIME", callback=duration, default="24h", show_default=True,
              help="How far to look back: 12h, 7d, 1w.")  # fmt: skip
@click.option("--every", metavar="TIME", callback=duration, default="1s", show_default=True,
              help="How often to refresh.")  # fmt: skip
def command(since: float, every: float) -> int:
    """Watch all live sessions on this machine: state, agent, id, first prompt, steps and finding.

    Sessions that need you come first, then those that are looping, working, idle and done. The latest decisions are
    listed below. Choose a session with the arrow keys (or j and k) and press Enter to open it; Escape goes back. Press
    q to quit.

    Exit codes: 0 quit with q; 2 not a terminal; 130 interrupted.
    """
    console = Console()
    if not console.is_terminal:
        raise click.ClickException("not a terminal; use `headway status` instead")
    view = View()
    with Live(console=console, screen=True, auto_refresh=False) as live, Keys() as keys:
        while True:
            view.take(in_order(sessions_since(since), time.time()))
            live.update(view.drawn(console.height), refresh=True)
            key = keys.wait(max(every, _MIN_SECONDS_BETWEEN_UPDATES))
            if key in ("q", "Q"):
                return 0
            if key == "\x03":  # where Ctrl-C is an ordinary key
                raise KeyboardInterrupt
            view.press(key)


class View:
    """What `headway watch` shows: all sessions with one selected, or the open one."""

    def __init__(self) -> None:
        self.sessions: list[SessionOverview] = []
        self.chosen: tuple[str, ...] = ()
        """The selected session, wherever it moves."""
        self.is_open = False

    def take(self, sessions: list[SessionOverview]) -> None:
        """Update the sessions. If the selected one is gone, the first one is selected."""
        self.sessions = sessions
        if self.chosen not in map(_key, sessions):
            self.chosen, self.is_open = _key(sessions[0]) if sessions else (), False

    def press(self, key: str | None) -> None:
        """Handle a key."""
        if key in (UP, "k", DOWN, "j") and self.sessions:
            place = self._place + (-1 if key in (UP, "k") else 1)
            self.chosen = _key(self.sessions[min(max(place, 0), len(self.sessions) - 1)])
        elif key in ENTER:
            self.is_open = bool(self.sessions)
        elif key == ESCAPE:
            self.is_open = False

    @property
    def _place(self) -> int:
        return [_key(one) for one in self.sessions].index(self.chosen)

    def drawn(self, height: int) -> RenderableType:
        """The content of the screen."""
        now = time.time()
        if self.is_open:
            return _opened(self.sessions[self._place], now)
        decisions = _decisions(self.sessions, now)
        room = max(1, height - _AROUND - decisions.row_count)
        if not self.sessions:
            return Group(
                _head(self.sessions, now), Text("\nNo agent activity yet. Run `headway doctor` to check the hook.")
            )
        first = max(0, self._place - room + 1)
        table = as_table(self.sessions[first : first + room], now, self._place - first)
        parts: list[RenderableType] = [_head(self.sessions, now), Text(), table]
        if decisions.row_count:
            parts += [Text(), decisions]
        return Group(*parts)


def _key(session: SessionOverview) -> tuple[str, ...]:
    return session.host, session.session, session.agent


def _head(sessions: list[SessionOverview], now: float) -> Text:
    states = [state_of(one, now) for one in sessions]
    counts = ", ".join(f"{states.count(state)} {state}" for state in STATES if state in states)
    return Text(f"{counts or 'no sessions'} · Enter opens one, q quits", style="dim", no_wrap=True)


def _opened(session: SessionOverview, now: float) -> RenderableType:
    """One session with its findings and decisions, and how to answer."""
    state, id = state_of(session, now), plain(session.session)[:8]
    mark = Text(state, style=STATE_STYLES[state])
    head = Text.assemble(
        (plain(session.host), "bold"), f" {plain(session.session)} in {plain(session.cwd) or '?'}: ", mark
    )
    lines = [plain(session.prompt), plain(session.waiting)]
    spent = f"{counted(session.steps, 'step')}, started {ago(now - session.started_at)} ago"
    lines += [f"{spent}, active {ago(now - session.seen_at)} ago, {plain(session.model or 'model unknown')}", ""]
    lines += [f"! {found.detector}: {plain(found.message)}" for found in session.findings[:_DECISIONS]]
    lines += [_decided(one) for one in session.decisions[:_DECISIONS]]
    lines += ["", f"headway allow {id} · headway stop {id} · headway mute {id} · Escape goes back, q quits"]
    return Group(head, *(Text(line) for line, after in zip(lines, [*lines[1:], "."], strict=True) if line or after))


def _decided(one: KeptDecision) -> str:
    done = f"{one.action}, prevented by the mode" if one.would else one.action
    return f"> {done} at step {one.step}: {plain(one.message)}"


def _decisions(sessions: list[SessionOverview], now: float) -> Table:
    """The latest decisions of all sessions, newest first."""
    latest = sorted(
        ((decision, session) for session in sessions for decision in session.decisions[:_DECISIONS]),
        key=lambda pair: pair[0].at,
        reverse=True,
    )
    table = Table(box=None, pad_edge=False, expand=True, show_header=False)
    table.add_column(no_wrap=True, justify="right", width=4)
    table.add_column(no_wrap=True, max_width=12)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    for decision, session in latest[:_DECISIONS]:
        action = Text(f"({decision.action})" if decision.would else decision.action)
        action.stylize("dim" if decision.would else verdict_style(Action(decision.action)))
        table.add_row(ago(now - decision.at), plain(session.host), action, Text(plain(decision.message)))
    return table
