"""Formats groups of runs and comparisons as table rows, for all report formats."""

from collections.abc import Callable, Iterator

from headway.core.run_report import Spent
from headway.reports.comparison import Comparison, Share, Side, difference
from headway.reports.groups import Group, Groups
from headway.reports.words import counted, duration, large, money, share

UNKNOWN = "–"
Row = tuple[str, ...]
STOPPED = "would have been stopped"
_LABELS = {"would_be_stopped": STOPPED, "solved": "solved"}
"""What people read for the names of shares."""


def group_rows(groups: Groups, most: int) -> Iterator[Row]:
    """The heading and the groups, largest first. The last columns are numbers."""
    counts = ("runs", "steps", "failed", STOPPED)
    if "tool" in groups.by:
        yield (*groups.by, *counts)
    else:
        yield (*groups.by, *counts, "tokens", "cost", "active", "after the stop")
    for key, group in groups.rows()[:most]:
        yield (*key, *_counts(group), *(() if "tool" in groups.by else _sums(group)))


def _counts(group: Group) -> Row:
    failed = share(group.failed_steps, group.steps)
    return f"{group.runs:,}", f"{group.steps:,}", failed, f"{group.stopped:,}"


def _sums(group: Group) -> Row:
    spent, after = group.spent or Spent(), group.after_stop or Spent()
    return (
        large(spent.tokens) if spent.tokens else UNKNOWN,
        cost_in_short(spent),
        time_in_short(spent),
        after_in_words(after),
    )


def after_in_words(after: Spent) -> str:
    """What came after the point where Headway would have stopped."""
    parts = [counted(after.steps, "step"), cost_in_short(after), time_in_short(after)]
    return ", ".join(part for part in parts if part != UNKNOWN) if after.steps else UNKNOWN


def cost_in_short(spent: Spent) -> str:
    """The cost; with ~ if part of it is estimated."""
    if spent.known_usd is None:
        return UNKNOWN
    return f"{_mark(spent)}{money(spent.known_usd)}"


def _mark(spent: Spent) -> str:
    """The mark of a cost that is estimated, or a part of it."""
    return "~" if spent.estimated_usd else ""


def time_in_short(spent: Spent) -> str:
    """The time during which the agent worked."""
    return duration(spent.active_seconds) if spent.active_seconds else UNKNOWN


def comparison_rows(comparison: Comparison) -> Iterator[Row]:
    """The heading, and a row for each figure that both sides have."""
    a, b = comparison.a, comparison.b
    yield "", a.name, b.name, "difference"
    yield "runs", f"{a.runs:,}", f"{b.runs:,}", ""
    if not (a.runs and b.runs):
        return
    for name, (one, other) in comparison.shares().items():
        yield _LABELS[name], _with_interval(one), _with_interval(other), _difference(one, other, not comparison.on_both)
    yield "steps a run", *_means(a.spent.steps, a.runs, b.spent.steps, b.runs, lambda value: f"{value:.1f}")
    yield "failed steps", share(a.failed_steps, a.spent.steps), share(b.failed_steps, b.spent.steps), ""
    yield "steps after the stop", *(share(side.after_stop.steps, side.spent.steps) for side in (a, b)), ""
    if a.runs_with_cost and b.runs_with_cost:
        costs = (a.spent.known_usd or 0, a.runs_with_cost, b.spent.known_usd or 0, b.runs_with_cost)
        cost_a, cost_b, change = _means(*costs, money)
        yield f"cost a run{_basis(a, b)}", f"{_mark(a.spent)}{cost_a}", f"{_mark(b.spent)}{cost_b}", change
    if a.runs_with_time and b.runs_with_time:
        times = (a.spent.active_seconds or 0, a.runs_with_time, b.spent.active_seconds or 0, b.runs_with_time)
        yield "active time a run", *_means(*times, duration)


def _basis(a: Side, b: Side) -> str:
    """The number of runs with a cost, recorded or estimated, if it is not all of them."""
    if (a.runs_with_cost, b.runs_with_cost) == (a.runs, b.runs):
        return ""
    return f" (recorded or estimated for {a.runs_with_cost:,} and {b.runs_with_cost:,})"


def _means(a: float, of_a: int, b: float, of_b: int, word: Callable[[float], str]) -> Row:
    one, other = a / of_a, b / of_b
    change = f"{100 * (other - one) / one:+.0f} %" if one else ""
    return word(one), word(other), change


def _with_interval(one: Share) -> str:
    low, high = one.interval
    return f"{100 * one.value:.1f} % ({100 * low:.0f}–{100 * high:.0f})"


def _difference(a: Share, b: Share, are_independent: bool) -> str:
    found, low, high = difference(a, b)
    interval = f" ({100 * low:+.0f} to {100 * high:+.0f})" if are_independent else ""
    return f"{100 * found:+.1f} points{interval}"
