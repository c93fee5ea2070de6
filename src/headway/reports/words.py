"""Numbers of a scan as text, the same in every format."""

from datetime import UTC, datetime

from headway.reports.run import ReportedFinding, RunReport, Spent
from headway.reports.summary import LONG_AGO, Summary, day_of
from headway.rolling.words import counted as counted


def large(count: int) -> str:
    """A number of tokens, short: 950, 12.3 k, 4.5 M, 1.2 G."""
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return str(count)


def money(dollars: float) -> str:
    """$1,204.50; small sums with more digits, where they have more: $0.05, $0.0512."""
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
    """Steps, tokens and money, as far as they are known."""
    parts = [counted(spent.steps, "step")] if steps else []
    if spent.tokens:
        parts.append(f"{large(spent.tokens)} tokens")
    if spent.cost_usd:
        parts.append(money(spent.cost_usd))
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
    share = 100 * summary.after_stop.steps / summary.spent.steps
    return (
        f"{spent_in_words(summary.after_stop)} ({share:.1f} % of all steps) came after the point where Headway "
        f"would have stopped, in {counted(summary.runs_after_stop, 'run')}"
    )


def circumstances(summary: Summary) -> str:
    """Dates, agents, cost, and what could not be read."""
    parts = []
    if summary.started_at and summary.ended_at:
        days = list(dict.fromkeys(filter(None, (day_of(summary.started_at), day_of(summary.ended_at)))))
        parts.append(" to ".join(days))
    known = [(name, count) for name, count in summary.agents.most_common(6) if name != "unknown"]
    parts.append(", ".join(f"{name} {count:,}" for name, count in known))
    parts.append(spent_in_words(summary.spent, steps=False))
    if summary.runs_with_cost:
        parts.append(f"cost known for {summary.runs_with_cost:,} of {counted(summary.runs, 'run')}")
    if summary.skipped_records:
        parts.append(f"{counted(summary.skipped_records, 'record')} skipped")
    if unread := len(summary.troubles) + summary.more_troubles:
        parts.append(f"{counted(unread, 'file')} could not be read")
    if summary.files_unread:
        parts.append(f"{counted(summary.files_unread, 'recording')} recognised, but no record could be read")
    return " · ".join(part for part in parts if part)


def stopped_in_words(report: RunReport) -> str:
    """Where a run got its verdict, and what followed."""
    first = next((one for one in report.decisions if one.action is report.verdict), None)
    if first is None:
        return ""
    told = f"at step {first.step}: {first.reason}"
    after = report.after_stop
    return f"{told}, then {spent_in_words(after)} more" if after.steps else told


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
    """The time of day in UTC, or seconds from the beginning where there is no date; empty if unknown."""
    if seconds is None:
        return ""
    if seconds < LONG_AGO:
        return f"{seconds:.1f} s"
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return ""
