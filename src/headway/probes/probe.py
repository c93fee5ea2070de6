"""Defines what a probe is: one way to measure a project, a pure `parse` beside a thin `run`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import msgspec

from headway.core.iteration import Measurements
from headway.probes.sizes import Sizes

REPORTS = "{reports}"
"""A placeholder in a plan's command, report and environment for a temporary folder, new for each measurement."""


class ProbeError(ValueError):
    """Something cannot be measured. The message names the file, the place and what was expected."""


class Plan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What to run in a project, and which probe reads the result."""

    name: str
    """What is measured: tests, coverage, lint, types, build or codebase."""
    probe: str
    command: tuple[str, ...] | str | None = None
    """A program with its arguments, or a command line for the shell; None to only read the report."""
    report: str | None = None
    """The file that the command writes; `-` is its standard output, None its whole output."""
    env: dict[str, str] = {}
    """Additional environment variables for the command."""
    faults: tuple[int, ...] = ()
    """Exit codes that mean that the tool itself failed, so that its report cannot be trusted."""


class Where(msgspec.Struct, frozen=True):
    """Where a plan runs."""

    folder: Path
    reports: Path
    """A temporary folder for the files that tools write."""
    timeout: float = 600.0
    """Seconds after which a command is killed."""
    sizes: Sizes | None = None
    """The source file sizes from the latest count."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What one probe measured, and how."""

    probe: str
    measured: Measurements
    how: str
    """The command that was run, or the file that was read."""
    reason: str | None = None
    """Why nothing was measured, or not all."""
    seconds: float = 0.0


class Probe(Protocol):
    """A module in `formats/`. Those that read a report or output also have a pure `parse(data)`."""

    def run(self, plan: Plan, where: Where) -> Reading:
        """Run a plan and measure. Errors become the reading's reason."""


def merged(readings: Iterable[Reading]) -> Measurements:
    """All measurements; if two readings have the same metric, the first one wins."""
    found: dict[str, object] = {}
    for reading in readings:
        for name, value in measured_in(reading.measured).items():
            found.setdefault(name, value)
    return msgspec.convert(found, Measurements)


def measured_in(measured: Measurements) -> dict[str, object]:
    """The metrics that were measured, by name."""
    return {name: value for name, value in msgspec.structs.asdict(measured).items() if value is not None}


NO_RESULT = ("tests_exit_code", "tests_fault")
"""Fields that are not measurements: how a test command ended, and why it gave no result."""


def has_result(measured: Measurements) -> bool:
    """Check whether anything was measured."""
    return bool(measured_in(measured).keys() - set(NO_RESULT))
