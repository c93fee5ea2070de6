"""Reads the JSON report of ruff (`ruff check --output-format json`)."""

import msgspec

from headway.core.iteration import Measurements
from headway.probes.json_text import decoded
from headway.probes.probe import Plan, Reading, Where
from headway.probes.report import read_report


class _Problem(msgspec.Struct):
    filename: str
    message: str
    severity: str = "error"
    """Older versions have none. Everything they report is an error."""


def parse(data: bytes) -> Measurements:
    """Count the problems by severity."""
    severities = [problem.severity for problem in decoded(data, list[_Problem], "a JSON report of ruff")]
    return Measurements(lint_errors=severities.count("error"), lint_warnings=severities.count("warning"))


def run(plan: Plan, where: Where) -> Reading:
    """Run ruff, and read its report."""
    return read_report(plan, where, parse)
