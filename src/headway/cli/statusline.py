"""`headway statusline`: state, cost and minutes of a Claude Code session.

`headway.cli.main` runs it before click is imported; this command exists for the help and for tests.
"""

import click


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> int:
    """Print one line about a session for Claude Code's status line; Claude Code runs this."""
    from headway.hosts.hook.statusline import main

    return main(list(arguments))
