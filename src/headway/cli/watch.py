"""`headway watch`: all live sessions on this machine, updated live."""

import time

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from headway.cli.keys import Keys
from headway.cli.live_sessions import ago, as_table, sessions_since
from headway.cli.options import duration
from headway.core.decision import Action
from headway.reports.text import plain, verdict_style
from headway.store.overview import SessionOverview

_DECISIONS = 5
_SHORTEST = 0.1
"""Seconds between two looks, however often is asked for."""
_AROUND = 5
"""Number of lines besides sessions and decisions."""


@click.command()
@click.option("--since", metavar="TIME", callback=duration, default="24h", show_default=True,
              help="How far to look back: 12h, 7d, 1w.")  # fmt: skip
@click.option("--every", metavar="TIME", callback=duration, default="1s", show_default=True,
              help="How often to refresh.")  # fmt: skip
def command(since: float, every: float) -> int:
    """Watch all live sessions on this machine: agent, steps, last tool, verdict, findings.

    A session appears when its agent makes the first call, and moves to the top whenever it is active. The latest
    decisions are listed below. Press q to quit.

    Exit codes: 0 quit with q; 2 not a terminal; 130 interrupted.
    """
    console = Console()
    if not console.is_terminal:
        raise click.ClickException("not a terminal; use `headway status` instead")
    with Live(console=console, screen=True, auto_refresh=False) as live, Keys() as keys:
        while True:
            live.update(_drawn(sessions_since(since), console.height), refresh=True)
            key = keys.wait(max(every, _SHORTEST))
            if key in ("q", "Q"):
                return 0
            if key == "\x03":  # where Ctrl-C is an ordinary key
                raise KeyboardInterrupt


def _drawn(sessions: list[SessionOverview], height: int) -> RenderableType:
    now = time.time()
    decisions = _decisions(sessions, now)
    room = max(1, height - _AROUND - decisions.row_count)
    active = sum(not session.ended for session in sessions)
    head = Text(f"{active} open, {len(sessions) - active} ended · press q to quit", style="dim", no_wrap=True)
    if not sessions:
        return Group(head, Text("\nNo agent activity yet. Run `headway doctor` to check the hook."))
    parts: list[RenderableType] = [head, Text(), as_table(sessions[:room], now)]
    if decisions.row_count:
        parts += [Text(), decisions]
    return Group(*parts)


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
        action = Text(decision.action, style=verdict_style(Action(decision.action)))
        table.add_row(ago(now - decision.at), plain(session.host), action, Text(plain(decision.message)))
    return table
