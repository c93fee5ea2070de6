"""Whether every sentence about recorded runs is literally true, by a counter that shares no code with the detectors.

    python bench/sentences.py RUNS.jsonl.gz [MORE.jsonl.gz …] [--seed 1] [--print 100] [--markdown docs/accuracy.md]

Each finding on each run is recounted from the raw recording (`witness.py`): its numbers, ranges and names, the sameness
of results, and that no change was seen in between. What differs is listed and ends the program with 1, except where a
reader has compared the sentence with the recording (`sentences_by_hand.toml`). A hundred sentences that were said to an
agent are drawn with the seed and printed with their steps, for reading.
"""

import argparse
import gzip
import json
import random
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from page_part import put
from recorded import GUESSED, steps_of
from rich.progress import track
from witness import Seen, call_of, problem

from headway import Monitor

TITLE = "## Are the messages true?"
BY_HAND = Path(__file__).with_name("sentences_by_hand.toml")


class Case(NamedTuple):
    """One sentence, and where it was found."""

    run: str
    step: int
    detector: str
    sentence: str
    is_said: bool
    problem: str
    steps: list[dict[str, Any]]

    @property
    def key(self) -> str:
        return f"{self.run}#{self.step} {self.detector}"


def main() -> None:
    """Recount, list what differs, print some for reading."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packs", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--print", type=int, default=100, dest="shown", help="how many to print with their steps")
    parser.add_argument("--markdown", type=Path, help="put the counts into this page")
    parser.add_argument("--cases", type=Path, help="write what differs, with the steps, to this file")
    asked = parser.parse_args()
    by_hand = tomllib.loads(BY_HAND.read_text()) if BY_HAND.exists() else {}
    counted, said, differing = Counter[str](), [], []
    for pack in asked.packs:
        for run in track(_runs(pack), pack):
            for case in cases(run):
                counted[case.detector] += 1
                said += [case] if case.is_said else []
                if case.problem and not _is_read(case, by_hand):
                    differing.append(case)
    for case in sorted(random.Random(asked.seed).sample(said, min(asked.shown, len(said)))):
        print(_in_full(case))
    for case in differing:
        print(f"DIFFERS {case.key}: {case.sentence}\n        {case.problem}")
    if asked.cases:
        asked.cases.write_text(json.dumps([case._asdict() for case in differing], indent=1))
    wrong = Counter(case.detector for case in differing)
    for detector, count in sorted(counted.items()):
        print(f"{detector:24}{count:8,} sentences {wrong[detector]:6,} differ")
    read = sum(case.problem != "" for case in said) - len([case for case in differing if case.is_said])
    total = f"{counted.total():,} sentences ({len(said):,} of them said to an agent), {len(differing):,} differ"
    print(f"{total}; {read} of those said were compared by a reader")
    if asked.markdown:
        put(asked.markdown, TITLE, _page(counted, wrong, len(said)), before=TITLE)
    sys.exit(bool(differing))


def cases(run: dict[str, Any]) -> Iterator[Case]:
    """Every finding of one run, recounted."""
    guessed, monitor = run.get("dataset") in GUESSED, Monitor(model=run["model"])
    seen, turn = Seen([], [], {}), 0
    for number, (record, events) in enumerate(zip(run["steps"], steps_of(run), strict=True), 1):
        if record["text"]:
            seen.messages.append((len(seen.calls), record["text"]))
        if record["tool"] is not None:
            seen.calls.append(call_of(record, number, turn, guessed=guessed))
        elif (record["output"] or "").startswith("[user]"):
            turn += 1
        for event in events:
            outcome = monitor.feed(event)
            said = {finding.message for finding in outcome.decision.findings}
            for finding in outcome.findings:
                wrong = problem(finding.message, seen._replace(evidence=finding.evidence))
                is_said = finding.message in said
                steps = _recent(run["steps"], number) if wrong or is_said else []
                yield Case(str(run["id"]), number, finding.detector, finding.message, is_said, wrong, steps)


def _page(counted: Counter[str], wrong: Counter[str], said: int) -> str:
    rows = [f"| `{name}` | {count:,} | {wrong[name]:,} |" for name, count in sorted(counted.items())]
    table = "\n".join(["| finding | sentences | differ |", "|---|---|---|", *rows])
    return (
        f"All {counted.total():,} sentences about the recorded runs ({said:,} of them said to an agent) were recounted "
        "from the raw recordings by a program that shares no code with the detectors (`bench/sentences.py`): their "
        "numbers, ranges and names, that results are the same, that no change was seen in between. "
        f"**{wrong.total():,} differ.** Where the count could not decide, a reader compared the sentence with the "
        f"recording (`bench/sentences_by_hand.toml`).\n\n{table}"
    )


def _runs(pack: str) -> list[dict[str, Any]]:
    opener = gzip.open if pack.endswith(".gz") else open
    with opener(pack, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _is_read(case: Case, by_hand: dict[str, Any]) -> bool:
    """A reader's verdict holds for this wording only."""
    read = by_hand.get(case.key)
    return read is not None and read["sentence"] == case.sentence and read["true"]


def _recent(steps: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    shown = ("tool", "args", "output", "error", "text")
    return [
        {"number": at, **{name: _short(steps[at - 1].get(name)) for name in shown}}
        for at in range(max(1, number - 29), number + 1)
    ]


def _short(value: object, most: int = 300) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= most else f"{text[: most - 100]} … {text[-90:]}"


def _in_full(case: Case) -> str:
    lines = [f"== {case.key}", f"   SAID: {case.sentence}"]
    for step in case.steps[-12:]:
        lines.append(f"   {step['number']:4} {step['tool']} {_short(step['args'], 160)}")
        lines.append(f"        -> {_short(step['output'], 160)}".replace("\n", "\\n"))
    return "\n".join(lines)


if __name__ == "__main__":
    main()
