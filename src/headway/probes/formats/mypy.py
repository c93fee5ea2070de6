"""Reads the JSON lines of mypy (`mypy --output json`)."""

import msgspec

from headway.core.iteration import Measurements
from headway.probes.json_text import decoded
from headway.probes.probe import Plan, ProbeError, Reading, Where
from headway.probes.report import read_printed


class _Problem(msgspec.Struct):
    file: str
    message: str
    severity: str


def parse(data: bytes, exit_code: int | None = None) -> Measurements:
    """Count the errors without notes. No output means no errors, unless the exit code says otherwise."""
    if exit_code not in (None, 0, 1):
        raise ProbeError(
            f"mypy exited with {exit_code}: it stopped at what it could not read, and checked nothing else"
        )
    errors = 0
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            errors += _problem(line, number).severity == "error"
    if exit_code == 1 and not errors:
        raise ProbeError("mypy exited with 1 and printed no error")
    return Measurements(type_errors=errors)


def _problem(line: bytes, number: int) -> _Problem:
    try:
        return decoded(line, _Problem, "a JSON line of mypy")
    except ProbeError as error:
        raise ProbeError(f"line {number}: {error}") from error


def run(plan: Plan, where: Where) -> Reading:
    """Run mypy, and read what it prints."""
    return read_printed(plan, where, lambda ran: parse(ran.output, ran.exit_code))
