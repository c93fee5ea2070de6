"""`headway show`: one run, step by step."""

from collections.abc import Iterator, Sized

import click
from rich.text import Text

from headway.cli.options import prices_found, settings_found, with_reader, with_settings
from headway.cli.output import Terminal
from headway.cli.recordings import complaint, sources_of
from headway.core.finding import Severity
from headway.readers import UnknownFormatError
from headway.reports.story_text import between_line, decision_line, finding_line, step_lines, words_line
from headway.reports.text import plain
from headway.reports.words import counted
from headway.rolling.secrets import mask
from headway.sources import Source
from headway.study.story import Key, Moment, runs_in, story

LISTED = 20


@click.command()
@click.argument("file")
@click.option("--run", metavar="ID", help="Which run to show, if there are several. A prefix of its id is enough.")
@click.option("--from", "first", type=click.IntRange(min=1), metavar="STEP", default=1, help="First step to show.")
@click.option("--to", "last", type=click.IntRange(min=1), metavar="STEP", help="Last step to show.")
@click.option("--only-findings", is_flag=True, help="Show only steps with a finding or a decision.")
@click.option(
    "--min-severity", type=click.Choice([str(s) for s in Severity]), default="medium", show_default=True,
    help="Lowest severity to show.",
)  # fmt: skip
@with_reader
@click.option("--no-content", is_flag=True, help="Show only names, counts and hashes, no content.")
@with_settings
def command(
    file: str,
    run: str | None,
    first: int,
    last: int | None,
    only_findings: bool,
    min_severity: str,
    reader: str | None,
    no_content: bool,
    overrides: tuple[str, ...],
) -> None:
    """Show one run step by step, with findings (!) and decisions (>) where they occurred.

    FILE is a recording, a folder that contains one recording, or - for standard input. Each step shows its number, its
    time (UTC), its kind, the call and the outcome. Secrets are masked. A finding is shown the first time it occurs in a
    turn.

    \b
      headway show session.jsonl
      headway show session.jsonl --only-findings
      headway show session.jsonl --from 40 --to 60
      headway show ~/.local/share/opencode/opencode.db --run ses_6f2

    Exit codes: 0 shown; 2 the file could not be read, or it has no such run.
    """
    if last is not None and last < first:
        raise click.UsageError(f"--to {last} is before --from {first}")
    settings = settings_found(overrides)
    prices = prices_found(None) if settings.global_.max_cost_usd is not None else None
    source = _recording(file)
    console = Terminal(highlight=False, soft_wrap=True)
    try:
        runs, shown = runs_in(source, reader), 0
        key = _chosen(runs, run, source)
        for moment in story(source, key, reader, settings, prices):
            if moment.place >= first and (last is None or moment.place <= last):
                for line in _lines(moment.without_weaker_than(Severity(min_severity)), only_findings, not no_content):
                    console.print(line)
                    shown += 1
        if not shown:
            what = "with a finding or a decision " if only_findings else ""
            click.echo(f"no step {what}to show; the run has {counted(runs[key], 'step')}", err=True)
    except BrokenPipeError:
        raise
    except (UnknownFormatError, OSError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        named = why if why.startswith(source.name) else f"{source.name}: {why}"
        raise click.ClickException(complaint(named, not no_content)) from error
    if source.broken_off:
        raise click.ClickException(complaint(f"{source.name}: {source.broken_off}", not no_content))


def _recording(file: str) -> Source:
    """The named recording, or the only recording in a folder."""
    found = list(sources_of(file))
    if len(found) == 1:
        return found[0]
    if not found:
        raise click.ClickException(f"{plain(file)}: no recording found in this folder")
    listed = "".join(f"\n  {plain(source.name)}" for source in found[:LISTED])
    raise click.ClickException(f"{plain(file)}: the folder has several recordings; name one:{listed}{_rest(found)}")


def _rest(found: Sized) -> str:
    more = len(found) - LISTED
    return f"\n  and {more:,} more" if more > 0 else ""


def _chosen(runs: dict[Key, int], wanted: str | None, source: Source) -> Key:
    """The only run, or the requested one."""
    names = {key: "/".join(part for part in key if part) or source.name for key in runs}
    shown = {key: "/".join(mask(part) for part in key if part) or source.name for key in runs}  # as in reports
    exact = [key for key, name in names.items() if wanted in (name, shown[key])]
    found = exact or [key for key, name in names.items() if name.startswith(wanted or "")]
    if len(found) == 1:
        return found[0]
    listed = "".join(f"\n  {plain(shown[key])}  {counted(runs[key], 'step')}" for key in (found or list(runs))[:LISTED])
    what = "several runs; choose one with --run" if found else f"no run {wanted!r}; the runs are"
    raise click.ClickException(f"{source.name}: {what}:{listed}{_rest(found or runs)}")


def _lines(moment: Moment, only_findings: bool, content: bool) -> Iterator[Text]:
    if only_findings and not moment.is_telling:
        return
    if moment.step is not None:
        yield from step_lines(moment.step, content)
    elif moment.words:
        yield words_line(moment.at, moment.words, content)
    elif only_findings:
        yield between_line(moment.number, moment.at)
    for finding in moment.findings:
        yield finding_line(finding, content)
    if moment.decision is not None:
        yield decision_line(moment.decision)
