"""`headway status`: the live sessions on this machine with findings and decisions."""

import time

import click
import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from headway.cli.live_sessions import ago, sessions_since
from headway.cli.options import duration
from headway.cli.output import Terminal
from headway.core.decision import Action
from headway.reports.text import plain, verdict_style
from headway.reports.words import counted
from headway.store.outgoing import OutgoingCounts, outgoing_counts
from headway.store.overview import KeptFinding, SessionOverview
from headway.store.sessions import KEPT_SESSIONS
from headway.store.states import state_of

_SHOWN = 5
WEEK = 7 * 86_400.0


@click.command()
@click.option("--since", metavar="TIME", callback=duration, default="24h", show_default=True,
              help="How far to look back: 12h, 7d, 1w.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(since: float, form: str) -> int:
    """Show the live sessions on this machine: steps, findings and the last decision.

    A session appears here once its agent has called `headway hook`; `headway install` sets that up. The JSON output has
    all findings and decisions. `headway watch` shows the same live. If the mode prevented something in the last week,
    the last lines say what `enforce` would have done, and what the agents spent after that.

    \b
      headway status
      headway status --since 1w --format json
    """
    sessions, forwarding = sessions_since(since), _forwarding()
    if form == "json":
        document = {"version": 1, "sessions": sessions, **({"forwarding": forwarding} if forwarding else {})}
        click.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
    elif sessions:
        shown = [_shown(session, time.time()) for session in sessions]
        Terminal(highlight=False).print(*shown, *map(Text, _left_undone()), sep="\n", soft_wrap=True)
    else:
        hours = since / 3600
        last = f"{hours:g} hour{'s' * (hours != 1)}"
        click.echo(f"No agent activity in the last {last}. Run `headway doctor` to check the hook.")
        click.echo("\n".join(_left_undone()), nl=False)
    if form == "text" and forwarding is not None:
        click.echo(forwarding.as_text())
    return 0


def _forwarding() -> OutgoingCounts | None:
    """The queue of events for other machines, if it was ever used."""
    counts = outgoing_counts()
    return counts if counts is not None and counts.is_used else None


def _left_undone() -> list[str]:
    """What `enforce` would have done in the last week."""
    sessions = sessions_since(WEEK, limit=KEPT_SESSIONS)
    if not any(decision.would for session in sessions for decision in session.decisions):
        return []
    from headway.cli.options import prices_found  # recordings are read only if there is something to look up
    from headway.study.left_undone import in_words, left_undone

    found = left_undone(sessions, time.time() - WEEK, prices_found(None))
    lines = [plain(line) for line in in_words(found, "7 days")]
    return ["", *lines, "To switch it on: headway install AGENT --mode enforce"] if lines else []


def _shown(session: SessionOverview, now: float) -> RenderableType:
    heading = Text.assemble(
        (plain(session.host), "bold"),
        f" {plain(session.session)[:8]}{' / ' + plain(session.agent)[:12] if session.agent else ''}",
        f" in {plain(session.cwd) or '?'}: {counted(session.steps, 'step')}, ",
        (session.verdict, verdict_style(Action(session.verdict))),
        f", {state_of(session, now)}, {'ended' if session.ended else 'active'} {ago(now - session.seen_at)} ago",
        ", Headway is off" if session.off else "",
    )
    return Group(heading, *(Text(f"  {line}") for line in _details(session)))


def _details(session: SessionOverview) -> list[str]:
    told = [finding for finding in session.findings if finding.severity != "low"]
    lines = [f"first prompt: {plain(session.prompt)}"] if session.prompt else []
    lines += [f"waiting for you: {plain(session.waiting)}"] if session.waiting else []
    lines += [
        f"{found.detector} ({found.severity}), {_steps(found)}: {plain(found.message)}" for found in told[:_SHOWN]
    ]
    if len(told) > _SHOWN:
        lines.append(f"and {len(told) - _SHOWN} more")
    for decision in session.decisions[:1]:
        not_done = ", prevented by the mode" if decision.would else ""
        lines.append(f"last decision: {decision.action} at step {decision.step} ({plain(decision.reason)}){not_done}")
    return lines


def _steps(found: KeptFinding) -> str:
    return (
        f"step {found.last_step}"
        if found.first_step == found.last_step
        else f"steps {found.first_step}–{found.last_step}"
    )
