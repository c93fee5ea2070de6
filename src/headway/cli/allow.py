"""`headway allow`: let a session repeat what it was nudged about."""

from pathlib import Path

import click

from headway.cli.live_sessions import in_words, named_session
from headway.hosts.hook.orders import allow, disallow


@click.command()
@click.argument("session", required=False)
@click.option("--undo", is_flag=True, help="Forget all calls that were allowed in the project of this folder.")
def command(session: str | None, undo: bool) -> int:
    """Let a live session repeat the calls it was nudged about, and run what was refused.

    The project remembers these calls: repeating them is fine in later sessions too. `headway mute` lists them. This
    also works like a message from you in that session: counts are reset, refusals are lifted, and a stopped session
    continues. Limits that you set still apply.

    SESSION is the id that `headway status` shows, or a prefix of it. The default is the session that was active last in
    this folder, or else in a folder above or below it.

    \b
      headway allow
      headway allow 3f2a91c0
      headway allow --undo

    Exit codes: 0 done; 2 no such session.
    """
    if undo:
        if session:
            raise click.UsageError("--undo is about the project of this folder; it takes no session")
        count = disallow(str(Path.cwd()))
        click.echo(f"{count} allowed call{'s' * (count != 1)} forgotten in this project")
        return 0
    meant = named_session(session)
    told = [one for one in meant if one.verdict != "continue"]
    if not told:
        click.echo(
            f"{in_words(meant[0])}: nothing is refused in this session, and its agent got no nudge in this turn. "
            "To allow another session, pass its id; `headway status` lists them."
        )
    for one in told:
        calls = allow(one)
        was_refused = one.verdict in ("block", "stop", "escalate")
        click.echo(f"{in_words(one)}: {'refused calls may run again' if was_refused else 'counting starts again'}")
        for call in calls:
            click.echo(f"  may repeat in this project: {call}")
    return 0
