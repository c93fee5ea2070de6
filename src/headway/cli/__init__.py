"""The command line: one file per command, each calling the library."""

import sys


def main(arguments: list[str] | None = None) -> None:
    """Run one command and leave with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code: 2 for bad usage or unreadable input, 130 when interrupted."""
    import click

    from headway.cli.app import app

    try:
        result = app.main(arguments, prog_name="headway", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stderr.close()
        return 0
    return result if isinstance(result, int) else 0
