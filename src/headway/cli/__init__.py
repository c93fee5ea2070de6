"""The command line: one file per command, each calling the library.

`main` starts a command; `app.py` lists them, and imports the one that is called. A command checks its options, calls
the library, and prints: results go to standard output, everything else to standard error. Nothing is decided here,
and no other package may import this one.
"""

import errno
import sys

_MACHINE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)
"""Errors that say what this machine does not permit or has no space for; they are no fault of Headway."""


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit with its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["hook"]:  # runs many times a minute, so click is not imported
        from headway.hosts.hook.run import run as hook

        hook(given[1:])
    if given[:1] == ["statusline"]:  # so does this
        from headway.hosts.hook.statusline import main as statusline

        sys.exit(statusline(given[1:]))
    try:
        code = run(given)
    except KeyboardInterrupt:  # while modules are imported, before or after the command
        code = 130
        print("interrupted", file=sys.stderr)  # noqa: T201 - click may not be there yet
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code: 2 for bad usage or unreadable input, 130 when interrupted."""
    from contextlib import suppress

    import click

    from headway.cli.app import app, faults_printed

    ignore_closed_pipe = suppress(BrokenPipeError)
    try:
        with faults_printed():
            result = app.main(arguments, prog_name="headway", standalone_mode=False)
    except click.ClickException as error:
        with ignore_closed_pipe:
            error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        with ignore_closed_pipe:
            click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:  # the output was closed
        from headway.cli.output import discard_output  # imports rich, which `--help` does not need

        discard_output()
        return 0
    except Exception as error:  # exit code 1 means that a run got a stop, so a fault must not use it
        import sqlite3

        from headway.config.settings import SettingsError  # slow to import
        from headway.store.place import PlaceError, database

        with ignore_closed_pipe:
            if isinstance(error, SettingsError | PlaceError):
                click.ClickException(str(error)).show()
            elif isinstance(error, sqlite3.DatabaseError):
                click.ClickException(f"{database()}: {error}; run `headway doctor` for details").show()
            elif isinstance(error, OSError) and error.errno in _MACHINE:
                click.ClickException(f"{error.filename or 'a file'}: {error.strerror}").show()
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
