"""`headway off`: leave a session alone."""

import click

from headway.cli.live_sessions import named_session
from headway.hosts.hook.orders import leave_alone


@click.command()
@click.argument("session", required=False)
@click.option("--undo", is_flag=True, help="Watch the session again.")
def command(session: str | None, undo: bool) -> int:
    """Leave a live session alone: nothing is said in it and nothing is refused until it ends.

    Steps and findings are still recorded. SESSION is the id that `headway status` shows, or its beginning. Without it,
    the session that was active last in this folder is meant, or else in a folder above or below it. Its sub-agents are
    left alone as well, also those that start later.

    \b
      headway off
      headway off --undo
      headway off 3f2a91c0

    Exit codes: 0 done, 2 there is no such session.
    """
    for one in named_session(session):
        leave_alone(one, not undo)
        state = "is watched again" if undo else "is left alone"
        click.echo(f"{one.host} {one.session[:8]} in {one.cwd or '?'} {state}")
    return 0
