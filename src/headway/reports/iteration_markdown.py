"""Writes the report about one round, in Markdown.

Text from agents and tests is escaped. A value that was not measured is a dash, never 0.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from headway.core.finding import Finding
from headway.core.iteration import Deltas, Iteration, Measurements, Score
from headway.reports.suite import names_of, suite_lists
from headway.reports.text import plain
from headway.reports.words import counted, duration, money
from headway.scoring.assessment import Recommendation, RoundReport
from headway.scoring.better import sure_value

UNKNOWN = "–"

_MARKUP = re.compile(r"[\\`*\[\]|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_BEGINS_A_BLOCK = re.compile(r"^(\d+(?=[.)])|)([#>+=.)-])")


class MetricRow(NamedTuple):
    """One metric of a round, compared with the round it started from and with the baseline."""

    name: str
    current: str
    previous: str
    delta: str
    baseline: str
    delta_from_baseline: str


class _Metric(NamedTuple):
    name: str
    value: Callable[[Measurements], float | None]
    change: Callable[[Deltas], float | None]
    unit: str = ""
    unit_of_change: str = ""
    made_of: Callable[[Measurements], Iterable[str]] = lambda _: ()
    """What the value is made of; two values are compared if this is equal."""


_METRICS = (
    _Metric("Test Count", lambda measured: measured.test_count, lambda deltas: deltas.test_count_delta),
    _Metric("Pass Rate", lambda measured: measured.pass_rate, lambda deltas: deltas.pass_rate_delta, " %", " points"),
    _Metric(
        "Coverage", lambda measured: measured.coverage_percentage, lambda deltas: deltas.coverage_delta, " %", " points"
    ),
    _Metric(
        "Errors",
        lambda measured: measured.errors,
        lambda deltas: deltas.error_count_delta,
        made_of=lambda m: list(m.error_parts),
    ),
)


def iteration_report(round: RoundReport, rounds: Iterable[RoundReport] = ()) -> str:
    """One round as Markdown; among the other `rounds` of its loop the best one's snapshot is looked up."""
    one = round.iteration
    headings = [field.replace("_", " ").title().replace(" From ", " from ") for field in MetricRow._fields]
    sections = {
        f"## Round {one.number} Progress Report": _facts(round),
        **({"### Tests": tests} if (tests := _tests(one)) else {}),
        "### Metrics": table(["Metric", *headings[1:]], metric_rows(round)),
        "### Quality Score Breakdown": _score(one.quality, "Dimension"),
        "### Progress Score": _score(one.progress, "Signal"),
        "### Alerts": _alerts(round.alerts),
        "### Best Round": _best(round, rounds),
        "### Recommendation": _recommendation(round.recommendation),
    }
    if round.rationale:
        sections["### Reasoning"] = "\n".join(f"- {escaped(thought)}" for thought in round.rationale)
    return "\n\n".join(f"{heading}\n\n{body}" for heading, body in sections.items()) + "\n"


def metric_rows(round: RoundReport) -> list[MetricRow]:
    """The four metrics of a round."""
    one, rows = round.iteration, []
    for metric in _METRICS:
        values = [metric.value(other.measured) if other else None for other in (one, round.previous, round.baseline)]
        current, previous, baseline = (number(value, metric.unit) for value in values)
        compared = ((one.from_previous, round.previous), (one.from_baseline, round.baseline))
        parts = metric.made_of(one.measured)
        changes = [
            metric.change(deltas) if deltas and other and metric.made_of(other.measured) == parts else None
            for deltas, other in compared
        ]
        delta, from_baseline = (signed(change, metric.unit_of_change) for change in changes)
        rows.append(MetricRow(metric.name, current, previous, delta, baseline, from_baseline))
    return rows


def escaped(text: str) -> str:
    """Untrusted text on one line, escaped for Markdown and HTML."""
    text = plain(text).strip().replace("&", "&amp;").replace("<", "&lt;")
    return _BEGINS_A_BLOCK.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", text)) or UNKNOWN


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], words: int = 0) -> str:
    """A Markdown table: a name, numbers, and `words` columns of text. The cells must be escaped."""
    rule = ["---", *["---:"] * (len(headings) - 1 - words), *["---"] * words]
    return "\n".join(f"| {' | '.join(row)} |" for row in (headings, rule, *rows))


def number(value: float | None, unit: str = "") -> str:
    """A number with at most one decimal, or a dash. A value below 100 % is never rounded up to it."""
    if value is None:
        return UNKNOWN
    shown = min(value, 99.9) if unit == " %" and value < 100 else value
    return f"{shown:.1f}".removesuffix(".0") + unit


def signed(value: float | None, unit: str = "", digits: int = 1) -> str:
    """A difference with its sign, or a dash."""
    if value is None:
        return UNKNOWN
    rounded = round(value, digits)
    text = f"{rounded:+.{digits}f}" if rounded else "0"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−") + unit


def quality_text(value: float | None) -> str:
    """A quality with two decimals, or a text for none."""
    return "not measured" if value is None else f"{value:.2f}"


def named(round_number: int | None, quality: float | None = None) -> str:
    """A round as reports name it, with its quality."""
    if round_number is None:
        return "none"
    name = f"Round {round_number}{', the baseline' if round_number == 0 else ''}"
    return f"{name} (quality: {quality_text(quality)})"


def quality_of(one: Iteration) -> float | None:
    """The quality of a round, if it has one."""
    return one.quality.value if one.quality else None


def quality_gain(round: RoundReport) -> float | None:
    """The change in quality since the round it started from, if both have the same measurements."""
    now, before = round.iteration.quality, round.previous.quality if round.previous else None
    if now is None or before is None or set(now.components) != set(before.components):
        return None
    return now.value - before.value


def time_of(one: Iteration) -> str | None:
    """When a round ended: ISO 8601, UTC."""
    try:
        moment = None if one.at is None else datetime.fromtimestamp(one.at, UTC)
    except (ValueError, OverflowError, OSError):  # not a valid date
        return None
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z") if moment else None


def advice(recommendation: Recommendation) -> str:
    """The recommended action, with the round to return to."""
    target = recommendation.target_iteration
    return str(recommendation.action) if target is None else f"{recommendation.action} to round {target}"


def by_weight(alerts: Iterable[Finding]) -> list[Finding]:
    """Alerts, most severe first."""
    return sorted(alerts, key=lambda alert: -alert.severity.rank)


def best_kept(round: RoundReport, rounds: Iterable[RoundReport] = ()) -> str:
    """Whether the best round can be restored: yes, no, or not known."""
    known = [round.iteration, round.previous, round.baseline, *(other.iteration for other in rounds)]
    best = next((one for one in known if one is not None and one.number == round.best_iteration), None)
    if round.best_iteration is None:
        return "no (no best round yet)"
    if best is None:
        return f"not known (round {round.best_iteration} is not available)"
    return f"yes ({best.snapshot})" if best.snapshot else "no (no snapshot)"


def _facts(round: RoundReport) -> str:
    one = round.iteration
    facts = {
        "Timestamp": time_of(one) or "not known",
        "Classification": one.verdict + (", mixed" if one.mixed else ""),
        "Quality Score": quality_text(quality_of(one)),
    }
    if one.quality is not None and one.set_aside:
        facts["Proven Quality"] = f"{sure_value(one):.2f} {' and '.join(one.set_aside)}"
    if fate(round) != UNKNOWN:
        facts["Files"] = escaped(fate(round, with_reason=True))
    if round.seconds is not None and one.changes is not None:
        facts["Changed"] = f"{counted(one.changes.lines, 'line')} in {counted(len(one.changes.files), 'file')}"
    if round.seconds is not None:
        facts["Time"] = _time(round)
    if round.cost_usd is not None:
        facts["Cost"] = escaped(money(round.cost_usd))
    if round.measured_by:
        facts["Measured by"] = f"the round {escaped(round.measured_by)}"
    if round.unexplained:
        facts["Not believed"] = escaped(round.unexplained)
    if round.lost:
        facts["Lost"] = escaped(round.lost)
    if round.previous is not None and round.previous.number != one.number - 1:
        facts["Previous"] = f"round {round.previous.number}, from which this one started"
    return _listed(facts)


def fate(round: RoundReport, *, with_reason: bool = False) -> str:
    """What happened to the files of a round, and why, if known."""
    if round.kept is None:
        words = "to be rolled back" if round.why else UNKNOWN
    elif round.kept:
        words = "kept"
    else:
        words = "rolled back" if round.back_to is None else f"rolled back to {round_name(round.back_to)}"
    if not with_reason or not round.why:
        return words
    why = plain(round.why)
    return f"{words} {why}" if why.startswith("although ") else f"{words}: {why}"


def _time(round: RoundReport) -> str:
    """The duration of a round, and the agent's part of it."""
    agent = f", {duration(round.agent_seconds)} of it the agent" if round.agent_seconds is not None else ""
    return f"{duration(round.seconds or 0.0)}{agent}"


def round_name(number: int) -> str:
    """The name of a round inside a sentence."""
    return f"round {number}" if number else "the baseline"


def _tests(one: Iteration) -> str:
    """The tests whose result changed, by name."""
    suite = one.from_previous.suite if one.from_previous else None
    lists = suite_lists(suite, one.measured.flaky_tests or ())
    return "\n".join(f"- **{what.capitalize()}**: {escaped(names_of(tests, 20))}" for what, tests in lists.items())


def _score(score: Score | None, what: str) -> str:
    if score is None:
        return "Nothing was measured."
    rows = [
        (escaped(part.name.replace("_", " ").capitalize()), f"{part.score:.4f}", f"{part.weight:.4f}",
         f"{part.score * part.weight:.4f}")
        for part in score.parts
    ]  # fmt: skip
    total = f"**{score.value:.4f}**"
    rows.append(("**Total**", total, f"{sum(part.weight for part in score.parts):.2f}", total))
    rests_on = ", ".join(escaped(name) for name in score.components) or UNKNOWN
    return f"{table([what, 'Score', 'Weight', 'Contribution'], rows)}\n\nBased on: {rests_on}."


def _alerts(alerts: Sequence[Finding]) -> str:
    lines = [
        f"- **{alert.severity.upper()}** {escaped(alert.detector)}: {escaped(alert.message)}"
        f" (confidence {alert.confidence:.2f})"
        for alert in by_weight(alerts)
    ]
    return "\n".join(lines) or "No alerts"


def _best(round: RoundReport, rounds: Iterable[RoundReport]) -> str:
    one = round.iteration
    return _listed(
        {
            "Current Best": named(round.best_iteration, round.best_quality),
            "This Round": named(one.number, quality_of(one)),
            "Best Preserved": escaped(best_kept(round, rounds)),
        }
    )


def _recommendation(recommendation: Recommendation) -> str:
    reason = escaped(recommendation.reason)
    message = f": {escaped(recommendation.message)}" if recommendation.message else ""
    facts = {
        "Action": advice(recommendation),
        "Reason": reason + message,
        "Confidence": f"{recommendation.confidence:.2f}",
    }
    return _listed(facts)


def _listed(facts: dict[str, str]) -> str:
    return "\n".join(f"- **{name}**: {value}" for name, value in facts.items())
