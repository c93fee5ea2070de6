"""The two sides of `headway scan --compare A B`, and which of their runs were solved."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path

import click

from headway.config.price_files import model_name
from headway.core.run_report import RunReport
from headway.reports.comparison import Chooses, Comparison
from headway.rolling.dates import week_of
from headway.rolling.secrets import mask
from headway.sources import readable
from headway.study.outcomes import OutcomeError, outcome_of, outcomes_in

_WEEK = re.compile(r"(\d{4})-[Ww](\d{1,2})")


def comparison_of(names: tuple[str, str], outcomes: Path | None) -> Comparison:
    """The requested comparison: of two folders or files, two weeks, or two models."""
    sides = [(name, _chooses(name, names)) for name in names]
    return Comparison((sides[0], sides[1]), _solved(outcomes))


def compared_paths(names: tuple[str, str]) -> tuple[str, ...]:
    """The paths to scan, if two folders or files are compared."""
    return names if _are_paths(names) else ()


def first_moment(names: tuple[str, str]) -> float | None:
    """The beginning of the earlier of two compared weeks."""
    weeks = [_WEEK.fullmatch(name) for name in names]
    if not all(weeks):
        return None
    try:
        begun = [datetime.fromisocalendar(int(week[1]), int(week[2]), 1) for week in weeks if week]
    except ValueError as error:
        raise click.BadParameter(f"{' and '.join(names)}: {error}") from error
    return min(begun).replace(tzinfo=UTC).timestamp()


def _are_paths(names: tuple[str, str]) -> bool:
    return all(Path(name).exists() for name in names)


def _chooses(name: str, names: tuple[str, str]) -> Chooses:
    if _are_paths(names):
        return _in_place(Path(name))
    if week := _WEEK.fullmatch(name):
        wanted = f"{week[1]}-W{int(week[2]):02d}"
        return lambda report: week_of(report.ended_at) == wanted
    pattern = name.lower()
    return lambda report: any(fnmatchcase(one, pattern) for one in _model_names(report))


def _in_place(path: Path) -> Chooses:
    name = readable(path).rstrip("/")
    return lambda report: report.source == name or report.source.startswith(f"{name}/")


def _model_names(report: RunReport) -> tuple[str, ...]:
    model = (report.model or "").lower()
    return model, model_name(model)


def _solved(outcomes: Path | None) -> Callable[[RunReport], bool | None]:
    if outcomes is None:
        return lambda _: None
    try:
        known = outcomes_in(outcomes)
    except OutcomeError as error:
        raise click.ClickException(str(error)) from error
    known = {mask(name): outcome for name, outcome in known.items()} | known  # reports mask the names of runs

    def solved(report: RunReport) -> bool | None:
        found = None if report.agent_id else outcome_of(report.run, report.source, known)
        return None if found is None else found.solved

    return solved
