"""The small charts at the head of a scan's page: SVG, and a word for every colour."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.reports.page import Html, tag
from headway.reports.run import ENDING
from headway.reports.summary import Summary
from headway.reports.words import counted

DAYS = 42
"""Days that the chart of days shows: the latest."""
PATTERNS = 8
"""Patterns that the chart of patterns shows."""
_HEIGHT = 88


def charts(summary: Summary, groups: Mapping[str, Sequence[str]], min_severity: Severity) -> Html:
    """All of them."""
    verdicts = {str(action): summary.verdicts[action] for action in Action if summary.verdicts[action]}
    kinds = {group: sum(summary.kinds[kind] for kind in members) for group, members in groups.items()}
    bars = [
        _figure("Verdicts", _stack(verdicts, "run", "verdict-")),
        _figure("What the steps did", _stack({name: count for name, count in kinds.items() if count}, "step", "")),
        *([_figure("Runs by day", _by_day(summary))] if len(summary.days) > 1 else []),
    ]
    return tag(
        "div", tag("div", *bars), _figure("Commonest patterns", *_patterns(summary, min_severity)), class_="charts"
    )


def _figure(title: str, *content: str) -> Html:
    return tag("figure", tag("h3", title), *content)


def _stack(counts: Mapping[str, int], what: str, prefix: str) -> Html:
    """One bar made of parts, and a list that names them."""
    total = sum(counts.values()) or 1
    parts, names, start = [], [], 0.0
    for name, count in counts.items():
        share = 100 * count / total
        parts.append(tag("rect", x=f"{start:.2f}%", width=f"{share:.2f}%", height=16, class_=f"{prefix}{name}"))
        told = f" {name} {count:,} ({share:.0f} %)"
        names.append(tag("li", tag("i", class_=f"dot {prefix}{name}", aria_hidden="true"), told))
        start += share
    bar = tag("svg", *parts, width="100%", height=16, role="img", aria_label=f"{counted(total, what)}, as listed below")
    return Html(bar + tag("ul", *names, class_="key"))


def _patterns(summary: Summary, min_severity: Severity) -> list[Html]:
    found = summary.commonest(min_severity)[:PATTERNS]
    if not found:
        return [tag("p", "Nothing was found.", class_="quiet")]
    most = max(pattern.runs for pattern in found)
    rows = []
    for pattern in found:
        share = f"{100 * pattern.runs / most:.1f}%"
        bar = tag("rect", width=share, height=6, rx=3, class_=f"severity-{pattern.severity}")
        drawing = tag("svg", bar, width="100%", height=6, aria_hidden="true")
        words = tag(
            "span", pattern.name, tag("span", f"{pattern.severity}, {counted(pattern.runs, 'run')}", class_="quiet")
        )
        rows.append(tag("li", tag("button", words, drawing, type="button", data_pattern=pattern.name)))
    return [tag("ul", *rows, class_="bars")]


def _by_day(summary: Summary) -> Html:
    last = date.fromisoformat(max(summary.days))
    days = [last - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    days = [day for day in days if day.isoformat() >= min(summary.days)]
    counts = [summary.days.get(day.isoformat(), Counter()) for day in days]
    most = max(sum(one.values()) for one in counts) or 1
    room = 100 / len(days)
    bars = []
    for place, (day, one) in enumerate(zip(days, counts, strict=True)):
        ended = sum(one.get(str(action), 0) for action in ENDING)
        title = tag("title", f"{day}: {counted(sum(one.values()), 'run')}, {ended} worth a stop")
        parts, top = [], float(_HEIGHT)
        for kind, count in (("verdict-stop", ended), ("calm", sum(one.values()) - ended)):
            height = (_HEIGHT - 4) * count / most
            top -= height
            parts.append(
                tag("rect", x=f"{place * room + room * 0.12:.2f}%", width=f"{room * 0.76:.2f}%", y=f"{top:.1f}",
                    height=f"{height:.1f}", class_=kind)
            )  # fmt: skip
        bars.append(tag("g", title, *parts))
    told = f"Runs by day from {days[0]} to {days[-1]}, at most {counted(most, 'run')} a day"
    drawing = tag("svg", *bars, width="100%", height=_HEIGHT, role="img", aria_label=told)
    ends = (tag("span", words) for words in (f"{days[0]}", f"at most {most:,} a day; red: worth a stop", f"{days[-1]}"))
    return Html(drawing + tag("p", *ends, class_="ends quiet"))
