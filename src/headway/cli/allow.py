"""`headway allow`: let a session run what was refused."""

import click

from headway.cli.live_sessions import named_session
from headway.hosts.hook.orders import allow
from headway.store.overview import SessionOverview


@click.command()
@click.argument("session", required=False)
def command(session: str | None) -> int:
    """Let a live session run what Headway refused.

    This works like a message from you in that session: counts are reset, refusals are lifted, and a stopped session
    continues. If the agent keeps going in circles, it is told again first. Limits that you set still apply.

    SESSION is the id that `headway status` shows, or a prefix of it. The default is the session that was active last in
    this folder, or else in a folder above or below it.

    \b
      headway allow
      headway allow 3f2a91c0

    Exit codes: 0 done; 2 no such session.
    """
    meant = named_session(session)
    refused = [one for one in meant if one.verdict in ("block", "stop", "escalate")]
    if not refused:
        click.echo(
            f"{_which(meant[0])}: nothing is refused in this session. To allow another session, pass its id; `headway "
            "status` lists them."
        )
    for one in refused:
        allow(one)
        click.echo(f"{_which(one)}: refused calls may run again")
    return 0


def _which(session: SessionOverview) -> str:
    return f"{session.host} {session.session[:8]} in {session.cwd or '?'}"
