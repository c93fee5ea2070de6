"""`headway calibrate`: the strictest policy within a false-stop rate."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from headway.cli.app import ended_by_signals
from headway.cli.engines import engine_for
from headway.cli.options import settings_found, with_engine, with_output, with_settings
from headway.cli.output import Terminal, write
from headway.cli.recordings import all_sources
from headway.reports.words import counted
from headway.sources import Source
from headway.study.calibrate import (
    RUNGS,
    Outcomes,
    Point,
    Replayed,
    as_toml,
    curve,
    replay_shard,
    solved_runs_needed,
    strictest,
)
from headway.study.engines import Failure, InThisProcess
from headway.study.outcomes import OutcomeError, outcomes_in
from headway.study.packing import SHARD
from headway.study.scan import WORTH_IT
from headway.study.shards import shards_of

SHARES = 4
"""Number of shards for each worker, so that all end at about the same time."""


def _rate(context: click.Context, option: click.Parameter, value: str) -> float:
    """`1%` or `0.01`."""
    try:
        rate = float(value.strip().removesuffix("%")) / (100 if value.strip().endswith("%") else 1)
    except ValueError:
        rate = -1.0
    if not 0 < rate < 1:
        raise click.BadParameter(f"{value!r} is not a percentage such as 1% or 0.01")
    return rate


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option(
    "--outcomes", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="Table with the columns run and solved (and task, if known): CSV, TSV or JSON lines.",
)  # fmt: skip
@click.option(
    "--solved-if",
    metavar="COMMAND",
    help="Shell command to run for each recording ({}); exit code 0 means solved, 1 failed.",
)
@click.option("--max-false-stops", default="1%", show_default=True, callback=_rate, metavar="SHARE",
              help="Maximum share of solved runs that may be stopped.")  # fmt: skip
@click.option("--confidence", default="95%", show_default=True, callback=_rate, metavar="SHARE",
              help="Confidence of the guarantee.")  # fmt: skip
@with_output("Settings file to write; - for standard output.", default=Path("headway.toml"), show_default=True)
@click.option("--force", is_flag=True, help="Replace an existing settings file.")
@with_engine
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Number of workers.  [default: all cores]")
@with_settings
@ended_by_signals()
def command(
    paths: tuple[str, ...],
    outcomes: Path | None,
    solved_if: str | None,
    max_false_stops: float,
    confidence: float,
    output: Path,
    force: bool,
    engine: str | None,
    address: str | None,
    jobs: int | None,
    overrides: tuple[str, ...],
) -> int:
    """Find the strictest policy for your agents within a false-stop rate.

    Replays recordings with known outcomes with several policies, from patient to strict, and writes a settings file
    with the strictest policy that stops at most the given share of the solved runs. The outcomes come from a table (by
    the name of the run or of its file) or from a command.

    \b
      headway calibrate runs/ --outcomes outcomes.csv --max-false-stops 1%
      headway calibrate runs/ --solved-if 'grep -q RESOLVED {}' -o -
      headway calibrate s3://bucket/packed/ --outcomes outcomes.csv --engine ray --address auto

    Exit codes: 0 a file was written; 1 no policy is within the rate; 2 something could not be read.
    """
    if (outcomes is None) == (solved_if is None):
        raise click.UsageError("Give the outcomes of the runs: either --outcomes FILE or --solved-if COMMAND.")
    if output != Path("-") and output.exists() and not force:
        raise click.ClickException(f"{output} exists; use --force to replace it, or -o to write to another file")
    settings = settings_found(overrides)
    console = Terminal(stderr=True, markup=False)
    try:
        given = Outcomes(outcomes_in(outcomes) if outcomes else None, solved_if, settings)
        runs = _replayed(all_sources(paths), given, (engine, address, jobs), console)
    except OutcomeError as error:
        raise click.ClickException(str(error)) from error
    if given.known is not None and len(runs) < len(given.known):
        missing = f"{len(given.known) - len(runs)} of {counted(len(given.known), 'row')} of {outcomes}"
        console.print(f"No recording for {missing}.", highlight=False)
    if not any(one[0].solved for one in runs):
        raise click.ClickException(
            f"{counted(len(runs), 'run')} with a known outcome, and none of them is solved; nothing can be guaranteed"
        )
    points = curve(runs, confidence)
    chosen = strictest(points, max_false_stops)
    if chosen is not None:
        write(output, [as_toml(chosen, max_false_stops, confidence)])
    console.print(
        _table(points), "The first three columns are policy.stop_after_blocks, _high and _medium.", highlight=False
    )
    if chosen is None:
        console.print(_too_few(points, max_false_stops, confidence), highlight=False)
        return 1
    console.print(_promise(chosen, confidence), highlight=False)
    if output != Path("-"):
        console.print(f"Written to {output}.", highlight=False)
    return 0


def _replayed(
    sources: list[Source], given: Outcomes, engine: tuple[str | None, str | None, int | None], console: Console
) -> list[Replayed]:
    """All runs with a known outcome, replayed."""
    size = sum(source.size for source in sources)
    is_small = engine[0] is None and size < WORTH_IT
    with closing(InThisProcess() if is_small else engine_for(*engine)) as chosen:
        shards = list(shards_of(sources, min(SHARD, size // (SHARES * chosen.workers) + 1)))
        results = chosen.run(replay_shard, shards, given)
        runs: list[Replayed] = []
        for shard, result in track(results, "Replaying", len(shards), console=console, transient=True):
            if isinstance(result, Failure):
                raise click.ClickException(f"{shard.name}: {result.why}; without it nothing can be guaranteed")
            runs += result
    if not runs:
        raise OutcomeError(f"none of {counted(len(sources), 'file')} is a recording with a known outcome")
    told = f"{counted(len(runs), 'run')} with a known outcome, from {counted(len(sources), 'file')}"
    console.print(told + ".", highlight=False)
    return runs


def _table(points: Iterable[Point]) -> Table:
    rungs = [name.replace("stop_after_", "") for name in RUNGS]
    table = Table(*rungs, "false stops", "at most", "saved", "right", box=None, pad_edge=False, header_style="bold")
    for point in points:
        found = point.figures
        rungs = [str(getattr(point.ladder, name)) for name in RUNGS]
        stops = f"{found.killed} of {found.solved}"
        table.add_row(*rungs, stops, f"{point.at_most:.1%}", _percent(found.saved), _percent(found.right))
    return table


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _promise(chosen: Point, confidence: float) -> str:
    return (
        f"Guaranteed: for runs like these, at most {chosen.at_most:.1%} of the solved ones are stopped "
        f"({confidence:.0%} sure, from {chosen.figures.killed} of {counted(chosen.figures.solved, 'solved run')})."
    )


def _too_few(points: list[Point], at_most: float, confidence: float) -> str:
    solved, needed = points[0].figures.solved, solved_runs_needed(at_most, confidence)
    if solved < needed:
        return (
            f"Too few runs: {counted(solved, 'solved run')} are not enough to guarantee at most {at_most:.1%} false "
            f"stops ({confidence:.0%} sure): {needed} are needed, none of them stopped. Record more runs, or allow "
            "more false stops. Nothing was written."
        )
    return f"Even the most patient policy stops more than {at_most:.1%} of the solved runs. Nothing was written."
