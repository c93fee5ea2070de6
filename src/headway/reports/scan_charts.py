"""The small charts at the top of a scan's page, as SVG with a word for every colour."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from headway.core.decision import Action
from headway.core.finding import Severity
from headway.core.run_report import ENDING
from headway.reports.detectors import title_of
from headway.reports.page import Html, tag
from headway.reports.summary import Summary
from headway.reports.words import counted

BARS = 42
MAX_PATTERNS = 8
_HEIGHT = 88


def charts(summary: Summary, groups: Mapping[str, Sequence[str]], min_severity: Severity) -> Html:
    """All charts."""
    verdicts = {str(action): summary.verdicts[action] for action in Action if summary.verdicts[action]}
    kinds = {group: sum(summary.kinds[kind] for kind in members) for group, members in groups.items()}
    bars = [
        _figure("Verdicts", _stack(verdicts, "run", "verdict-")),
        _figure("What the steps did", _stack({name: count for name, count in kinds.items() if count}, "step", "")),
        *([_over_time(summary)] if len(summary.days) > 1 else []),
    ]
    return tag(
        "div", tag("div", *bars), _figure("Most common patterns", *_patterns(summary, min_severity)), class_="charts"
    )


def _figure(title: str, *content: str) -> Html:
    return tag("figure", tag("h3", title), *content)


def _stack(counts: Mapping[str, int], what: str, prefix: str) -> Html:
    """One bar made of parts, and a legend."""
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
    found = summary.commonest(min_severity)[:MAX_PATTERNS]
    if not found:
        return [tag("p", "No findings.", class_="quiet")]
    most = max(pattern.runs for pattern in found)
    rows = []
    for pattern in found:
        share = f"{100 * pattern.runs / most:.1f}%"
        bar = tag("rect", width=share, height=6, rx=3, class_=f"severity-{pattern.severity}")
        drawing = tag("svg", bar, width="100%", height=6, aria_hidden="true")
        words = tag(
            "span", pattern.name, tag("span", f"{pattern.severity}, {counted(pattern.runs, 'run')}", class_="quiet")
        )
        looked_for = tag("span", title_of(pattern.name), class_="quiet about")
        rows.append(
            tag(
                "li",
                tag(
                    "button", words, drawing, looked_for, type="button", data_filter="pattern", data_value=pattern.name
                ),
            )
        )
    return [tag("ul", *rows, class_="bars")]


def _over_time(summary: Summary) -> Html:
    """Runs by day, or by week or month if there are too many days."""
    days = [date.fromisoformat(day) for day in summary.days]
    first, last = min(days), max(days)
    unit = next((name for name, length in (("day", 1), ("week", 7)) if (last - first).days < BARS * length), "month")
    counts: dict[date, Counter[str]] = {}
    for day, verdicts in zip(days, summary.days.values(), strict=True):
        counts.setdefault(_beginning(day, unit), Counter()).update(verdicts)
    shown = [_beginning(last, unit)]
    while shown[0] > _beginning(first, unit) and len(shown) < BARS:
        shown.insert(0, _beginning(shown[0] - timedelta(days=1), unit))
    most = max(counts[start].total() for start in shown if start in counts)
    bars = [
        _bar(place / len(shown), 1 / len(shown), f"{'' if unit == 'day' else unit + ' of '}{start}", one, most)
        for place, start in enumerate(shown)
        for one in (counts.get(start, Counter()),)
    ]
    told = f"Runs by {unit} from {shown[0]} to {last}, at most {counted(most, 'run')} a {unit}"
    drawing = tag("svg", *bars, width="100%", height=_HEIGHT, role="img", aria_label=told)
    ends = (str(shown[0]), f"at most {most:,} a {unit}; red: would have been stopped", str(last))
    notes = [tag("p", words, class_="quiet") for words in _not_drawn(summary, shown[0])]
    return _figure(
        f"Runs by {unit}", drawing, tag("p", *(tag("span", words) for words in ends), class_="ends quiet"), *notes
    )


def _not_drawn(summary: Summary, first: date) -> Iterator[str]:
    """A note about the runs that the chart does not show."""
    if summary.runs_without_date:
        yield f"{counted(summary.runs_without_date, 'run')} without a date: not drawn."
    if earlier := sum(one.total() for day, one in summary.days.items() if date.fromisoformat(day) < first):
        yield f"{counted(earlier, 'earlier run')}: not drawn."


def _beginning(day: date, unit: str) -> date:
    """The first day of the week or month of a day."""
    return {"day": day, "week": day - timedelta(days=day.weekday()), "month": day.replace(day=1)}[unit]


def _bar(start: float, width: float, name: str, verdicts: Counter[str], most: int) -> Html:
    ended = sum(verdicts[str(action)] for action in ENDING)
    parts = [tag("title", f"{name}: {counted(verdicts.total(), 'run')}, {ended} would have been stopped")]
    top = float(_HEIGHT)
    for kind, count in (("verdict-stop", ended), ("calm", verdicts.total() - ended)):
        height = (_HEIGHT - 4) * count / most
        top -= height
        place = {"x": f"{100 * (start + 0.12 * width):.2f}%", "width": f"{76 * width:.2f}%", "y": f"{top:.1f}"}
        parts.append(tag("rect", **place, height=f"{height:.1f}", class_=kind))
    return tag("g", *parts)
