"""Reads the JSON report of pyright (`pyright --outputjson`)."""

import msgspec

from headway.core.iteration import Measurements
from headway.probes.json_text import Count, decoded
from headway.probes.probe import Plan, ProbeError, Reading, Where
from headway.probes.report import read_report


class _Summary(msgspec.Struct, rename="camel"):
    error_count: Count
    files_analyzed: Count


class _Report(msgspec.Struct):
    summary: _Summary


def parse(data: bytes) -> Measurements:
    """The number of errors in the summary. Fails if no file was checked."""
    summary = decoded(data, _Report, "a JSON report of pyright").summary
    if not summary.files_analyzed:
        raise ProbeError("pyright looked at no file")
    return Measurements(type_errors=summary.error_count)


def run(plan: Plan, where: Where) -> Reading:
    """Run pyright, and read what it prints."""
    return read_report(plan, where, parse)
