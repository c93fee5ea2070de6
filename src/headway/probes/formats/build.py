"""Measures whether the project builds, by the exit code of its build command."""

from headway.core.iteration import Measurements
from headway.probes.probe import Plan, ProbeError, Reading, Where
from headway.probes.report import read_printed

_NOT_FOUND = (126, 127)
"""Exit codes of a shell for a missing program. They say nothing about the project."""


def parse(data: bytes, exit_code: int | None = None) -> Measurements:
    """Success if the exit code is 0. The output does not matter."""
    if exit_code is None:
        raise ProbeError("a build is judged by its exit code, and there is none")
    if exit_code in _NOT_FOUND:
        raise ProbeError(f"the build command was not found: {data.decode('utf-8', 'replace').strip()[-200:]}")
    return Measurements(build_status="success" if exit_code == 0 else "failure")


def run(plan: Plan, where: Where) -> Reading:
    """Run the build."""
    return read_printed(plan, where, lambda ran: parse(ran.output, ran.exit_code))
