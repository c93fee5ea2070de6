"""The report for programs."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from headway.reports.run import RunReport
from headway.reports.summary import Summary


class ScanDocument(msgspec.Struct, frozen=True):
    """What `headway scan --format json` writes. Later versions only add to it."""

    version: Literal[1]
    runs: tuple[RunReport, ...]
    totals: dict[str, Any]


def as_json(summary: Summary, reports: Iterable[RunReport]) -> Iterator[str]:
    """All runs as one JSON document of version 1, piece by piece, with one run on each line."""
    yield '{"version": 1,\n"runs": ['
    separator = "\n"
    for report in reports:
        yield separator + msgspec.json.encode(report).decode()
        separator = ",\n"
    yield '\n],\n"totals": ' + msgspec.json.format(msgspec.json.encode(summary.totals()), indent=2).decode() + "}\n"
