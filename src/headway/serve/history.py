"""Summarises the recordings of the last four weeks for the dashboard, by week, project and model.

The recordings are scanned in a separate process, so that the service stays small and fast.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from headway.config.price_files import find_prices
from headway.config.settings import Settings
from headway.core.run_report import Spent
from headway.readers import recordings_in
from headway.reports.groups import Group
from headway.reports.summary import Summary
from headway.reports.tables import group_rows
from headway.reports.words import saved_in_words
from headway.rolling.text import printable
from headway.sources import Source
from headway.sources.places import recordings_of_this_user
from headway.study.processes import importing_nothing_here
from headway.study.scan import ScanOptions, scan_one

DAYS = 28
ROWS = 10
"""Maximum rows of a table."""

History = dict[str, Any]


def history() -> History:
    """The figures, from a separate process."""
    with importing_nothing_here(), ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(scanned_history).result()


def scanned_history() -> History:
    """Scan the recordings on this machine and add them up."""
    prices = find_prices()
    asked = ScanOptions(None, Settings(), False, True, time.time() - DAYS * 86_400, prices)
    summary = Summary(1, 0, prices.dated)
    for source in _sources():
        summary.add(scan_one(source, asked))
    return as_data(summary)


def as_data(summary: Summary) -> History:
    """The tables and the chart as text and numbers."""
    tables = []
    for dimension in ("project", "model"):
        head, *rows = group_rows(summary.by[dimension], ROWS)
        tables.append({"by": dimension, "head": head, "rows": [[printable(cell) for cell in row] for row in rows]})
    weeks = [_week(name, group) for (name,), group in summary.by["week"].rows()]
    return {"runs": summary.runs, "sentence": saved_in_words(summary), "tables": tables, "weeks": weeks[-ROWS:]}


def _week(name: str, group: Group) -> History:
    spent, after = group.spent or Spent(), group.after_stop or Spent()
    return {
        "week": name,
        "steps": group.steps,
        "steps_after": after.steps,
        "cost": spent.known_usd,
        "cost_after": after.known_usd or 0.0,
    }


def _sources() -> Iterator[Source]:
    for place in recordings_of_this_user():
        try:
            yield from recordings_in(Path(place.path))
        except OSError:  # it was removed meanwhile, or is not readable
            continue
