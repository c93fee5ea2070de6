"""Reads the output of the TypeScript compiler (`tsc --noEmit`)."""

from headway.core.iteration import Measurements
from headway.probes.probe import Plan, ProbeError, Reading, Where
from headway.probes.report import read_printed
from headway.tools.problems_seen import problems_seen


def parse(data: bytes, exit_code: int | None = None) -> Measurements:
    """Count its errors. It prints nothing if there are none, so then the exit code decides."""
    text = data.decode("utf-8", "replace")
    seen = problems_seen(text)
    if seen and seen.tool == "tsc" and seen.errors is not None:
        return Measurements(type_errors=seen.errors)
    if exit_code == 0 and not text.strip():
        return Measurements(type_errors=0)
    raise ProbeError(f"it printed no errors of the TypeScript compiler and exited with {exit_code}")


def run(plan: Plan, where: Where) -> Reading:
    """Run the compiler, and read what it prints."""
    return read_printed(plan, where, lambda ran: parse(ran.output, ran.exit_code))
