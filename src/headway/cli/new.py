"""`headway new`: write a detector, a reader or an adapter that works, with its test."""

from pathlib import Path

import click

from headway.cli.output import tell
from headway.scaffold import clone, project
from headway.scaffold.names import NewError, checked
from headway.scaffold.new_files import NewFiles


@click.command()
@click.argument("kind", type=click.Choice(["detector", "reader", "adapter"]))
@click.argument("name")
def command(kind: str, name: str) -> None:
    """Write a new detector, reader or adapter with its test.

    \b
      detector   looks for one pattern in what an agent does
      reader     reads the recordings of one format
      adapter    connects an agent framework to Headway

    NAME is in small letters with underscores, as in `failed_downloads`. What is written works and passes its tests, so
    you can change it step by step.

    \b
      headway new detector failed_downloads
      headway new reader my_format
      headway new adapter my_framework

    In a clone of Headway the files go where Headway looks for them, and all tables that list them get a line: `make
    check` passes at once. In any other project with a pyproject.toml you get a plug-in: a module in your package, a
    test, and the entry point that makes it known to every `headway` command.

    No file is overwritten. Exit codes: 0 written, 2 not written.
    """
    try:
        plan = _planned(kind, name)
        plan.write()
    except NewError as error:
        raise click.ClickException(f"{error} Nothing was written.") from error
    except OSError as error:
        raise click.ClickException(f"cannot write: {error}") from error
    for path in plan.new:
        click.echo(f"wrote    {path}")
    for path in [*plan.changed, *clone.regenerated_files(kind, plan.root)]:
        click.echo(f"changed  {path}")
    tell("\nIt works as it is. Now make it yours:")
    for number, step in enumerate(plan.next_steps, 1):
        tell(f"  {number}. {step}")


def _planned(kind: str, given: str) -> NewFiles:
    name = checked(given, kind)
    for folder in (Path.cwd(), *Path.cwd().parents):
        if clone.is_clone(folder):
            return clone.planned(kind, name, folder)
        if (folder / "pyproject.toml").is_file():
            return project.planned(kind, name, folder)
    raise NewError(
        "Neither a clone of Headway nor a project is here: no pyproject.toml in this folder or above it. "
        "`uv init --package my-project` begins one."
    )
