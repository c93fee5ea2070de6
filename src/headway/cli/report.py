"""`headway report`: show a stored loop again."""

from pathlib import Path

import click

from headway.reports.iteration_markdown import iteration_report
from headway.reports.loop import LoopReport
from headway.reports.loop_html import loop_page
from headway.reports.loop_json import LoopFormatError, loop_from_json, loop_json
from headway.reports.selection_markdown import selection_report, verdict
from headway.reports.text import plain
from headway.store.loop_files import LOOP, LoopFiles, StorageError, loops, read_loop, write_atomically

ROOT = Path(".headway") / "loops"


@click.command()
@click.argument("loop", required=False)
@click.option(
    "--root",
    type=click.Path(path_type=Path),
    default=ROOT,
    show_default=True,
    help="The folder that loops are kept in.",
)
@click.option(
    "--format", "form", type=click.Choice(["markdown", "json", "html"]), default="markdown", show_default=True
)
@click.option("--out", type=click.Path(path_type=Path), help="Write to this file instead of standard output.")
def command(loop: str | None, root: Path, form: str, out: Path | None) -> None:
    """Show a stored loop: its rounds, their alerts, and which one is handed over.

    LOOP is the id of a loop or the path of its folder. Without it, all loops are listed.

    \b
      headway report
      headway report fix-login
      headway report fix-login --format html --out loop.html
    """
    try:
        text = _listed(root) if loop is None else _rendered(_loaded(_folder(loop, root)), form)
        if out is None:
            click.echo(text, nl=False)
        else:
            write_atomically(out, text.encode())
    except (StorageError, LoopFormatError) as error:
        raise click.ClickException(str(error)) from error


def _listed(root: Path) -> str:
    return "".join(f"{plain(loop_id)}\t{_summary(root / loop_id)}\n" for loop_id in loops(root))


def _summary(folder: Path) -> str:
    try:
        loop = _loaded(folder)
    except (StorageError, LoopFormatError) as error:  # one broken loop does not hide the others
        return f"cannot be read: {error}"
    rounds = sum(one.iteration.number > 0 for one in loop.rounds)
    return f"{rounds} round{'s' * (rounds != 1)}\t{verdict(loop)}"


def _folder(loop: str, root: Path) -> Path:
    """A loop of that id, or else a folder at that path."""
    try:
        by_id = LoopFiles(root, loop).folder
    except ValueError:
        return Path(loop)
    return by_id if by_id.is_dir() or not Path(loop).is_dir() else Path(loop)


def _loaded(folder: Path) -> LoopReport:
    return loop_from_json(read_loop(folder), str(folder / LOOP))


def _rendered(loop: LoopReport, form: str) -> str:
    if form == "json":
        return loop_json(loop).decode()
    if form == "html":
        return loop_page(loop)
    return "\n".join([selection_report(loop), *(iteration_report(one, loop.rounds) for one in loop.rounds)])
