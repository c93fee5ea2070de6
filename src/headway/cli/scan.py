"""`headway scan`: find loops and waste in recordings."""

import time
from collections.abc import Iterable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

import click
import msgspec

from headway.cli.app import ended_by_signals
from headway.cli.options import prices_found, settings_found, with_engine, with_prices, with_reader_named, with_settings
from headway.cli.output import opened
from headway.cli.recordings import Once, all_sources, complaint, followed, found_on_this_machine
from headway.cli.scan_output import (
    FEW,
    Spool,
    are_listed,
    complain,
    fails,
    kept_runs,
    put_aside,
    write_report,
    write_suggestions,
)
from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import ScannedFile
from headway.readers import plugin_readers, readers
from headway.reports.groups import DIMENSIONS, Groups
from headway.reports.summary import Summary
from headway.rolling.dates import seconds_in
from headway.sources import readable
from headway.study.scan import ScanOptions, collected_rarely, scan_all


def _since(context: click.Context, option: click.Parameter, value: str | None) -> float | None:
    """An age (`7d`, `1h30m`) or a date (`2026-11-01`) as seconds since the epoch."""
    if value is None:
        return None
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(value).timestamp()
    try:
        return time.time() - seconds_in(value)
    except ValueError:
        told = f"{value!r} is neither an age such as 7d, 12h or 1h30m nor a date such as 2026-11-01"
        raise click.BadParameter(told) from None


def _dimensions(context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
    """The names to group runs by, without duplicates, in the given order."""
    names = tuple(dict.fromkeys(name.strip().lower() for name in (value or "").split(",") if name.strip()))
    for name in names:
        if name not in DIMENSIONS:
            raise click.BadParameter(f"{name!r} is none of {', '.join(DIMENSIONS)}")
    return names


class _WithFormats(click.Command):
    """A command whose help ends with the list of formats, which is loaded only for the help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Formats"):
            known = readers() | plugin_readers()
            formatter.write_dl([(name, reader.title) for name, reader in sorted(known.items())])


@click.command(cls=_WithFormats)
@click.argument("paths", nargs=-1, metavar="[PATH]…")
@click.option(
    "--format", "form",
    type=click.Choice(["text", "json", "markdown", "html", "junit", "sarif", "parquet"]),
    help="Format of the report.  [default: text; parquet if -o is a folder or a URL]",
)  # fmt: skip
@click.option(
    "-o", "--output", "--out", "output", metavar="PLACE",
    help="Write to this file. Parquet tables go into a folder (results/, with a slash if it is new) or below a URL.",
)  # fmt: skip
@click.option(
    "--runs/--no-runs", default=None,
    help=f"List each run and its findings below the summary.  [default: up to {FEW} runs]",
)  # fmt: skip
@click.option(
    "--since",
    callback=_since,
    metavar="AGE",
    help="Only runs active since then: 7d, 12h, 2026-11-01.  [default: 7d without PATH]",
)
@click.option("--agent", "agents", multiple=True, metavar="NAME", help="Only runs of this agent: codex, claude*.")
@click.option(
    "--by", callback=_dimensions, metavar="NAMES",
    help=f"Group the runs by these names, separated by commas: {', '.join(DIMENSIONS)}.",
)  # fmt: skip
@click.option(
    "--compare", nargs=2, metavar="A B",
    help="Compare two folders or files, two models (claude-opus*), or two weeks (2026-W45).",
)  # fmt: skip
@click.option(
    "--outcomes", type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="With --compare: a table with the columns run and solved (CSV, TSV or JSON lines).",
)  # fmt: skip
@click.option("--suggest", is_flag=True, help="Write only what to change, as a block for CLAUDE.md or AGENTS.md.")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="List the N most wasteful runs.")
@with_reader_named("The formats are listed below.")
@with_prices
@click.option(
    "--min-severity", type=click.Choice([str(s) for s in Severity]), default="medium", show_default=True,
    help="Lowest severity to show. JSON always has all findings.",
)  # fmt: skip
@click.option("--no-content", is_flag=True, help="Show only names, counts and hashes, no content.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N",
    help="Number of processes.  [default: one per core]",
)  # fmt: skip
@click.option(
    "--fail-on", type=click.Choice([str(a) for a in Action if a is not Action.CONTINUE] + ["never"]),
    help="Exit with 1 if a run got this decision or a stronger one.  [default: stop]",
)  # fmt: skip
@with_engine
@click.option("--steps", is_flag=True, help="With Parquet tables: also write the steps and timelines.")
@click.option("--dry-run", is_flag=True, help="With Parquet tables: only show how much there is to do.")
@click.option("-v", "--verbose", is_flag=True, help="Name the files that are skipped because no format fits.")
@click.option("--attended", is_flag=True, help="A person is watching: escalate instead of stop.")
@with_settings
@ended_by_signals()
def command(
    paths: tuple[str, ...],
    form: str | None,
    output: str | None,
    runs: bool | None,
    since: float | None,
    agents: tuple[str, ...],
    by: tuple[str, ...],
    compare: tuple[str, str] | None,
    outcomes: Path | None,
    suggest: bool,
    top: int | None,
    reader: str | None,
    prices_file: Path | None,
    min_severity: str,
    no_content: bool,
    jobs: int | None,
    fail_on: str | None,
    engine: str | None,
    address: str | None,
    steps: bool,
    dry_run: bool,
    verbose: bool,
    attended: bool,
    overrides: tuple[str, ...],
) -> int:
    """Find loops and waste in recordings of agents.

    PATH is a file, a folder (searched recursively), a URL (s3://, gs://, az://, hf://), or - for standard input.
    Without PATH, the recordings of all agents on this machine from the last seven days are read. The format is detected
    from the content, and compressed files are read directly. Secrets are masked. `headway show FILE` shows one run step
    by step.

    \b
      headway scan
      headway scan ~/.claude/projects --since 30d
      headway scan --suggest >> CLAUDE.md
      headway scan --by model,project
      headway scan --compare claude-opus* claude-sonnet*
      headway scan ~/.codex/sessions --format html -o scan.html
      headway scan session.jsonl --format json
      some-program | headway scan -
      headway scan s3://bucket/runs/ --engine ray --out s3://bucket/results/

    Parquet tables (`-o FOLDER/`) are for many runs: `headway report FOLDER` shows them. A scan that was interrupted
    continues with the same command.

    Exit codes: 0 no run needs action; 1 a run got stop, rollback or escalate; 2 something could not be read;
    130 interrupted. With Parquet tables, 1 means that something could not be read, or that a run got what --fail-on
    names; it is off by default there.
    """
    if suggest and (no_content or form not in (None, "text", "markdown")):
        raise click.UsageError("--suggest writes Markdown with content; JSON always has the suggestions in its totals")
    settings = settings_found([*overrides, *(["policy.attended=true"] if attended else [])])
    if form == "parquet" or (form is None and _wants_tables(output, engine, steps, dry_run)):
        if not paths or not output or compare or by or suggest:
            raise click.UsageError("Parquet tables need a PATH and -o FOLDER, without --by, --compare and --suggest")
        from headway.cli.scan_batch import estimate, scan_in_shards  # only for many runs

        asked = ScanOptions(reader, settings, steps, not no_content, since, prices_found(prices_file), agents, steps)
        if dry_run:
            return estimate(paths, asked, output, jobs)
        return scan_in_shards(paths, asked, output, engine or "local", address, jobs, fail_on)
    if engine or address or steps or dry_run:
        raise click.UsageError("--engine, --address, --steps and --dry-run are for Parquet tables: --format parquet")
    form = form or "text"
    comparison, folders, begun = None, paths, None
    if compare:
        from headway.cli.compared import compared_paths, comparison_of, first_moment  # only for comparisons

        comparison, begun = comparison_of(compare, outcomes), first_moment(compare)
        folders = paths or compared_paths(compare)
    once = None if folders else Once()
    if not folders:
        folders = found_on_this_machine()
        since = since or begun or _a_week_ago()
    prices = prices_found(prices_file)
    asked = ScanOptions(reader, settings, form == "html", not no_content, since, prices, agents)
    reports = Spool()
    keep, room = kept_runs(form, top)
    lowest = Severity.LOW if form == "json" else Severity(min_severity)
    summary = Summary(keep, room, prices.dated, Groups(by, lowest) if by else None, comparison)
    # open the output first: if it cannot be written, say so before reading for minutes
    with opened(Path(output) if output else None) as out, closing(reports), collected_rarely():
        sources = all_sources(folders, follow=not compare)
        for scanned in followed(scan_all(sources, asked, jobs), sources):
            _refuse(scanned, paths, asked)
            file = summary.add(_worded(once.of(scanned) if once else scanned, asked.content))
            if verbose and file.passed_over:
                click.echo(f"skipped: {file.passed_over}", err=True)
            if are_listed(form, runs, summary):
                put_aside(reports, file)
        if once:
            once.tell()
        complain(summary, folders, ["--since"] * (since is not None) + ["--agent"] * bool(agents))
        listed = reports if are_listed(form, runs, summary) else ()
        if suggest:
            write_suggestions(out, summary)
        else:
            write_report(out, form, summary, listed, Severity(min_severity), top, fail_on)
    _tell_of_tables(output, form, suggest)
    if summary.troubles or summary.damaged or (summary.files_unread and not summary.runs):
        return 2
    return int(any(fails(Action(verdict), fail_on) for verdict in summary.verdicts))


def _wants_tables(output: str | None, engine: str | None, steps: bool, dry_run: bool) -> bool:
    """Whether the results are tables: a report is one file, which cannot be a folder or a URL."""
    is_place = output is not None and ("://" in output or output.endswith("/") or Path(output).is_dir())
    return is_place or bool(engine or steps or dry_run)


def _tell_of_tables(output: str | None, form: str, suggest: bool) -> None:
    """A name without an ending may have been meant as a folder for tables."""
    if output and form == "text" and not suggest and not Path(output).suffix and Path(output).is_file():
        click.echo(f"{output} is a text report. For Parquet tables, name a folder: -o {output}/", err=True)


def _a_week_ago() -> float:
    click.echo("Runs of the last 7 days (--since changes that)", err=True)
    return time.time() - 7 * 86_400


def _worded(file: ScannedFile, content: bool) -> ScannedFile:
    """A recording with its problems in words that may be shown."""
    names = ("trouble", "unread", "passed_over", "missing")
    return msgspec.structs.replace(file, **{name: complaint(getattr(file, name), content) for name in names})


def _refuse(file: ScannedFile, paths: Iterable[str], asked: ScanOptions) -> None:
    """A file that was named directly must be a recording."""
    why = file.passed_over or file.unread or file.trouble
    if why and not file.runs and file.name in {*paths, *(readable(Path(path)) for path in paths)}:
        raise click.ClickException(complaint(why, asked.content))
