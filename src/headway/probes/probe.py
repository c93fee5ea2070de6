"""What a probe is: one way to measure a project, a pure `parse` beside a thin `run`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import msgspec

from headway.core.iteration import Measurements
from headway.probes.sizes import Sizes

REPORTS = "{reports}"
"""Stands in commands, reports and environments of plans for a temporary folder, new for every measuring."""


class ProbeError(ValueError):
    """Something cannot be measured; the message names the file, the place and what was expected."""


class Plan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What to run in a project, and which probe reads the result."""

    name: str
    """What is measured: tests, coverage, lint, types, build or codebase."""
    probe: str
    command: tuple[str, ...] | str | None = None
    """A program with its arguments, or a command line for the shell; None runs nothing and only reads the report."""
    report: str | None = None
    """The file that the command writes; `-` is what it prints, without its errors; None is all that it prints."""
    env: dict[str, str] = {}
    """Variables that the command gets in addition to ours."""
    faults: tuple[int, ...] = ()
    """Exit codes with which the tool says that it failed itself, so that its report is not to be trusted."""


class Where(msgspec.Struct, frozen=True):
    """Where a plan is carried out."""

    folder: Path
    """The project."""
    reports: Path
    """A temporary folder for what tools write."""
    timeout: float = 600.0
    """Seconds after which a command is killed."""
    sizes: Sizes | None = None
    """How large the source files were when they were last counted."""


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
    """A file in this folder. Those that read a report or a printout also have a pure `parse(data)`."""

    def run(self, plan: Plan, where: Where) -> Reading:
        """Carry out a plan and measure. What goes wrong becomes the reading's reason."""


def merged(readings: Iterable[Reading]) -> Measurements:
    """All that was measured; where two readings have the same metric, the first one wins."""
    found: dict[str, object] = {}
    for reading in readings:
        for name, value in measured_in(reading.measured).items():
            found.setdefault(name, value)
    return msgspec.convert(found, Measurements)


def measured_in(measured: Measurements) -> dict[str, object]:
    """The metrics that were measured, by name."""
    return {name: value for name, value in msgspec.structs.asdict(measured).items() if value is not None}


NO_RESULT = ("tests_exit_code", "tests_fault")
"""That a test command ended, or why it gave no result, is no measurement."""


def has_result(measured: Measurements) -> bool:
    """Was anything measured?"""
    return bool(measured_in(measured).keys() - set(NO_RESULT))
