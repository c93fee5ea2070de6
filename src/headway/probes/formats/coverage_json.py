"""Reads the JSON report of coverage.py (`coverage json`)."""

from typing import Annotated

import msgspec

from headway.core.iteration import Measurements
from headway.probes.json_text import Count, decoded
from headway.probes.line_coverage import line_coverage
from headway.probes.probe import Plan, Reading, Where
from headway.probes.report import read_report


class _Totals(msgspec.Struct):
    covered_lines: Count
    num_statements: Count
    percent_covered: Annotated[float, msgspec.Meta(ge=0, le=100)]
    """Includes branches, if they were measured."""


class _Report(msgspec.Struct):
    totals: _Totals


def parse(data: bytes) -> Measurements:
    """The totals of the report."""
    totals = decoded(data, _Report, "a JSON report of coverage.py").totals
    return line_coverage(totals.covered_lines, totals.num_statements, totals.percent_covered)


def run(plan: Plan, where: Where) -> Reading:
    """Have the report written, and read it."""
    return read_report(plan, where, parse)
