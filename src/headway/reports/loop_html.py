"""Writes a loop as one self-contained HTML page: no network, no script, no fonts.

Colour is never the only sign; each mark has a word.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from headway.core.iteration import Iteration, Score
from headway.reports import iteration_markdown as shown
from headway.reports import selection_markdown as chosen
from headway.reports.iteration_markdown import UNKNOWN, quality_of, quality_text
from headway.reports.page import Html, packaged, page, safe, section, tag
from headway.reports.selection_markdown import marks, verdict
from headway.reports.suite import names_of, suite_lists
from headway.reports.text import plain
from headway.reports.words import duration, money
from headway.scoring.assessment import LoopReport, Recommendation, RoundReport
from headway.scoring.better import quality_in_words
from headway.scoring.quality import ACCEPTED

TOP, BOTTOM, ROOM = 44, 260, 48
"""Pixels: the upper and lower edge of the chart, and the minimum width of a round in it."""
LEGEND = "● a round · ▼ a regression · ◎ the best round · – not measured · dashed line: acceptable from here up"
MAX_OUTPUT_CHARACTERS = 20_000

_GOOD, _BAD = {"best", "selected", "forward"}, {"regression", "stalled"}


def loop_page(loop: LoopReport) -> str:
    """The whole loop as one page."""
    title = f"Loop {plain(loop.loop_id)}"
    notice = chosen.not_acceptable(loop.selection) if loop.selection else None
    header = [tag("h1", title), tag("p", verdict(loop), class_="verdict")]
    header += [tag("p", f"Ended: {plain(loop.ending)}")] if loop.ending else []
    header += _about(loop)
    header += [tag("p", notice, class_="notice")] if notice else []
    rounds = section("Rounds", *(_round(loop, one) for one in loop.rounds))
    main = tag("main", _chart(loop), _table(loop), _selection(loop), _changes(loop), rounds)
    style = packaged("page.css", "loop.css")
    return page(title, tag("header", Html("\n".join(header))), main, style=style, policy="style-src 'unsafe-inline'")


def _about(loop: LoopReport) -> list[Html]:
    """The task, the agent, and the cost."""
    spent = [duration(loop.seconds) if loop.seconds is not None else ""]
    spent.append(money(loop.cost_usd) if loop.cost_usd is not None else "")
    facts = {"Task": plain(loop.task), "Agent": plain(loop.command), "Took": ", ".join(filter(None, spent))}
    return [tag("p", tag("strong", f"{name}: "), text) for name, text in facts.items() if text]


def _changes(loop: LoopReport) -> Html:
    if not loop.diff:
        return Html()
    folded = _folded("The diff, for `git apply`", tag("pre", loop.diff, tabindex=0))
    return section("Changes from the baseline", folded)


def _items(lines: Iterable[str]) -> Html:
    return tag("ul", *(tag("li", line) for line in lines))


def _folded(title: str, *content: str) -> Html:
    return tag("details", tag("summary", title), *content)


def _labels(words: Iterable[str]) -> Html:
    kinds = {word: "good" if word in _GOOD else "bad" if word in _BAD else "quiet" for word in words}
    return safe(*(tag("span", word, class_=f"mark {kind}") for word, kind in kinds.items()))


class _Scale(NamedTuple):
    """The range of the chart in tenths. Horizontal positions are percentages, so that text keeps its size."""

    low: int
    high: int

    def y(self, value: float) -> float:
        """The distance from the top in pixels, for a quality."""
        share = (10 * min(1.0, max(0.0, value)) - self.low) / (self.high - self.low)
        return round(BOTTOM - share * (BOTTOM - TOP), 1)


def _chart(loop: LoopReport) -> Html:
    rounds = [one.iteration for one in loop.rounds]
    values = [min(1.0, max(0.0, value)) for value in map(quality_of, rounds) if value is not None]
    if not values:
        return section("Quality by round", tag("p", "No round has a quality: nothing was measured."))
    scale = _Scale(max(0, floor(10 * min(*values, ACCEPTED) - 0.5)), min(10, ceil(10 * max(*values, ACCEPTED) + 0.5)))
    told = "Quality by round: " + ", ".join(f"{one.number}: {quality_text(quality_of(one))}" for one in rounds)
    places = [100 * place / (len(rounds) - 1) for place in range(len(rounds))] if len(rounds) > 1 else [50.0]
    points = [_point(loop, scale, x, one) for x, one in zip(places, rounds, strict=True)]
    inside = [*_levels(scale), *_path(scale, places, rounds), *points]
    drawing = tag("svg", *inside, width="100%", height=BOTTOM + 44, role="img", aria_label=told)
    chart = tag("div", drawing, class_="chart", style=f"min-width:{ROOM * (len(rounds) - 1) + 88}px")
    scroll = tag("div", chart, class_="scroll", tabindex=0, role="group", aria_label="Chart of the quality by round")
    return section("Quality by round", tag("figure", scroll, tag("figcaption", LEGEND)))


def _levels(scale: _Scale) -> Iterator[Html]:
    for tenth in range(scale.low, scale.high + 1):
        y = scale.y(tenth / 10)
        yield _line(0, 100, y, y, "grid")
        yield _text(f"{tenth / 10:.1f}", -28, y + 4, "axis end")
    y = scale.y(ACCEPTED)
    yield _line(0, 100, y, y, "accepted")
    yield _text(f"acceptable: {ACCEPTED:.2f}", "100%", y + 15, "axis end")


def _path(scale: _Scale, places: Sequence[float], rounds: Sequence[Iteration]) -> Iterator[Html]:
    for (x1, one), (x2, other) in pairwise(zip(places, rounds, strict=True)):
        if one.quality is not None and other.quality is not None:
            yield _line(x1, x2, scale.y(one.quality.value), scale.y(other.quality.value), "path")


def _point(loop: LoopReport, scale: _Scale, x: float, one: Iteration) -> Html:
    words, quality = marks(loop, one), quality_of(one)
    under = next((word for word in ("selected", "final", "baseline") if word in words), "")
    parts = [_text(str(one.number), 0, BOTTOM + 20, "axis"), _text(under, 0, BOTTOM + 36, "strong")]
    parts.append(tag("title", ", ".join([f"Round {one.number}", quality_text(quality), one.verdict, *words])))
    if quality is None:
        parts.append(_text(UNKNOWN, 0, BOTTOM - 4))
    else:
        y, best = scale.y(quality), "best" in words
        triangle = tag("path", d=f"M-7 {y - 5}h14l-7 12z", class_="fall")
        parts.append(triangle if one.verdict == "regression" else tag("circle", cy=f"{y}", r=5, class_="round"))
        parts.append(_text(f"{quality:.2f}", 0, y - 13, "strong" if best else ""))
        parts += [tag("circle", cy=f"{y}", r=10, class_="peak"), _text("best", 0, y - 27, "strong")] if best else []
    return tag("svg", *parts, x=f"{x:.2f}%", overflow="visible")


def _line(x1: float, x2: float, y1: float, y2: float, kind: str) -> Html:
    return tag("line", x1=f"{x1:.2f}%", x2=f"{x2:.2f}%", y1=f"{y1}", y2=f"{y2}", class_=kind)


def _text(words: str, x: str | int, y: float, kind: str = "") -> Html:
    return tag("text", words, x=x, y=f"{y:.1f}", class_=kind or None)


def _table(loop: LoopReport) -> Html:
    if not loop.rounds:
        return section("Metrics", tag("p", "No round has been assessed."))
    headings = ["Round", "Quality", *(row.name for row in shown.metric_rows(loop.rounds[0]))]
    head = [tag("th", heading, scope="col") for heading in headings]
    words = ("Time", "Agent", "Cost", "Classification", "Files", "Recommendation")
    head += [tag("th", heading, scope="col", class_="words") for heading in words]
    body = tag("tbody", *(_row(loop, one) for one in loop.rounds))
    table = tag("table", tag("thead", tag("tr", *head)), body, class_="rounds")
    explained = (
        "Beside each number is the change since the round it started from; a dash means not measured. Time is the "
        "whole round with measuring, Agent the agent's part of it."
    )
    return section("Metrics", table, tag("p", explained, class_="quiet"))


def _row(loop: LoopReport, round: RoundReport) -> Html:
    one, words = round.iteration, marks(loop, round.iteration)
    link = tag("a", f"{one.number}", href=f"#round-{one.number}")
    cells = [tag("th", tag("span", link, " ", _labels(words)), scope="row", data_label="Round")]
    now = quality_of(one)
    cells.append(
        _cell("Quality", UNKNOWN if now is None else f"{now:.2f}", shown.signed(shown.quality_gain(round), digits=2))
    )
    cells += [_cell(row.name, row.current, row.delta) for row in shown.metric_rows(round)]
    words_of = {
        "Time": UNKNOWN if round.seconds is None else duration(round.seconds),
        "Agent": UNKNOWN if round.agent_seconds is None else duration(round.agent_seconds),
        "Cost": UNKNOWN if round.cost_usd is None else money(round.cost_usd),
        "Classification": one.verdict,
        "Files": shown.fate(round),
        "Recommendation": shown.advice(round.recommendation),
    }
    cells += [tag("td", text, class_="words", data_label=name) for name, text in words_of.items()]
    return tag("tr", *cells, class_="best" if "best" in words else None)


def _cell(name: str, value: str, delta: str) -> Html:
    change = Html() if delta == UNKNOWN else tag("span", delta, class_="delta")
    return tag("td", tag("span", value, change), data_label=name)


def _selection(loop: LoopReport) -> Html:
    selection = loop.selection
    if selection is None:
        return section("Selection", tag("p", verdict(loop)))
    override = [tag("p", f"Reason given: {plain(selection.override)}")] if selection.override else []
    parts = {
        "Why": selection.rationale,
        "Criteria": chosen.criteria(selection),
        "Compared with the final round": chosen.comparison(selection),
        "After the selected round": chosen.degradation(selection.degradation),
    }
    listed = [part for title, lines in parts.items() for part in (tag("h4", title), _items(lines))]
    return section("Selection", tag("p", verdict(loop), class_="verdict"), *override, *listed)


def _round(loop: LoopReport, round: RoundReport) -> Html:
    one, words = round.iteration, marks(loop, round.iteration)
    heading = tag("h3", f"Round {one.number} ", _labels(dict.fromkeys([one.verdict, *words])))
    facts = {
        "Quality": quality_text(quality_of(one)),
        "Best round kept": plain(shown.best_kept(round, loop.rounds)),
        "Ended": shown.time_of(one) or "time not known",
    }
    facts |= {"Files": shown.fate(round, with_reason=True)} if shown.fate(round) != UNKNOWN else {}
    told = tag("p", " · ".join(f"{name}: {value}" for name, value in facts.items()), class_="quiet")
    kind = "best" if "best" in words else "regression" if one.verdict == "regression" else None
    parts = [heading, told, *_measure(round), _alerts(round), _recommendation(round.recommendation), *_details(round)]
    return tag("article", *parts, id=f"round-{one.number}", class_=kind)


def _measure(round: RoundReport) -> list[Html]:
    """The tests whose result changed, and whether the round changed how it is measured."""
    one = round.iteration
    suite = one.from_previous.suite if one.from_previous else None
    lists = suite_lists(suite, one.measured.flaky_tests or ())
    told = [tag("p", tag("strong", f"{what.capitalize()}: "), names_of(tests, 20)) for what, tests in lists.items()]
    told += [tag("p", f"The round {plain(round.measured_by)}", class_="notice")] if round.measured_by else []
    notices = (text for text in (round.unexplained, round.lost) if text)
    return told + [tag("p", plain(text[:1].upper() + text[1:]), class_="notice") for text in notices]


def _recommendation(advised: Recommendation) -> Html:
    why = ": ".join(plain(part) for part in (advised.reason, advised.message) if part)
    action = tag("strong", f"Recommendation: {shown.advice(advised)}.")
    return tag("p", action, f" {why} (confidence {advised.confidence:.2f})")


def _alerts(round: RoundReport) -> Html:
    if not round.alerts:
        return tag("p", "No alerts")
    lines = []
    for alert in shown.by_weight(round.alerts):
        severity = tag("span", alert.severity.upper(), class_="mark bad")
        lines.append(tag("li", severity, tag("strong", plain(alert.detector)), f": {plain(alert.message)}"))
    return tag("ul", *lines, class_="alerts")


def _details(round: RoundReport) -> Iterator[Html]:
    one = round.iteration
    tests, changed = one.measured.failing_tests or (), sorted(one.changes.files) if one.changes else ()
    lists = {"Reasoning": round.rationale, "Failing tests": tests, "Changed files": changed}
    yield from (_folded(f"{title} ({len(lines)})", _items(lines)) for title, lines in lists.items() if lines)
    if one.set_aside:
        yield tag("p", f"{quality_in_words(one).capitalize()}.")
    scores = {"Quality": one.quality, "Progress": one.progress}
    yield from (_folded(f"{title} score", *_score(score)) for title, score in scores.items() if score)
    if one.output and one.output.strip():
        more = len(one.output) - MAX_OUTPUT_CHARACTERS
        cut = f"\n… and {more} more characters" if more > 0 else ""
        yield _folded("Output", tag("pre", one.output[:MAX_OUTPUT_CHARACTERS] + cut, tabindex=0))


def _score(score: Score) -> Iterator[Html]:
    head = (tag("th", title, scope="col") for title in ("Part", "Score", "Weight", "Contribution"))
    rows = []
    for part in score.parts:
        numbers = (tag("td", f"{value:.4f}") for value in (part.score, part.weight, part.score * part.weight))
        rows.append(tag("tr", tag("th", plain(part.name.replace("_", " ")), scope="row"), *numbers))
    yield tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="scores")
    yield tag("p", f"Total: {score.value:.4f}. Based on: {plain(', '.join(score.components))}.")
