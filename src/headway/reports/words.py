"""Formats the numbers of a scan as text, for all report formats."""

from datetime import UTC, datetime
from shlex import quote

from headway.core.run_report import ReportedFinding, RunReport, ScannedRun, Spent
from headway.reports.summary import Summary
from headway.rolling.dates import LONG_AGO, day_of
from headway.rolling.text import counted as counted
from headway.rolling.text import shortened

MAX_TITLE_CHARACTERS = 90
NO_WORST = "Worst runs: none, no run needed a nudge or more."


def large(count: int) -> str:
    """A number of tokens, short: 950, 12.3 k, 4.5 M, 1.2 G."""
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if count >= size - size // 20_000:  # 999,950 is 1.0 M, not 1000.0 k
            return f"{count / size:.1f} {unit}"
    return str(count)


def money(dollars: float) -> str:
    """$1,204.50; small amounts with more digits if needed: $0.05, $0.0512."""
    if dollars >= 0.1:
        return f"${dollars:,.2f}"
    whole, cents = f"{dollars:.4f}".split(".")
    return f"${whole}.{cents[:2]}{cents[2:].rstrip('0')}"


def duration(seconds: float) -> str:
    """A number of seconds, short: 0.4s, 41s, 1m02s, 2h05m."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole}s" if whole else f"{seconds:.1f}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02d}s"
    return f"{whole // 3600}h{whole % 3600 // 60:02d}m"


def spent_in_words(spent: Spent, steps: bool = True) -> str:
    """Steps, tokens and money, as far as known."""
    parts = [counted(spent.steps, "step")] if steps else []
    if spent.tokens:
        parts.append(f"{large(spent.tokens)} tokens")
    if cost := cost_in_words(spent):
        parts.append(cost)
    if spent.active_seconds and spent.active_seconds >= 1:
        parts.append(f"{duration(spent.active_seconds)} active")
    return ", ".join(parts)


def cost_in_words(spent: Spent) -> str:
    """The cost, and how much of it is estimated; empty if nothing is known."""
    if not spent.known_usd:
        return ""
    if not spent.estimated_usd:
        return money(spent.known_usd)
    if not spent.cost_usd:
        return f"{money(spent.known_usd)} estimated"
    return f"{money(spent.known_usd)} (of which {money(spent.estimated_usd)} estimated)"


def coverage(summary: Summary) -> str:
    """For how many runs the cost is recorded, for how many it is estimated, and what has no price."""
    parts = []
    if summary.runs_with_cost or summary.runs_estimated:
        parts.append(f"cost recorded for {summary.runs_with_cost:,} of {counted(summary.runs, 'run')}")
    if summary.runs_estimated:
        parts.append(f"estimated for {summary.runs_estimated:,} (list prices of {summary.prices_dated})")
    if summary.unpriced:
        models = [f"{name} ({large(tokens)} tokens)" for name, tokens in summary.unpriced.most_common(3)]
        more = len(summary.unpriced) - len(models)
        parts.append(f"no list price for {', '.join(models)}{f' and {more} more' if more > 0 else ''}")
    return ", ".join(parts)


def headline(summary: Summary) -> str:
    """The number of runs, by decision."""
    verdicts = ", ".join(f"{count:,} {verdict}" for verdict, count in sorted(summary.verdicts.items()))
    runs, steps = counted(summary.runs, "run"), counted(summary.spent.steps, "step")
    return f"{runs}, {steps}: {verdicts}" if verdicts else "no runs"


def saved_in_words(summary: Summary) -> str:
    """What came after the point where Headway would have stopped; empty if nothing did."""
    if not summary.after_stop.steps:
        return ""
    saved, spent = summary.after_stop, summary.spent
    parts = [f"{counted(saved.steps, 'step')} ({share(saved.steps, spent.steps)} of all steps)"]
    if saved.tokens:
        parts.append(f"{large(saved.tokens)} tokens ({share(saved.tokens, spent.tokens)} of all tokens)")
    if cost := cost_in_words(saved):
        parts.append(f"{cost}{_of_the_cost(saved.known_usd or 0, spent.known_usd or 0)}")
    if saved.active_seconds and saved.active_seconds >= 1:
        whole = share(saved.active_seconds, spent.active_seconds or 0)
        parts.append(f"{duration(saved.active_seconds)} ({whole} of the active time)")
    runs = counted(summary.runs_after_stop, "run")
    return f"{', '.join(parts)} came after the point where Headway would have stopped, in {runs}"


def _of_the_cost(saved: float, spent: float) -> str:
    """The share of the cost; none if a list price is compared with less that a recording says was paid."""
    return f" ({share(saved, spent)} of the cost, recorded or estimated)" if saved <= spent else ""


def share(part: float, whole: float) -> str:
    """A part of a whole in percent: 8.3 %."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def circumstances(summary: Summary) -> str:
    """Dates, agents, cost, and what could not be read."""
    parts = []
    if summary.started_at and summary.ended_at:
        days = dict.fromkeys(filter(None, (day_of(summary.started_at), day_of(summary.ended_at))))
        parts.append(" to ".join(map(str, days)))
    known = [(name, count) for name, count in summary.agents.most_common(6) if name != "unknown"]
    parts.append(", ".join(f"{name} {count:,}" for name, count in known))
    parts.append(spent_in_words(summary.spent, steps=False))
    parts.append(coverage(summary))
    if summary.skipped_records:
        parts.append(f"{counted(summary.skipped_records, 'record')} skipped")
    if unread := len(summary.troubles) + summary.more_troubles:
        parts.append(f"{counted(unread, 'file')} could not be read")
    if summary.files_unread:
        parts.append(
            f"{counted(summary.files_unread, 'recording')} recognised, but no message and no call could be read"
        )
    return " · ".join(part for part in parts if part)


def stopped_in_words(report: RunReport) -> str:
    """Where a run got its verdict, and what followed."""
    first = next((one for one in report.decisions if one.action is report.verdict), None)
    if first is None:
        return ""
    told = f"at step {first.step}: {first.reason}"
    after = report.after_stop
    if not after.steps:
        return told
    sums = spent_in_words(after, steps=False).removesuffix(" active")
    return f"{told}, then {counted(after.steps, 'more step')}{f' ({sums})' if sums else ''}"


def title(report: RunReport) -> str:
    """The title of a run for people: the beginning of its first prompt, or else its name."""
    return shortened(report.prompt, MAX_TITLE_CHARACTERS) or report.run


def run_name(report: RunReport) -> str:
    """A run for people: its title, its project, and which of its agents it is."""
    agent = f"sub-agent {report.agent_id[:12]}" if report.agent_id and report.prompt else ""
    where = ", ".join(filter(None, (report.project, agent)))
    return f"{title(report)} ({where})" if where else title(report)


def where_to_look(scanned: ScannedRun) -> str:
    """What to pass to `headway show`: the recording, and which of its runs if it has several."""
    report = scanned.report
    return f"{report.source} --run {quote(report.run)}" if scanned.of_several else report.source


def about(report: RunReport) -> str:
    """Program, model, length and what was spent."""
    details = [report.agent, report.model or "", counted(report.steps, "step"), spent_in_words(report.spent, False)]
    if report.skipped_records:
        details.append(f"{counted(report.skipped_records, 'record')} skipped")
    return ", ".join(detail for detail in details if detail)


def steps_of(finding: ReportedFinding) -> str:
    """`step 3`, `steps 3–7`."""
    first, last = finding.first_step, finding.last_step
    return f"step {first}" if first == last else f"steps {first}–{last}"


def clock(seconds: float | None) -> str:
    """The time of day in UTC, or seconds from the beginning if there is no date; empty if unknown."""
    if seconds is None:
        return ""
    if seconds < LONG_AGO:
        return f"{seconds:.1f} s"
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return ""
