"""`headway probe`: measure a project."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import msgspec
from rich.console import Console, Group, RenderableType
from rich.table import Table

from headway.cli.options import duration
from headway.cli.output import Terminal
from headway.probes import Plan, Reading, measure, measured_in, merged, propose, tested_by
from headway.probes.command import shown
from headway.probes.probe import NO_RESULT
from headway.probes.propose import LOOKED_FOR
from headway.reports.text import plain

NOT_SHOWN = ("passing_tests", "tests_fault")
"""Left out of the text: too long, or shown with the plan. Both are in the JSON."""


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".")
@click.option("--test", "test_command", metavar="CMD", help="Your test command. Headway reads its output.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--timeout", metavar="TIME", callback=duration, default="10m", show_default=True,
    help="Kill a command that takes longer, with its child processes.",
)  # fmt: skip
@click.option("--dry", is_flag=True, help="Only list the commands; run nothing.")
def command(folder: Path, test_command: str | None, form: str, timeout: float, dry: bool) -> int:
    """Measure a project the way `headway loop` does after each round.

    Headway detects the tools that FOLDER uses (pytest, coverage, ruff, mypy, pyright, npm scripts with Jest, Vitest,
    Mocha and ESLint, go, cargo, make test), runs each once and reads its report. Reports and caches go to a temporary
    folder. The project's own .venv is preferred. A metric that was not measured is left out; it is never shown as 0.

    This runs the project's own code. With --dry it runs nothing and only lists the commands.

    \b
      headway probe --dry                             list the commands
      headway probe                                   detect the tools and run them
      headway probe --test 'poetry run pytest -q'     use your own test command
      headway probe ../shop --format json             JSON output

    Exit codes: 0 something was measured, or listed with --dry; 2 nothing could be measured.
    """
    project = folder.resolve()
    plans = propose(project, look_only=dry)
    if test_command:
        plans = tested_by(test_command, plans)
    if dry:
        _show_plans(project, plans, form)
        return 0
    readings = _measure_round(project, plans, timeout)
    found = measured_in(merged(readings))
    something = any(value for name, value in found.items() if name not in NO_RESULT)  # 0 files count as nothing
    if form == "json":
        click.echo(_as_json(project, readings))
    elif something:
        Terminal(markup=False, highlight=False).print(_as_text(plans, readings))  # test_x[1] is not markup
    if not something:
        raise click.ClickException(f"nothing could be measured in {folder}\n{_why_nothing(plans, readings)}")
    return 0


def _show_plans(project: Path, plans: list[Plan], form: str) -> None:
    commands = [(plan.name, shown(plan.command) if plan.command else "") for plan in plans]
    if form == "json":
        listed = [{"name": name, "command": command or None} for name, command in commands]
        document = {"version": 1, "folder": str(project), "plans": listed}
        click.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
        return
    table = Table("metric", "command", box=None, pad_edge=False)
    for name, command in commands:
        table.add_row(name, plain(command) or "none (Headway reads the files)")
    Terminal(markup=False, highlight=False).print(table)


def _why_nothing(plans: list[Plan], readings: list[Reading]) -> str:
    return "\n".join(f"  {name}: {why}" for name, why in _missing(plans, readings))


def _measure_round(project: Path, plans: list[Plan], timeout: float) -> list[Reading]:
    """The measurements. A line in the terminal shows which command is running."""
    talk = Console(stderr=True)
    if not talk.is_terminal:
        return measure(project, plans, timeout)
    with talk.status("measuring") as status:
        return measure(project, plans, timeout, before=lambda plan: status.update(f"{plan.name} ({plan.probe})"))


def _as_json(project: Path, readings: list[Reading]) -> str:
    document = {"version": 1, "folder": str(project), "measured": merged(readings), "readings": readings}
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()


def _as_text(plans: list[Plan], readings: list[Reading]) -> RenderableType:
    table = Table("metric", "value", "how", box=None, pad_edge=False)
    seen: set[str] = set()
    for reading in readings:
        how = reading.how
        for name, value in measured_in(reading.measured).items():
            if name not in (*seen, *NOT_SHOWN):  # the first one wins, as in `merged`
                seen.add(name)
                table.add_row(name, _shown(value), how)
                how = ""  # shown once
    missing = Table("not measured", "why", box=None, pad_edge=False)
    for name, why in _missing(plans, readings):
        missing.add_row(name, why)
    return Group(table, "", missing) if missing.row_count else table


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return "\n".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)


def _missing(plans: Iterable[Plan], readings: Iterable[Reading]) -> Iterator[tuple[str, str]]:
    planned = set()
    for plan, reading in zip(plans, readings, strict=True):
        planned.add(plan.name)
        if reading.reason:
            yield plan.name, f"{reading.reason} ({reading.how})"
    yield from ((name, f"nothing found; looked for {what}") for name, what in LOOKED_FOR.items() if name not in planned)
