"""Reads the JSON report of ESLint (`eslint -f json`)."""

from typing import Literal

import msgspec

from headway.core.iteration import Measurements
from headway.probes.json_text import decoded
from headway.probes.probe import Plan, Reading, Where
from headway.probes.report import read_report


class _Message(msgspec.Struct):
    severity: Literal[0, 1, 2]
    """2 is an error, including files that cannot be parsed; 1 is a warning."""


class _File(msgspec.Struct, rename="camel"):
    file_path: str
    messages: list[_Message]


def parse(data: bytes) -> Measurements:
    """Count the messages of all files by severity."""
    files = decoded(data, list[_File], "a JSON report of ESLint")
    severities = [message.severity for file in files for message in file.messages]
    return Measurements(lint_errors=severities.count(2), lint_warnings=severities.count(1))


def run(plan: Plan, where: Where) -> Reading:
    """Run ESLint, and read its report."""
    return read_report(plan, where, parse)
