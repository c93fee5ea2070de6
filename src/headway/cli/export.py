"""`headway export`: write the files of a round to a new folder."""

from pathlib import Path

import click

from headway.cli.stored_loop import refusals_explained, snapshot_of, stored_loop, with_root, working
from headway.reports.words import counted
from headway.snapshots import export


@click.command()
@click.argument("loop")
@click.argument("round")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@with_root
@refusals_explained
def command(loop: str, round: str, folder: Path, root: Path) -> None:
    """Write the files of a round to DIR, which must be new or empty. Nothing else is touched.

    LOOP is the id of a loop, a prefix of it, or `last`. ROUND is a number, `baseline`, `best`, or the name of a state
    that `headway rollback` saved.

    \b
      headway export last best ../best-of-all
      headway export fix-login 3 /tmp/round-3
    """
    snapshot = snapshot_of(stored_loop(loop, root), round)
    try:
        with working(f"writing {counted(snapshot.files, 'file')}"):
            count = export(snapshot, folder)
    except FileExistsError as error:
        raise click.ClickException(
            f"{folder} is not an empty folder. Nothing was written. Choose a new folder."
        ) from error
    except OSError as error:
        raise click.ClickException(f"{error}; {folder} is incomplete") from error
    except KeyboardInterrupt:
        click.echo(f"{folder} is incomplete", err=True)
        raise
    click.echo(f"{counted(count, 'file')} written to {folder}", err=True)
