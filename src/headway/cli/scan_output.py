"""Writes the output of `headway scan`: a report in the requested format, or suggestions to paste."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import TextIO

import click
import msgspec

from headway import __version__
from headway.cli.output import Terminal, width_of
from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import ENDING, RunReport, ScannedFile
from headway.reports.groups import UNDATED, UNKNOWN, Groups
from headway.reports.summary import OTHERS, Summary
from headway.reports.text import as_text
from headway.reports.words import counted
from headway.rolling.text import printable
from headway.sources import readable

LISTING = ("json", "junit", "sarif")
"""Formats that always contain every run."""
MAX_WORST_RUNS = 20
MAX_NAMES = 10
"""Maximum number of models and of weeks to name."""
FEW = 10
"""Up to this many runs are listed by default."""
MAX_BYTES_IN_MEMORY = 8_000_000
_LENGTH = 4


def kept_runs(form: str, top: int | None) -> tuple[int, int]:
    """How many runs a report shows one by one, and how many bytes of timelines."""
    if form != "html":
        return max(MAX_WORST_RUNS, top or 0), 0
    from headway.reports.scan_html import MAX_RUNS, MAX_TIMELINE_BYTES  # a report format is imported only if needed

    return MAX_RUNS, MAX_TIMELINE_BYTES


def are_listed(form: str, runs: bool | None, summary: Summary) -> bool:
    """Whether the report lists each run."""
    few = runs is None and summary.runs <= FEW and not (summary.groups or summary.comparison)
    return form in LISTING or (form != "html" and bool(runs or few))


class Spool:
    """Reports to list, in the order of arrival: in memory while there are few, on disk when there are many."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(MAX_BYTES_IN_MEMORY)  # noqa: SIM115 - it lives as long as the spool
        self._decoder = msgspec.msgpack.Decoder(RunReport)
        self.count = 0

    def extend(self, reports: Iterable[RunReport]) -> None:
        """Add reports."""
        for report in reports:
            data = msgspec.msgpack.encode(report)
            self._file.write(len(data).to_bytes(_LENGTH, "big") + data)
            self.count += 1

    def __iter__(self) -> Iterator[RunReport]:
        self._file.flush()
        place = 0
        for _ in range(self.count):
            self._file.seek(place)
            size = int.from_bytes(self._file.read(_LENGTH), "big")
            yield self._decoder.decode(self._file.read(size))
            place += _LENGTH + size

    def __len__(self) -> int:
        return self.count

    def close(self) -> None:
        """Delete all reports."""
        self._file.close()


def put_aside(reports: Spool, file: ScannedFile) -> None:
    """Keep the reports of a recording for the list."""
    try:
        reports.extend(one.report for one in file.runs)
    except OSError as error:
        told = f"cannot write temporary files: {error.strerror or error}; set TMPDIR to another folder"
        raise click.ClickException(told) from error


def complain(summary: Summary, paths: Iterable[str], narrowed: Sequence[str] = ()) -> None:
    """Print what could not be read. `narrowed` are the given options that leave runs out."""
    for trouble in summary.troubles:
        click.echo(f"Error: {trouble}", err=True)
    if summary.more_troubles:
        click.echo(f"Error: {counted(summary.more_troubles, 'more file')} could not be read", err=True)
    for missing in summary.missing:
        click.echo(f"Warning: {missing}", err=True)
    if summary.passed_over:
        told = f"{summary.passed_over:,} of {counted(summary.files, 'file')} skipped: not a recording"
        click.echo(told, err=True)
    if summary.files_unread:
        skipped = f"{summary.files_unread:,} of {counted(summary.files, 'file')} skipped"
        told = f"{skipped}: no message and no call could be read"
        click.echo(told, err=True)
    if summary.passed_over == summary.files:
        raise click.ClickException(
            f"no recordings found in {', '.join(path if '://' in path else readable(Path(path)) for path in paths)}"
        )
    if not summary.runs and not summary.troubles and not summary.files_unread:
        click.echo(f"No runs{' match ' if narrowed else ''}{' and '.join(narrowed)}.", err=True)
    if summary.comparison and summary.comparison.unmatched and summary.runs:
        click.echo(f"No run matches {' or '.join(summary.comparison.unmatched)}: {_comparable(summary)}.", err=True)
    if summary.comparison and summary.comparison.on_both:
        both = counted(summary.comparison.on_both, "run")
        click.echo(f"The difference has no interval, because {both} counted on both sides.", err=True)


def _comparable(summary: Summary) -> str:
    """What `--compare` can be given instead: the models and weeks of the runs."""
    parts = [f"the {dimension}s {_names(summary.by[dimension])}" for dimension in ("model", "week")]
    known = " and ".join(part for part in parts if not part.endswith(" "))
    return f"there are {known or 'no models and no dates'}; two folders or files that exist can be compared, too"


def _names(groups: Groups) -> str:
    names = [printable(key) for (key,), _ in groups.rows() if key not in (UNKNOWN, UNDATED, OTHERS)]
    more = len(names) - MAX_NAMES
    return f"{', '.join(names[:MAX_NAMES])}{f' and {more:,} more' if more > 0 else ''}"


def write_report(
    out: TextIO,
    form: str,
    summary: Summary,
    listed: Iterable[RunReport],
    min_severity: Severity,
    top: int | None,
    fail_on: str | None,
) -> None:
    """Write the report. A format is imported only if it is needed."""
    if form == "text":
        console = Terminal(file=out, markup=False, width=width_of(out))
        for part in as_text(summary, listed, min_severity, top):
            console.print(part)
    elif form == "json":
        from headway.reports.json import as_json

        out.writelines(as_json(summary, listed))
    elif form == "junit":
        from headway.reports.junit import as_junit

        out.writelines(as_junit(listed, lambda verdict: fails(verdict, fail_on), min_severity))
    elif form == "sarif":
        from headway.reports.sarif import as_sarif

        out.writelines(as_sarif(listed, __version__, min_severity))
    elif form == "markdown":
        from headway.reports.scan_markdown import scan_markdown

        out.writelines(scan_markdown(summary, listed, min_severity, top))
    else:
        from headway.reports.scan_html import scan_page

        out.writelines(scan_page(summary, min_severity))


def write_suggestions(out: TextIO, summary: Summary) -> None:
    """Write the block to paste. The runs behind each line go to standard error, not into the block."""
    from headway.reports.suggestions import as_block, evidence

    suggestions = summary.suggestions.all()
    if not suggestions:
        click.echo("Nothing to suggest: no command, path or tool failed in a way that a note would prevent.", err=True)
        return
    out.writelines(printable(line) for line in as_block(suggestions))
    out.flush()
    click.echo("\nThe runs behind each line:", err=True)
    for line in evidence(suggestions):
        click.echo(f"  {printable(line)}", err=True)


def fails(verdict: Action, fail_on: str | None) -> bool:
    """Whether a run with this decision makes the command exit with 1."""
    if fail_on is None:
        return verdict in ENDING
    return fail_on != "never" and verdict.rank >= Action(fail_on).rank
