"""`headway off`: turn Headway off for one session."""

import click

from headway.cli.live_sessions import in_words, live_session
from headway.hosts.hook.orders import leave_alone


@click.command()
@click.argument("session", required=False)
@click.option("--undo", is_flag=True, help="Turn Headway on again.")
def command(session: str | None, undo: bool) -> int:
    """Turn Headway off for a live session: no messages and no refusals until it ends.

    Steps and findings are still recorded. Sub-agents are included, even those that start later. SESSION is the id that
    `headway status` shows, or a prefix of it. The default is the session that was active last in this folder, or else
    in a folder above or below it.

    \b
      headway off
      headway off --undo
      headway off 3f2a91c0

    Exit codes: 0 done; 2 no such session, or it has ended.
    """
    for one in live_session(session):
        leave_alone(one, not undo)
        state = "on again" if undo else "off"
        click.echo(f"{in_words(one)}: Headway is {state}")
    return 0
