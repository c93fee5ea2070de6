"""Tables of a scan's page about money, time and steps, by week, model and project."""

from headway.core.run_report import Spent
from headway.reports.groups import UNDATED, UNKNOWN, Group, Groups
from headway.reports.page import Html, tag
from headway.reports.summary import Summary
from headway.reports.tables import after_in_words, cost_in_short, time_in_short
from headway.reports.text import plain
from headway.reports.words import counted

ROWS = 10
"""Maximum rows of a table."""
_WIDTH = 120


def amounts(summary: Summary) -> Html:
    """The tables that have at least one known name."""
    tables = [
        _table(dimension, groups)
        for dimension, groups in summary.by.items()
        if any(name not in (UNKNOWN, UNDATED) for (name,), _ in groups.rows())
    ]
    return tag("div", *tables, class_="charts")


def _table(dimension: str, groups: Groups) -> Html:
    rows = groups.rows()
    shown = rows[-ROWS:] if dimension == "week" else rows[:ROWS]
    is_priced = any(_cost(group) for _, group in shown)
    most = max((_cost(group) if is_priced else group.steps) for _, group in shown) or 1
    head = tag(
        "tr",
        *(tag("th", name, scope="col") for name in (dimension, "runs", "cost", "active", "after the stop")),
        tag("th", "cost; red: after the stop" if is_priced else "steps; red: after the stop", scope="col"),
    )
    body = [_row(dimension, name, group, is_priced, most) for (name,), group in shown]
    left = len(rows) - len(shown)
    more = [tag("p", f"and {counted(left, f'more {dimension}')}", class_="quiet")] if left else []
    table = tag("table", tag("thead", head), tag("tbody", *body), class_="amounts")
    return tag("figure", tag("h3", f"By {dimension}"), tag("div", table, class_="wide"), *more)


def _row(dimension: str, name: str, group: Group, is_priced: bool, most: float) -> Html:
    spent, after = group.spent or Spent(), group.after_stop or Spent()
    chosen_by = {"type": "button", "data_filter": dimension, "data_value": plain(name)}
    can_be_chosen = dimension != "week" and not (dimension == "project" and name == UNKNOWN)
    named = tag("button", name, **chosen_by) if can_be_chosen else name
    cells = (f"{group.runs:,}", cost_in_short(spent), time_in_short(spent), after_in_words(after))
    whole, lost = (_cost(group), after.known_usd or 0.0) if is_priced else (group.steps, after.steps)
    bar = tag(
        "svg",
        tag("rect", width=f"{_WIDTH * whole / most:.1f}", height=8, rx=1, class_="calm"),
        tag("rect", width=f"{_WIDTH * lost / most:.1f}", height=8, rx=1, class_="verdict-stop"),
        width=_WIDTH, height=8, aria_hidden="true",
    )  # fmt: skip
    return tag("tr", tag("td", named), *(tag("td", cell) for cell in cells), tag("td", bar))


def _cost(group: Group) -> float:
    return (group.spent or Spent()).known_usd or 0.0
