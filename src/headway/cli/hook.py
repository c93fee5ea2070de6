"""`headway hook`: one live event on stdin, the agent's own answer on stdout.

`headway.cli.main` runs the hook before click is imported; this command exists for the help and for tests.
"""

import click


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> int:
    """Answer one event of a live agent; agents run this."""
    from headway.hosts.hook.call import main

    return main(arguments)
