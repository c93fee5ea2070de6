"""How right Headway is on recorded runs whose outcome is known, beside what other projects do.

    python bench/accuracy.py RUNS.jsonl.gz [--markdown docs/accuracy.md]
    python bench/accuracy.py FOLDER --outcomes outcomes.csv
    python bench/accuracy.py s3://bucket/packed --outcomes outcomes.csv --engine ray --address auto

RUNS has one run on each line: id, dataset, agent, model, outcome (true, false or null), labels and
steps[tool, args, output, error, text]. A folder or a URL holds recordings in any format that `headway scan` reads,
packed sessions among them. The runs are replayed on the engines of `headway scan`.
"""

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from page_part import put_each
from peers import PEERS
from recorded import steps_of
from rich.progress import track
from verdicts import page

from headway.cli.engines import engine_for
from headway.cli.recordings import sources_of
from headway.config.settings import Settings
from headway.core import events
from headway.study.calibrate import LADDERS, with_ladder
from headway.study.engines import Engine, Failure
from headway.study.judged import Judged, Recorded, Watcher, headway, judged
from headway.study.outcomes import OutcomeError, outcomes_in, recorded_in

PART = 50
"""Runs that are replayed together."""
MIN_TURNS = 5
"""Shorter runs have no room for a loop."""
STRONG = (0.25, 10)
"""A model with an agent is strong when it solves this share, and at least so many: there a false stop costs most."""
STUCK = "AgentStuckInLoopError"
"""Label of the runs that OpenHands' own detector ended."""


class Run(Recorded, frozen=True):
    """A recorded run with what else the pack knows about it."""

    dataset: str = ""
    labels: tuple[str, ...] = ()
    single: bool = False
    """Whether the log is of one attempt only, so that its labels belong to these steps."""
    relations: tuple[str, ...] = ()
    """What people said of each step's relation to the one before."""
    pack: str = ""
    steps: tuple[int, ...] = ()
    """Which step of the recording each event belongs to, counted from 1."""


def packed(path: Path) -> Iterator[Run]:
    """The runs of a pack that are long enough."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            run = json.loads(line)
            if len(run["steps"]) >= MIN_TURNS:
                yield _run(run, path.name.partition(".")[0])


def _run(run: dict[str, Any], pack: str) -> Run:
    steps = steps_of(run)
    stream = [event for step in steps for event in step]
    meta = run["meta"] or {}
    return Run(
        run=run["id"], solved=run["outcome"], events=stream, task=_task(run), agent=run["agent"], model=run["model"],
        dataset=run["dataset"], labels=tuple(run["labels"]),
        single=bool(meta.get("has_log")) and not meta.get("extra_attempts"),
        relations=tuple(step.get("rel_prev") or "" for step in run["steps"]), pack=pack,
        steps=tuple(number for number, step in enumerate(steps, 1) for _ in step),
    )  # fmt: skip


def _task(run: dict[str, Any]) -> str:
    """Runs of one task share a name, whichever model made them."""
    if run["dataset"] == "tau_bench":
        return "/".join(run["id"].split("/")[:2])
    return f"{run['dataset']}/{run['id'].rsplit('/', 1)[-1]}"


class Part(NamedTuple):
    """Some runs, which are replayed together, and the place of the first one among all."""

    first: int
    runs: list[Run]


def watched(part: Part, names: list[str]) -> dict[str, list[Judged]]:
    """Some runs, seen by each watcher."""
    return {name: [judged(run, make(name, run)) for run in part.runs] for name in names}


def replayed(runs: list[Run], names: list[str], engine: Engine) -> dict[str, list[Judged]]:
    """Every run, seen by each watcher, in the order of the runs."""
    parts = [Part(first, runs[first : first + PART]) for first in range(0, len(runs), PART)]
    with closing(engine):
        found = list(track(engine.run(watched, parts, names), "Replaying", len(parts)))
    for part, result in found:
        if isinstance(result, Failure):
            raise SystemExit(f"{part.runs[0].run} and {len(part.runs) - 1} more: {result.why}")
    found.sort(key=lambda one: one[0].first)  # a cluster gives them in any order
    return {name: [one for _, result in found for one in result[name]] for name in names}


def make(name: str, run: Recorded) -> Watcher:
    """A fresh watcher for one run: Headway, Headway with another ladder, or a peer."""
    if name == "Headway":
        return headway(run.model)
    if name.startswith("ladder "):
        return headway(run.model, with_ladder(Settings(), LADDERS[int(name[7:])]))
    return PEERS[name]()


def speaks_on_repetitions(runs: Iterable[Run]) -> tuple[int, int, int]:
    """Hits, false alarms and misses of our findings against people's word that a step repeats the one before."""
    from headway import Monitor

    hits = false = missed = 0
    for run in (run for run in runs if any(run.relations)):
        monitor, found = Monitor(), []
        for event in run.events:
            outcome = monitor.feed(event)
            if isinstance(event, events.ToolReturned):
                found.append(bool(outcome.findings))
        for ours, theirs in zip(found, run.relations, strict=False):
            if theirs:
                is_repetition = theirs == "Repetition"
                hits += ours and is_repetition
                false += ours and not is_repetition
                missed += is_repetition and not ours
    return hits, false, missed


def _with_outcomes(folder: str, table: Path) -> list[Run]:
    known = outcomes_in(table)
    found = (one for source in sources_of(folder) for one in recorded_in(source, known, None))
    return [Run(one.run, one.solved, one.events, one.task, one.agent, one.model) for one in found]


def main() -> None:
    """Replay, count, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs")
    parser.add_argument("--outcomes", type=Path, help="table with run and solved, for a folder of recordings")
    parser.add_argument("--markdown", type=Path, help="write the page there; other benchmarks' parts stay")
    parser.add_argument("--engine", choices=("local", "ray"), default="local")
    parser.add_argument("--address", help="the Ray cluster")
    parser.add_argument("--jobs", type=int, help="number of workers")
    given = parser.parse_args()
    if "://" not in given.runs and not Path(given.runs).exists():
        parser.error(f"{given.runs}: there is no such file or folder")
    if ("://" in given.runs or Path(given.runs).is_dir()) and not given.outcomes:
        parser.error(f"{given.runs}: a folder needs --outcomes FILE, a table with run and solved")
    try:
        runs = _with_outcomes(given.runs, given.outcomes) if given.outcomes else list(packed(Path(given.runs)))
    except OutcomeError as error:
        parser.error(str(error))
    except (OSError, ValueError, KeyError, TypeError) as error:
        parser.error(f"{given.runs}: not a pack of runs, one JSON object on each line ({error})")
    with_solves = {run.dataset for run in runs if run.solved}
    ended = [run for run in runs if run.solved is not None and run.dataset in with_solves]
    if not ended:
        parser.error(f"{given.runs}: no run in it has a known outcome")
    names = ["Headway", *PEERS, *(f"ladder {n}" for n in range(len(LADDERS)))]
    results = replayed(ended, names, engine_for(given.engine, given.address, given.jobs))
    text = page(runs, ended, results, speaks_on_repetitions(runs), stuck(runs))
    print(text)
    if given.markdown:
        put_each(given.markdown, text)


def stuck(runs: list[Run]) -> dict[str, tuple[int, int, int, int]]:
    """For Headway and OpenHands' own rule: runs with and without OpenHands' own stuck label, and alarms on each."""
    labelled = [run for run in runs if run.single]
    found = {}
    for name in ("Headway", *PEERS):
        alarms: dict[bool, list[bool]] = defaultdict(list)
        for run in labelled:
            is_stuck = any(STUCK in label for label in run.labels)
            alarms[is_stuck].append(judged(run, make(name, run)).alarmed_at is not None)
        found[name] = (len(alarms[True]), sum(alarms[True]), len(alarms[False]), sum(alarms[False]))
    return found


if __name__ == "__main__":
    from accuracy import main as in_module  # other processes can load what is in a module with a name

    sys.exit(in_module())
