"""Chooses between versions of Headway on recorded runs, each time without one agent and its model.

    python bench/versions.py RUNS.jsonl.gz [MORE.jsonl.gz ...] NAME=CHECKOUT [NAME=CHECKOUT ...]

`bench/trials.py` tries settings; a rule that has none is tried as a checkout that has it. A checkout is replayed by the
Python in its own `.venv`, if there is one. For each agent with its model, the choice is made on all other runs, by the
order of `bench/trials.py`: the version that stops the fewest solved runs, then the one that speaks in the fewest of
them, then the one that saves most. Each fold is printed with what was chosen without it and what that does on it.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import trials
from trials import HEAD, Replayed, counted, replayed

from headway.config.settings import Settings


def main() -> None:
    """Replay with each version, and choose."""
    *given, last = sys.argv[1:]
    if last == "--replay":
        return _replay_here([Path(one) for one in given])
    packs = [one for one in sys.argv[1:] if "=" not in one]
    checkouts = dict(one.split("=", 1) for one in sys.argv[1:] if "=" in one)
    with ThreadPoolExecutor(2) as pool:
        runs = dict(zip(checkouts, pool.map(lambda path: _replayed_by(path, packs), checkouts.values()), strict=True))
    for name, of in runs.items():
        print(f"\n{name:36s} {HEAD}")
        for pack in dict.fromkeys(run.pack for run in of):
            print(f"  {pack:34s} {counted(run for run in of if run.pack == pack)}")
    _print_folds(runs)
    return None


def _print_folds(runs: dict[str, list[Replayed]]) -> None:
    folds = sorted({run.config for of in runs.values() for run in of})
    chosen: Counter[str] = Counter()
    print(f"\n{'left out':60s} {'chosen':12s} {HEAD}")
    for fold in folds:
        name = min(runs, key=lambda name: _cost(run for run in runs[name] if run.config != fold))
        chosen[name] += 1
        print(f"{' '.join(fold)[:60]:60s} {name:12s} {counted(run for run in runs[name] if run.config == fold)}")
    print("\n" + ", ".join(f"{name}: chosen in {count} of {len(folds)} folds" for name, count in chosen.items()))


def _cost(runs: Iterable[Replayed]) -> tuple[float, float, float, float]:
    one = counted(runs)
    return one.killed, one.alarms_solved, -one.saved, -one.alarms_failed


def _replayed_by(checkout: str, packs: list[str]) -> list[Replayed]:
    """The runs, replayed by another checkout: this script with its sources."""
    root, own = Path(checkout).resolve(), Path(checkout) / ".venv/bin/python"
    python = str(own.absolute()) if own.exists() else sys.executable
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    made = subprocess.run(
        [python, __file__, *packs, "--replay"], env=environment, stdout=subprocess.PIPE, check=True, timeout=3600
    )
    return msgspec.json.decode(made.stdout, type=list[Replayed])


def _replay_here(packs: list[Path]) -> None:
    for path in packs:
        trials.RUNS.extend(run for run in trials.packed(path) if run.solved is not None)
    with_solves = {run.dataset for run in trials.RUNS if run.solved}
    trials.RUNS[:] = [run for run in trials.RUNS if run.dataset in with_solves]
    settings = Settings()
    sys.stdout.buffer.write(msgspec.json.encode([replayed(number, settings) for number in range(len(trials.RUNS))]))


if __name__ == "__main__":
    main()
