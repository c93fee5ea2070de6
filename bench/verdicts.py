"""The page that `bench/accuracy.py` writes: tables, method, and every case in which Headway was wrong."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from peers import VOCABULARY

from headway.core.events import Event, ToolCalled, ToolReturned
from headway.study.calibrate import LADDERS, RUNGS
from headway.study.figures import Figures, figures, interval
from headway.study.judged import Judged, Recorded

STRONG_SHARE, STRONG_SOLVED = 0.25, 10
"""A model with an agent is strong when it solves this share, and so many runs: a false stop costs most there."""
MISSED = 12
"""Failed runs with much repetition and no stop that are listed."""


def page(runs, ended, results: dict[str, list[Judged]], pairs, stuck) -> str:
    """All of it, as Markdown."""
    ours = results["Headway"]
    parts = [
        "# How accurate is Headway?\n",
        "Written by `make bench RUNS=…` (`bench/accuracy.py`); do not edit by hand.\n",
        _method(ours),
        "## Compared with other projects\n",
        _table(
            ("watcher", *COLUMNS), [(name, *_row(results[name], spans=True)) for name in results if _is_watcher(name)]
        ),
        "",
        _strong(ours),
        "## OpenHands' own verdict\n",
        _stuck(stuck),
        "## Repetitions as people label them\n",
        _pairs(pairs),
        "## The ladder\n",
        "The same detectors with more and less patience. The default is marked.\n",
        _ladder(results),
        "## By agent and model\n",
        _groups(ours),
        "## Leaving one out\n",
        _leave_one_out(results),
        "## Where it is still wrong\n",
        _killed(ours),
        _missed(ended, ours),
    ]
    return "\n".join(parts) + "\n"


COLUMNS = ("false stops", "[95 %]", "saved", "[95 %]", "alarms, solved", "alarms, failed", "right when it stops")


def _is_watcher(name: str) -> bool:
    return not name.startswith("ladder ")


def _method(ours: Sequence[Judged]) -> str:
    found, tasks = figures(ours), len({run.task for run in ours})
    agents = len({run.agent for run in ours})
    models = len({run.model for run in ours})
    return f"""## Method

{found.solved + found.failed:,} recorded runs with a known outcome ({found.solved} solved, {found.failed:,} failed) of
{agents} agents and {models} models on {tasks} tasks are replayed event by event. A replay ends at the first stop.

- *False stops*: solved runs that would have been stopped before their end.
- *Saved*: share of the failed runs' turns that came after the stop.
- *Alarms*: runs with a nudge or a stop.
- *Right when it stops*: share of the stopped runs that had failed.

A replay cannot show what a nudge would have changed. Some of the runs that were stopped here would have recovered
after the nudge; the effect of the nudges on the solved runs is unknown. Intervals are bootstrap intervals over
tasks, not runs, because the runs of one task succeed and fail together.

The figures over all runs mostly reflect the weak models, which loop most and solve least. See also the groups below.

Each rule has a reason that a person accepts ([why](development/why.md)), but the rules and the older thresholds were
developed on public runs of OpenHands, SWE-agent, RepairAgent and tau-bench. If these are among the runs here, expect
lower figures for new agents; "Leaving one out" shows how much depends on each of them. What each rule contributes, and
what was tried and rejected, is in "Each rule, alone and together"; "Thresholds chosen without the runs they are shown
on" has the figures of runs that were not used to choose the thresholds of these rules.
"""


def _strong(ours: Sequence[Judged]) -> str:
    groups = defaultdict(list)
    for run in ours:
        groups[run.agent, run.model].append(run)
    strong = [
        run
        for group in groups.values()
        if (found := figures(group)).solved >= STRONG_SOLVED
        and found.solved / (found.solved + found.failed) >= STRONG_SHARE
        for run in group
    ]
    found = figures(strong)
    return (
        f"Strong models (at least {STRONG_SHARE:.0%} solved, {STRONG_SOLVED} runs or more): {found.killed} of "
        f"{found.solved} solved runs stopped, alarms on {_percent(found.alarms_solved)} of the solved and "
        f"{_percent(found.alarms_failed)} of the failed runs.\n"
    )


def _row(runs: Sequence[Judged], spans: bool = False) -> tuple[str, ...]:
    found = figures(runs)
    cells = [f"{_percent(found.false_stops)} ({found.killed})", _percent(found.saved)]
    if spans:
        cells = [cells[0], _span(runs, lambda f: f.false_stops), cells[1], _span(runs, lambda f: f.saved)]
    return (*cells, _percent(found.alarms_solved), _percent(found.alarms_failed), _percent(found.right))


def _span(runs: Sequence[Judged], figure: Callable[[Figures], float | None]) -> str:
    found = interval(runs, figure)
    return "–" if found is None else f"{found[0] * 100:.1f}–{found[1] * 100:.1f}"


def _stuck(stuck: dict[str, tuple[int, int, int, int]]) -> str:
    if not any(labelled for labelled, *_ in stuck.values()):
        return "No run here carries OpenHands' own label.\n"
    rows = [
        (name, f"{hits / labelled:.1%}", f"{false / others:.1%}")
        for name, (labelled, hits, others, false) in stuck.items()
    ]
    labelled, _, others, _ = stuck["Headway"]
    said = f"Alarms on the {labelled} runs that OpenHands itself ended as stuck, and on its {others} others.\n\n"
    return said + _table(("watcher", "on the stuck", "on the others"), rows) + "\n"


def _pairs(pairs: tuple[int, int, int]) -> str:
    hits, false, missed = pairs
    if not hits + missed:
        return "No run here carries such labels.\n"
    f1 = 2 * hits / (2 * hits + false + missed)
    return f"""In runs where people labelled how each step relates to the one before, {hits + missed} are repetitions.
Headway has a finding, of any severity, at {hits} of them and at {false} other steps: F1 {f1:.2f}. "Equal to the call
before" scores 0.81, because people labelled every repeated *call* a repetition. Headway requires an equal result as
well, and waits for the third time; most of these repetitions had another result, or occurred once.
"""


def _ladder(results: dict[str, list[Judged]]) -> str:
    rows = []
    for number, ladder in enumerate(LADDERS):
        rungs = tuple(str(getattr(ladder, name)) for name in RUNGS)
        default = " (default)" if ladder == type(ladder)() else ""
        rows.append((rungs[0], rungs[1], rungs[2] + default, *_row(results[f"ladder {number}"])))
    return _table((*RUNGS, *(name for name in COLUMNS if name != "[95 %]")), rows) + "\n"


def _groups(ours: Sequence[Judged]) -> str:
    groups = defaultdict(list)
    for run in ours:
        groups[run.agent, run.model].append(run)
    rows = [(*key, _of(group), *_row(group)) for key, group in sorted(groups.items())]
    return _table(("agent", "model", "solved", *(name for name in COLUMNS if name != "[95 %]")), rows) + "\n"


def _of(group: Sequence[Judged]) -> str:
    return f"{sum(run.solved for run in group)} of {len(group)}"


def _leave_one_out(results: dict[str, list[Judged]]) -> str:
    """Choose the ladder without one model or agent, and look how it does there."""
    parts = []
    for what in ("agent", "model"):
        rows = []
        for name in sorted({getattr(run, what) for run in results["Headway"]}):
            chosen = _best_without(results, what, name)
            left = [run for run in results[f"ladder {chosen}"] if getattr(run, what) == name]
            rungs = "/".join(str(getattr(LADDERS[chosen], rung)) for rung in RUNGS)
            rows.append((name, _of(left), rungs, *_row(left)))
        header = (what + " left out", "solved", "ladder chosen", *(name for name in COLUMNS if name != "[95 %]"))
        parts.append(_table(header, rows))
    said = (
        "For each agent and each model: the ladder that saves most among those with at most 1.1 % false stops on all "
        "*other* runs, applied to the one that was left out. The detectors' own thresholds stay.\n\n"
    )
    return said + "\n\n".join(parts) + "\n"


def _best_without(results: dict[str, list[Judged]], what: str, name: str) -> int:
    best, most = 0, -1.0
    for number in range(len(LADDERS)):
        found = figures(run for run in results[f"ladder {number}"] if getattr(run, what) != name)
        if (found.false_stops or 0.0) <= 0.011 and (found.saved or 0.0) > most:
            best, most = number, found.saved or 0.0
    return best


def _killed(ours: Sequence[Judged]) -> str:
    killed = [run for run in ours if run.killed]
    if not killed:
        return "No solved run was stopped.\n"
    rows = [(run.run, f"{run.stopped_at} of {run.turns}", f"`{run.reason}`: {run.message}") for run in killed]
    return "Solved runs that would have been stopped:\n\n" + _table(("run", "turn", "why"), rows) + "\n"


def _missed(ended: Iterable[Recorded], ours: Sequence[Judged]) -> str:
    """Failed runs that repeated themselves most, by equal calls with equal results, and were never stopped."""
    repeats = {run.run: Repeats(run.events) for run in ended if not run.solved}
    missed = [run for run in ours if not run.solved and run.stopped_at is None]
    missed.sort(key=lambda run: (-repeats[run.run].count, run.run))
    rows = [
        (run.run, str(run.turns), str(repeats[run.run].count), _why(run, repeats[run.run])) for run in missed[:MISSED]
    ]
    said = (
        "Failed runs that were never stopped, by how many of their calls had been made before with the same result:\n\n"
    )
    return said + _table(("run", "turns", "repeats", "why not"), rows) + "\n"


def _why(run: Judged, repeats: "Repeats") -> str:
    if run.alarmed_at is not None:
        return f"said at turn {run.alarmed_at} (`{run.reason}`), but it did not go on for long enough after that"
    if repeats.changing * 2 > repeats.count:
        return "most repeats change a file, and each may add something"
    return f"at most {repeats.longest} in a row; changes or news are between the others"


class Repeats:
    """How often a run made a call that it had made before with the same result."""

    def __init__(self, stream: Iterable[Event]) -> None:
        self.count = self.changing = self.longest = 0
        seen, calls, last, streak = set(), {}, None, 0
        for event in stream:
            if isinstance(event, ToolCalled):
                calls[event.call] = event
            elif isinstance(event, ToolReturned) and event.call in calls:
                call = calls.pop(event.call)
                key = (call.tool, repr(call.args), event.output)
                if key in seen:
                    self.count += 1
                    self.changing += VOCABULARY.meaning(call.tool, call.args).changes and not event.failed
                seen.add(key)
                streak = streak + 1 if key == last else 1
                last, self.longest = key, max(self.longest, streak)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    header = tuple(header)
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)
