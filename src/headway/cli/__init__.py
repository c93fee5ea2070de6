"""The command line: one file per command, each calling the library."""

import sys


def main(arguments: list[str] | None = None) -> None:
    """Run one command and leave with its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["hook"]:  # it runs many times a minute: no time for click
        from headway.hosts.hook.run import run as hook

        hook(given[1:])
    try:
        code = run(given)
    except KeyboardInterrupt:  # before or after the command itself: while its modules are imported
        code = 130
        print("interrupted", file=sys.stderr)  # noqa: T201 - click may not be there yet
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code: 2 for bad usage or unreadable input, 130 when interrupted."""
    from contextlib import suppress

    import click

    from headway.cli.app import app
    from headway.store.fault_lines import faults_told

    ignore_closed_pipe = suppress(BrokenPipeError)
    try:
        with faults_told(_warn):
            result = app.main(arguments, prog_name="headway", standalone_mode=False)
    except click.ClickException as error:
        with ignore_closed_pipe:
            error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        with ignore_closed_pipe:
            click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:  # the reader of our output has seen enough
        from headway.cli.output import discard_output  # it brings rich along, which `--help` does without

        discard_output()
        return 0
    except Exception as error:  # 1 means that a run earned a stop, so a fault of ours must not end with it
        from headway.config.settings import SettingsError  # as slow to import as the rest of a command

        with ignore_closed_pipe:
            if isinstance(error, SettingsError):
                click.ClickException(str(error)).show()
            else:
                _report_fault()
        return 2
    return result if isinstance(result, int) else 0


def _report_fault() -> None:
    """Print the exception that is being handled."""
    import traceback

    import click

    traceback.print_exc()
    click.echo("Error: Headway itself failed; the lines above say where. Please report it.", err=True)


def _warn(line: str) -> None:
    """Tell of a fault; what a plug-in complains of may quote what the agent did."""
    import click

    from headway.reports.text import plain
    from headway.rolling.secrets import mask

    click.echo(f"Warning: {plain(mask(line))}", err=True)
