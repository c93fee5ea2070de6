"""`headway allow`: let a session run what was refused."""

import click

from headway.cli.live_sessions import named_sessions
from headway.hosts.hook.orders import allow


@click.command()
@click.argument("session", required=False)
def command(session: str | None) -> int:
    """Let a live session run what Headway refused.

    It works like a message of yours in that session: what was counted and refused is cleared, and a stopped session
    goes on. If the agent keeps going in circles, it is told again first. Limits that you set still hold.

    SESSION is the id that `headway status` shows, or its beginning. Without it, the session that was last refused
    something or stopped in this folder is meant.

    \b
      headway allow
      headway allow 3f2a91c0

    Exit codes: 0 done, 2 there is no such session.
    """
    refused = named_sessions(session, refused=True)
    if not refused:
        click.echo("nothing is refused in this folder now; a message of yours in a session allows it too")
    for one in refused:
        allow(one)
        click.echo(f"{one.host} {one.session[:8]} in {one.cwd or '?'}: what was refused may run again")
    return 0
