"""Writes a scan as one HTML page: the worst runs with their timelines, time and money, and the most common patterns.

The runs are data in the page. Its one script draws them when they become visible, so that a page with a thousand runs
opens at once. The script writes text only, never markup, and the content security policy allows no other script and no
connection.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from headway.core.finding import Severity
from headway.core.run_report import ReportedDecision, RunReport, ScannedRun
from headway.reports.page import Html, fingerprint, packaged, page, section, tag
from headway.reports.scan_amounts import amounts
from headway.reports.scan_charts import charts
from headway.reports.summary import Summary
from headway.reports.text import plain
from headway.reports.timeline import KINDS
from headway.reports.words import (
    about,
    circumstances,
    clock,
    cost_in_words,
    counted,
    duration,
    headline,
    large,
    saved_in_words,
    spent_in_words,
    stopped_in_words,
    title,
)
from headway.rolling.dates import day_of

MAX_RUNS = 2_000
MAX_TIMELINE_BYTES = 24_000_000
"""Maximum bytes of timelines on the page. Beyond that, milder runs are listed without a timeline."""
MAX_UNREAD_NAMED = 20
GROUPS = {
    "look": ("read", "search", "list", "web"),
    "change": ("write", "edit"),
    "check": ("test", "build"),
    "run": ("run", "vcs", "poll"),
    "other": ("plan", "delegate", "ask", "other"),
}
"""Kinds of steps that share a colour."""

FILTERS = {
    "verdict": "Decision", "agent": "Agent", "model": "Model", "project": "Project", "pattern": "Pattern",
    "order": "Order",
}  # fmt: skip
"""The filters for runs, and their titles."""
_KEYS = (
    "Keys: / to search, j and k for the next and the previous run, Enter to open a run, Escape to go back. In a "
    "timeline: ← → ↑ ↓ from step to step, Page Up and Page Down to the next failure or finding, Home and End."
)


def scan_page(summary: Summary, min_severity: Severity = Severity.MEDIUM) -> Iterator[str]:
    """The whole scan as one page."""
    style, script = packaged("page.css", "parts.css", "scan.css"), packaged("scan.js")
    policy = f"script-src {fingerprint(script)}; style-src {fingerprint(style)}"
    yield page(
        "Headway scan", _header(summary), _main(summary, min_severity), _data(summary, min_severity),
        Html(f"<script>{script}</script>"), style=style, policy=policy,
    )  # fmt: skip


def _header(summary: Summary) -> Html:
    told = [tag("h1", "Headway scan"), tag("p", headline(summary), class_="verdict")]
    told += [tag("p", line, class_="quiet") for line in (circumstances(summary),) if line]
    told.append(_figures(summary))
    if saved := saved_in_words(summary):
        told.append(tag("p", f"{saved}.", class_="notice"))
    return tag("header", Html("\n".join(told)))


def _main(summary: Summary, min_severity: Severity) -> Html:
    more = summary.runs - MAX_RUNS
    left_out = [
        tag("p", f"The {MAX_RUNS:,} worst runs are shown; {counted(more, 'more run')} are included in the totals only.")
    ]
    runs = section(
        "Runs", *(left_out if more > 0 else []), _filters(),
        tag("p", tag("button", "← All runs", id="back", type="button"), class_="back"), _legend(),
        tag("ol", id="runs", class_="runs"),
        tag("p", tag("button", "Show more runs", id="more", type="button", hidden="")),
        tag("noscript", tag("p", "Timelines need JavaScript; use `--format markdown` instead.")),
    )  # fmt: skip
    totals = tag("div", amounts(summary), charts(summary, GROUPS, min_severity), *_unread(summary), class_="totals")
    return tag("main", runs, totals)


def _unread(summary: Summary) -> Iterator[Html]:
    """Recordings that were recognised, but from which nothing could be read."""
    if summary.unread:
        listed = [tag("li", plain(why)) for why in summary.unread[:MAX_UNREAD_NAMED]]
        if (more := summary.files_unread - MAX_UNREAD_NAMED) > 0:
            listed.append(tag("li", f"and {counted(more, 'more recording')}"))
        yield section("Recognised, but no message and no call could be read", tag("ul", *listed))


def _figures(summary: Summary) -> Html:
    facts = {"Runs": f"{summary.runs:,}", "Steps": f"{summary.spent.steps:,}"}
    if summary.spent.steps:
        facts["Failed steps"] = f"{100 * summary.failed_steps / summary.spent.steps:.1f} %"
    if summary.spent.tokens:
        facts["Tokens"] = large(summary.spent.tokens)
    if cost := cost_in_words(summary.spent):
        facts["Cost"] = cost
    if summary.spent.active_seconds:
        facts["Active time"] = duration(summary.spent.active_seconds)
    facts["Steps after a stop"] = f"{summary.after_stop.steps:,}"
    if summary.after_stop.tokens:
        facts["Tokens after a stop"] = large(summary.after_stop.tokens)
    return tag(
        "dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in facts.items()), class_="figures"
    )


def _filters() -> Html:
    search = tag("label", "Search", Html('<input type="search" id="words" autocomplete="off" spellcheck="false">'))
    chosen = [tag("label", title, tag("select", id=name)) for name, title in FILTERS.items()]
    reset = tag("button", "Reset", type="reset")
    return tag(
        "form", search, *chosen, reset, tag("p", id="count", role="status"), id="filters", role="search",
        aria_label="Filter the runs",
    )  # fmt: skip


def _legend() -> Html:
    colours = [
        tag("li", tag("i", class_=f"cell {group}", aria_hidden="true"), f" {group}: {', '.join(kinds)}")
        for group, kinds in GROUPS.items()
    ]
    marks = {
        "look failed": "failed",
        "look found": "a finding",
        "look ending by-stop": "Headway would have stopped it here",
        "look after": "after that",
    }
    colours += [
        tag("li", tag("i", class_=f"cell {kind}", aria_hidden="true"), f" {meaning}") for kind, meaning in marks.items()
    ]
    colours.append(tag("li", "a gap: a message of the user"))
    return Html(tag("ul", *colours, class_="legend", aria_label="Colours") + tag("p", _KEYS, class_="quiet keys"))


def _data(summary: Summary, min_severity: Severity) -> Html:
    data = {
        "kinds": [next(group for group, kinds in GROUPS.items() if kind in kinds) for kind in KINDS],
        "names": KINDS,
        "severities": [str(severity) for severity in Severity],
        "runs": [_run(one, min_severity) for one in summary.worst()],
    }
    return Html(f'<script type="application/json" id="data">{embedded(msgspec.json.encode(data).decode())}</script>')


def embedded(json: str) -> str:
    """JSON that cannot close the element around it."""
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _run(scanned: ScannedRun, min_severity: Severity) -> dict[str, Any]:
    report = scanned.report
    shown = [one for one in report.findings if one.severity.rank >= min_severity.rank]
    return {
        "run": plain(report.run),
        "title": plain(title(report)),
        "prompt": plain(report.prompt),
        "project": plain(report.project),
        "source": plain(report.source),
        "verdict": report.verdict,
        "agent": plain(report.agent) or "unknown",
        "model": plain(report.model or "") or "unknown",
        "about": plain(" · ".join(filter(None, (report.project, _when(report), about(report))))),
        "facts": [(name, plain(value)) for name, value in _facts(report).items() if value],
        "why": plain(stopped_in_words(report)),
        "steps": report.steps,
        "ended": report.ended_at or 0,
        "after": report.after_stop.steps,
        "findings": [
            [one.detector, str(one.severity), plain(one.message), one.first_step, one.last_step] for one in shown
        ],
        "more": report.more_findings,
        "decisions": [
            [one.step, str(one.action), one.reason, plain(one.message)] for one in _turning_points(report.decisions)
        ],
        "timeline": msgspec.Raw(scanned.timeline or b"null"),
        "outputs": msgspec.Raw(scanned.outputs or b"null"),
    }


def _facts(report: RunReport) -> dict[str, str]:
    """What is known about a run, by name."""
    after = report.after_stop
    started, ended = report.started_at, report.ended_at
    return {
        "Project": report.project,
        "Agent": report.agent,
        "Model": report.model or "",
        "Ended": _when(report),
        "Duration": duration(ended - started) if started is not None and ended is not None and ended > started else "",
        "Steps": f"{report.steps:,}, {report.failed_steps:,} failed",
        "Tokens": large(report.spent.tokens) if report.spent.tokens else "",
        "Cost": cost_in_words(report.spent),
        "Active time": duration(report.spent.active_seconds) if report.spent.active_seconds else "",
        "After the stop": spent_in_words(after) if after.steps else "",
        "Run": report.run,
        "Recording": report.source,
    }


def _turning_points(decisions: tuple[ReportedDecision, ...]) -> list[ReportedDecision]:
    """Decisions that differ from the previous one. A stop is repeated at every step while the run continues."""
    found: list[ReportedDecision] = []
    before: ReportedDecision | None = None
    for one in decisions:
        repeated = before is not None and (before.action, before.reason) == (one.action, one.reason)
        if before is None or not repeated or one.step - before.step > 1:
            found.append(one)
        before = one
    return found


def _when(report: RunReport) -> str:
    day = day_of(report.ended_at)
    return f"{day} {clock(report.ended_at)[:5]} UTC" if day else ""
