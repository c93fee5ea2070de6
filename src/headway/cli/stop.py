"""`headway stop`: end the run of a live session."""

import click

from headway.cli.live_sessions import in_words, live_session
from headway.hosts.hook.orders import stop


@click.command()
@click.argument("session", required=False)
def command(session: str | None) -> int:
    """Stop the agent of a live session at its next event, until you send it a message.

    Programs whose runs a hook can end are ended there; in the others every further call is refused, and the agent is
    asked to report. This works in every mode, and sub-agents are stopped too. SESSION is the id that `headway status`
    shows, or a prefix of it. The default is the session that was active last in this folder, or else in a folder above
    or below it.

    \b
      headway stop
      headway stop 3f2a91c0

    Exit codes: 0 done; 2 no such session, or it has ended.
    """
    for one in live_session(session):
        stop(one)
        click.echo(f"{in_words(one)}: it stops at its next event, until you send it a message")
    return 0
