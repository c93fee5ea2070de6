"""The report for programs."""

from collections.abc import Sequence

import msgspec

from headway.reports.run import RunReport, totals


def as_json(reports: Sequence[RunReport]) -> str:
    """All runs as one JSON document of version 1."""
    document = {"version": 1, "runs": reports, "totals": totals(reports)}
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
