"""`headway scan`: read recordings and report what went wrong, and where."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from headway.cli.options import settings_found, with_settings
from headway.config.settings import Settings
from headway.core.decision import Action
from headway.core.finding import Severity
from headway.readers import UnknownFormatError, readers, recordings_in
from headway.reports.json import as_json
from headway.reports.run import RunReport
from headway.reports.text import as_text
from headway.sources import Source
from headway.study.scan import scan

FAILING = (Action.STOP, Action.ROLLBACK, Action.ESCALATE)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--reader", type=click.Choice(sorted(readers())), help="Format of the recordings; recognised by itself.")
@click.option(
    "--min-severity", type=click.Choice([str(s) for s in Severity]), default="medium", show_default=True,
    help="Weakest finding the text shows; JSON always has all.",
)  # fmt: skip
@click.option(
    "--fail-on", type=click.Choice([str(a) for a in Action if a is not Action.CONTINUE] + ["never"]),
    help="Exit with 1 when a run earned this action or a stronger one.  [default: stop]",
)  # fmt: skip
@click.option("--attended", is_flag=True, help="A person is there: escalate where Headway would stop.")
@with_settings
def command(
    paths: tuple[str, ...],
    form: str,
    reader: str | None,
    min_severity: str,
    fail_on: str | None,
    attended: bool,
    overrides: tuple[str, ...],
) -> int:
    """Read recordings of agents and report what went wrong.

    PATH is a file, a folder that is walked, or - for standard input. Claude Code transcripts and Headway's own
    event format are recognised by content; .gz files are read as they are.

    \b
      headway scan ~/.claude/projects
      headway scan session.jsonl --format json
      some-program | headway scan -

    Exit codes: 0 nothing to act on, 1 a run earned stop, rollback or escalate, 2 something could not be read.
    """
    settings = settings_found([*overrides, *(["policy.attended=true"] if attended else [])])
    reports = list(_all_reports(paths, reader, settings))
    if form == "json":
        click.echo(as_json(reports))
    else:
        Console().print(as_text(reports, Severity(min_severity)))
    return int(any(_fails(report.verdict, fail_on) for report in reports))


def _fails(verdict: Action, fail_on: str | None) -> bool:
    if fail_on is None:
        return verdict in FAILING
    return fail_on != "never" and verdict.rank >= Action(fail_on).rank


def _all_reports(paths: Iterable[str], reader: str | None, settings: Settings) -> Iterator[RunReport]:
    sources = [(source, Path(path).is_dir()) for path in paths for source in _sources(path)]
    passed_over = 0
    with Progress(console=Console(stderr=True), transient=True, disable=len(sources) < 2) as progress:
        for source, from_folder in progress.track(sources, description="reading"):
            try:
                found = list(scan(source, reader, settings))
                yield from found
                if not found:
                    raise UnknownFormatError(_nothing_in(source))
            except UnknownFormatError as error:
                if not from_folder:
                    raise click.ClickException(str(error)) from error
                passed_over += 1
            except OSError as error:
                raise click.ClickException(f"{source.name}: {error.strerror or error}") from error
    if passed_over:
        click.echo(f"{passed_over} of {len(sources)} files are no recordings and were passed over", err=True)
    if passed_over == len(sources):
        raise click.ClickException(f"no recordings found in {', '.join(paths)}")


def _nothing_in(source: Source) -> str:
    why = (
        f"none of its {source.skipped} records could be read; {source.first_fault}" if source.skipped else "it is empty"
    )
    return f"{source.name}: {why}"


def _sources(path: str) -> Iterator[Source]:
    if path == "-":
        yield Source.stdin()
    elif Path(path).exists():
        yield from recordings_in(Path(path))
    else:
        raise click.ClickException(f"{path}: there is no such file or folder")
