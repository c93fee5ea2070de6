"""The report as JSON."""

import re
from collections.abc import Iterable, Iterator
from json import dumps
from typing import Any, Literal

import msgspec

from headway.core.run_report import RunReport
from headway.reports.summary import Summary

_BEYOND_ASCII = re.compile("[^\x00-\x7e]")


class ScanDocument(msgspec.Struct, frozen=True):
    """The output of `headway scan --format json`. Later versions only add fields."""

    version: Literal[1]
    runs: tuple[RunReport, ...]
    totals: dict[str, Any]


def as_json(summary: Summary, reports: Iterable[RunReport]) -> Iterator[str]:
    """All runs as one JSON document, in parts, with one run per line."""
    yield '{"version": 1,\n"runs": ['
    separator = "\n"
    for report in reports:
        yield separator + visible(msgspec.json.encode(report).decode())
        separator = ",\n"
    totals = msgspec.json.format(msgspec.json.encode(summary.totals()), indent=2).decode()
    yield f'\n],\n"totals": {visible(totals)}}}\n'


def visible(json: str) -> str:
    """The same JSON with control and invisible characters escaped."""
    return json if json.isascii() and "\x7f" not in json else _BEYOND_ASCII.sub(_escaped, json)


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    return char if char.isprintable() else dumps(char)[1:-1]
