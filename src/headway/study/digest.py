"""A digest of some days: runs, hours, cost, waste, the three worst runs, and a comparison with the days before."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from headway.config.price_files import PriceTable
from headway.core.decision import Action
from headway.core.run_report import ENDING, RunReport, ScannedFile, ScannedRun
from headway.reports.iteration_markdown import escaped, table
from headway.reports.summary import Summary
from headway.reports.tables import STOPPED
from headway.reports.text import columns, plain
from headway.reports.words import (
    cost_in_words,
    counted,
    coverage,
    duration,
    large,
    run_name,
    share,
    spent_in_words,
    stopped_in_words,
    where_to_look,
)  # fmt: skip
from headway.rolling.dates import day_of
from headway.store.overview import SessionOverview
from headway.study.left_undone import LeftUndone, in_words, left_undone

WORST = 3
SUGGESTED = 3
DAY = 86_400.0


class Live(msgspec.Struct, frozen=True):
    """What hooks did in live sessions."""

    sessions: int = 0
    without_recording: int = 0
    """Sessions without a recording. They are in no other figure."""
    nudges: int = 0
    blocks: int = 0
    stops: int = 0


class Digest:
    """Collects recordings of some days, and of as many days before them."""

    def __init__(self, until: float, days: int, summaries: tuple[Summary, Summary] | None = None) -> None:
        self.until, self.days = until, days
        self.this, self.before = summaries or (Summary(WORST), Summary(WORST))
        self.undated = self.in_future = 0
        """Runs without a date, and runs whose date is more than a day ahead: their clock was wrong."""
        self.live = Live()
        self.undone = LeftUndone()
        """What the mode `enforce` would have done in live sessions."""
        self._runs: set[str] = set()

    @property
    def since(self) -> float:
        """The beginning of the days."""
        return self.until - self.days * DAY

    def add(self, file: ScannedFile) -> None:
        """Count one recording."""
        dated = [one for one in file.runs if day_of(one.report.ended_at)]
        self.undated += len(file.runs) - len(dated)
        past = [one for one in dated if (one.report.ended_at or 0) <= self.until + DAY]
        self.in_future += len(dated) - len(past)
        now = tuple(one for one in past if (one.report.ended_at or 0) >= self.since)
        earlier = tuple(one for one in dated if self.since > (one.report.ended_at or 0) >= self.since - self.days * DAY)
        self.this.add(msgspec.structs.replace(file, runs=now))
        if earlier:
            self.before.add(msgspec.structs.replace(file, runs=earlier))
        self._runs.update(one.report.run for one in now)

    def add_live(self, sessions: Iterable[SessionOverview], prices: PriceTable | None = None) -> None:
        """Count live sessions. Call it after all recordings were added."""
        seen = [one for one in sessions if one.seen_at >= self.since]
        decisions = [one for session in seen for one in session.decisions if one.at >= self.since]
        decided = Counter(one.action for one in decisions if not one.would)
        self.undone = left_undone(seen, self.since, prices)
        main = [one for one in seen if not one.agent]
        self.live = Live(
            sessions=len(main),
            without_recording=sum(one.session not in self._runs for one in main),
            nudges=decided[Action.NUDGE],
            blocks=decided[Action.BLOCK],
            stops=sum(decided[action] for action in ENDING),
        )

    def worst(self) -> list[ScannedRun]:
        """The runs with the most waste."""
        return [one for one in self.this.worst() if one.report.verdict in ENDING][:WORST]

    def as_data(self) -> dict[str, Any]:
        """The digest as plain data, for programs."""
        return {
            "version": 1,
            "days": self.days,
            "from": self.since,
            "to": self.until,
            "this": _figures(self.this),
            "before": _figures(self.before),
            "undated_runs": self.undated,
            "runs_in_future": self.in_future,
            "worst": [_in_short(one.report) for one in self.worst()],
            "live": self.live,
            "would_have": self.undone,
            "suggestions": self.this.suggestions.as_data()[:SUGGESTED],
        }


def _figures(summary: Summary) -> dict[str, Any]:
    kept = ("runs", "steps", "verdicts", "spent", "after_stop", "runs_after_stop", "runs_with_cost", "runs_estimated")
    totals = summary.totals()
    return {name: totals[name] for name in (*kept, "prices_dated", "unpriced", "agents")}


def _in_short(report: RunReport) -> dict[str, Any]:
    names = ("run", "source", "project", "prompt", "agent", "model", "verdict", "first_stop", "spent", "after_stop")
    return {name: getattr(report, name) for name in names}


def rows(digest: Digest) -> Iterator[tuple[str, ...]]:
    """Each figure with its value, the value of the days before, and the change."""
    this, before = digest.this, digest.before
    yield "", "these days", "days before", "change"
    yield "runs", f"{this.runs:,}", f"{before.runs:,}", _change(this.runs, before.runs)
    hours = this.spent.active_seconds, before.spent.active_seconds
    yield "active time", *(_of_runs(one, _time) for one in (this, before)), _change(*hours)
    costs = this.spent.known_usd or None, before.spent.known_usd
    yield "cost", *(_of_runs(one, _cost) for one in (this, before)), _change(*costs)
    tokens = this.spent.tokens or None, before.spent.tokens
    yield "tokens", *(_of_runs(one, _tokens) for one in (this, before)), _change(*tokens)
    yield STOPPED, *(_of_runs(one, _stopped) for one in (this, before)), ""
    yield "after the stop", *(_of_runs(one, _waste) for one in (this, before)), ""


def _change(now: float | None, before: float | None) -> str:
    return f"{100 * (now - before) / before:+.0f} %" if now is not None and before else ""


def _of_runs(summary: Summary, word: Callable[[Summary], str]) -> str:
    """A figure, or a dash if there were no runs."""
    return word(summary) if summary.runs else "–"


def _time(summary: Summary) -> str:
    seconds = summary.spent.active_seconds
    return "unknown" if seconds is None else duration(seconds)


def _cost(summary: Summary) -> str:
    return cost_in_words(summary.spent) or "unknown"


def _tokens(summary: Summary) -> str:
    return large(summary.spent.tokens) if summary.spent.tokens else "unknown"


def _stopped(summary: Summary) -> str:
    stopped = sum(summary.verdicts[str(action)] for action in ENDING)
    return f"{stopped:,} of {counted(summary.runs, 'run')}"


def _waste(summary: Summary) -> str:
    after = summary.after_stop
    if not after.steps:
        return "nothing"
    return f"{spent_in_words(after).removesuffix(' active')} ({share(after.steps, summary.spent.steps)} of the steps)"


def title(digest: Digest) -> str:
    """The title of the digest."""
    return f"Headway digest, {day_of(digest.since)} to {day_of(digest.until)}"


def notes(digest: Digest) -> Iterator[str]:
    """Where the cost comes from, what hooks did, and what is left out."""
    if told := coverage(digest.this):
        yield f"{told[0].upper()}{told[1:]}."
    live = digest.live
    if live.sessions:
        parts = [counted(live.nudges, "nudge"), counted(live.blocks, "refused call"), counted(live.stops, "stop")]
        yield f"Hooks watched {counted(live.sessions, 'session')}: {', '.join(parts)}."
    yield from in_words(digest.undone, counted(digest.days, "day"))
    if live.without_recording:
        yield f"{counted(live.without_recording, 'watched session')} without a recording: only counted here."
    if digest.undated:
        yield f"{counted(digest.undated, 'run')} without a date: left out."
    if digest.in_future:
        yield f"{counted(digest.in_future, 'run')} with a date in the future: left out."


def as_text(digest: Digest) -> Iterator[str]:
    """The digest for a terminal or an email, line by line."""
    yield title(digest)
    yield ""
    yield from (f"  {line}" for line in columns([[plain(cell) for cell in row] for row in rows(digest)]))
    yield ""
    yield from map(plain, notes(digest))
    for heading, lines in _lists(digest):
        yield f"\n{heading}"
        yield from (f"  {plain(line)}" for line in lines)


def as_markdown(digest: Digest) -> Iterator[str]:
    """The digest for an issue, a chat or a job summary, line by line."""
    yield f"# {title(digest)}\n"
    heading, *others = rows(digest)
    yield table(heading, others)
    yield ""
    yield from (f"{escaped(note)}\n" for note in notes(digest))
    for name, lines in _lists(digest):
        yield f"## {name}\n"
        yield from (f"- {_with_code(line)}" for line in lines)
        yield ""


def _with_code(line: str) -> str:
    """Text escaped for Markdown, except for code in backticks."""
    parts = plain(line).split("`")
    if len(parts) % 2 == 0 or not all(part.strip() for part in parts[1::2]):
        return escaped(line)
    return "".join(f"`{part}`" if place % 2 else _escaped_between(part) for place, part in enumerate(parts))


def _escaped_between(part: str) -> str:
    """Escaped text that keeps a space at its ends."""
    if not part.strip():
        return part
    return f"{' ' * part.startswith(' ')}{escaped(part)}{' ' * part.endswith(' ')}"


def _lists(digest: Digest) -> Iterator[tuple[str, list[str]]]:
    if worst := digest.worst():
        yield f"Worst {counted(len(worst), 'run')}", [_line(one) for one in worst]
    if suggestions := digest.this.suggestions.all()[:SUGGESTED]:
        yield "What to change", [one.line for one in suggestions]


def _line(scanned: ScannedRun) -> str:
    report = scanned.report
    return f"{run_name(report)}: {report.verdict} {stopped_in_words(report)}; headway show {where_to_look(scanned)}"
