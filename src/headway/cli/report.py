"""`headway report`: show the report of a stored loop."""

from pathlib import Path

import click

from headway.cli.app import ended_by_signals
from headway.cli.stored_loop import ROOT, loop_folder, read_report, refusals_explained, with_root
from headway.core.finding import Severity
from headway.reports.iteration_markdown import iteration_report
from headway.reports.loop_html import loop_page
from headway.reports.loop_json import LoopFormatError, loop_json
from headway.reports.selection_markdown import selection_report, verdict
from headway.reports.text import plain
from headway.reports.words import counted
from headway.scoring.assessment import LoopReport
from headway.store.loop_files import LOOP, StorageError, loops, write_atomically


@click.command()
@click.argument("loop", required=False, metavar="[LOOP|RESULTS]")
@with_root
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json", "html"]),
    help="Format of the report.  [default: markdown for a loop, text for the results of a scan]",
)  # fmt: skip
@click.option(
    "-o", "--output", "--out", "out", type=click.Path(path_type=Path),
    help="Write to this file instead of standard output.",
)  # fmt: skip
@click.option("--runs/--no-runs", default=None, help="Results of a scan: list each run and its findings.")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Results of a scan: list the N worst runs.")
@click.option(
    "--min-severity", type=click.Choice([str(s) for s in Severity]), default="medium", show_default=True,
    help="Results of a scan: lowest severity to show.",
)  # fmt: skip
@refusals_explained
@ended_by_signals()
def command(
    loop: str | None,
    root: Path,
    form: str | None,
    out: Path | None,
    runs: bool | None,
    top: int | None,
    min_severity: str,
) -> None:
    """Show a stored loop, or the results of a scan that wrote Parquet tables.

    LOOP is the id of a loop, a prefix of it, `last`, or the path of its folder. Without it, all loops are listed.
    RESULTS is the folder or the URL that `headway scan -o` wrote tables to. The report is that of `headway scan`.

    \b
      headway report
      headway report fix-login
      headway report fix-login --format html -o loop.html
      headway report results/ --format html -o scan.html
      headway report s3://bucket/results/
    """
    if loop is not None and _may_be_results(loop):
        from headway.cli.results_report import are_results, report_results  # rarely needed

        if are_results(loop):
            report_results(loop, form or "text", out, runs, Severity(min_severity), top)
            return
    form = form or "markdown"
    if form == "text":
        raise click.UsageError("a loop is shown as markdown, json or html")
    text = _listed(root) if loop is None else _rendered(read_report(_loop_at(loop, root)), form)
    if out in (None, Path("-")):
        click.echo(text, nl=False)
    else:
        write_atomically(out, text.encode())


def _may_be_results(place: str) -> bool:
    return "://" in place or Path(place).is_dir()


def _loop_at(name: str, root: Path) -> Path:
    try:
        folder = loop_folder(name, root)
    except StorageError:
        _refuse_others(Path(name))
        raise
    if folder == Path(name):
        _refuse_others(folder)
    return folder


def _refuse_others(place: Path) -> None:
    """Refuse a path that has neither a loop nor results, and say what is expected."""
    if place.is_file():
        told = "a file; expected a loop, or the folder with the tables of a scan (`headway scan -o FOLDER/`)"
        raise click.ClickException(f"{place}: {told}")
    if place.is_dir() and not (place / LOOP).exists():
        raise click.ClickException(f"{place}: neither a loop nor the results of a scan are in this folder")


def _listed(root: Path) -> str:
    known = loops(root) if root != ROOT or root.is_dir() else []
    if not known:
        click.echo(f"no loops in {plain(str(root.absolute()))}; `headway loop` starts one", err=True)
    return "".join(f"{plain(loop_id)}\t{_summary(root / loop_id)}\n" for loop_id in known)


def _summary(folder: Path) -> str:
    try:
        loop = read_report(folder)
    except (StorageError, LoopFormatError) as error:  # a damaged loop must not hide the others
        return f"cannot be read: {error}"
    rounds = sum(one.iteration.number > 0 for one in loop.rounds)
    return f"{counted(rounds, 'round')}\t{verdict(loop)}"


def _rendered(loop: LoopReport, form: str) -> str:
    if form == "json":
        return loop_json(loop).decode()
    if form == "html":
        return loop_page(loop)
    return "\n".join([selection_report(loop), *(iteration_report(one, loop.rounds) for one in loop.rounds)])
