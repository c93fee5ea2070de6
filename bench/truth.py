"""Whether what Headway says about repeats is literally true: findings drawn at random, checked on the raw recording.

    python bench/truth.py RUNS.jsonl.gz [MORE.jsonl.gz …] [--draw 100] [--markdown docs/accuracy.md] [--cases c.json]

The check does not use Headway's own comparisons. A sentence about equal calls needs equal arguments and equal digests
of the whole outputs (for failures: the same last line that names an error, numbers aside), as the recording states
them; "no change seen in between" needs steps in between that only look or that failed. What this cannot settle is left
to a reader, whose verdicts stand in `bench/truth_by_hand.toml`. The draw takes the findings with the smallest hash of
run, step and detector: it is the same each time, and a small change of the rules keeps nearly all of it.
"""

import argparse
import gzip
import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from recorded import steps_of
from rich.progress import track

from headway import Monitor

CHECKED = ("exact_cycle", "known_answer", "repeated_file")
BY_HAND = Path(__file__).with_name("truth_by_hand.toml")
TITLE = "## Are the messages true?"
_LOOKS = re.compile(
    r"^\s*(?:cd [^&;|]+&&\s*)?(?:cat|head|tail|ls|grep|rg|find|sed -n|nl|wc|tree|pwd|which|awk|less|stat|file|du|echo"
    r"|true|:|git (?:status|log|diff|show|branch)|pytest|python -m (?:pytest|unittest)|open|goto|scroll_\w+|search_\w+"
    r"|find_file)(?![\w/-])[^>]*$"
)
_LOOKING_TOOLS = (
    "read",
    "view",
    "open",
    "search",
    "find",
    "grep",
    "glob",
    "list",
    "ls",
    "think",
    "get",
    "goto",
    "scroll",
)
_ERROR = re.compile(r"[^\n]*(?:error|exception|fail|denied|not found|no such|invalid|cannot)[^\n]*", re.IGNORECASE)


class Case(NamedTuple):
    """One sentence, and where it was said."""

    run: str
    step: int
    detector: str
    sentence: str
    count: int
    path: str | None
    steps: list[dict[str, Any]]
    """The recorded steps with a call up to and including the one it was said about."""

    @property
    def key(self) -> str:
        return f"{self.run}#{self.step} {self.detector}"

    @property
    def lot(self) -> bytes:
        """The order of the draw: it depends on this finding alone, not on how many others there are."""
        return hashlib.sha256(self.key.encode()).digest()


def main() -> None:
    """Draw, check, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packs", nargs="+")
    parser.add_argument("--draw", type=int, default=100)
    parser.add_argument("--markdown", type=Path, help="put the list at the end of this page")
    parser.add_argument("--cases", type=Path, help="write what a person needs in order to judge the rest")
    given = parser.parse_args()
    found = [case for pack in given.packs for case in track(list(cases(pack)), pack)]
    drawn = sorted(sorted(found, key=lambda case: case.lot)[: given.draw])
    by_hand = tomllib.loads(BY_HAND.read_text()) if BY_HAND.exists() else {}
    judged = [(case, *verdict(case, by_hand)) for case in drawn]
    if given.cases:
        open_ = [case for case, is_true, _ in judged if is_true is None]
        given.cases.write_text(json.dumps([_for_reading(case) for case in open_], indent=1))
    page = "\n".join(_page(judged, len(found)))
    print(page)
    if given.markdown:
        kept = given.markdown.read_text().partition(TITLE)[0].rstrip()
        given.markdown.write_text(f"{kept}\n\n{page}\n")
    sys.exit(any(is_true is not True for _, is_true, _ in judged) and given.markdown is None)


def cases(pack: str) -> Iterator[Case]:
    """Every finding of the detectors that speak of repeats."""
    opener = gzip.open if pack.endswith(".gz") else open
    with opener(pack, "rt", encoding="utf-8") as file:
        for line in file:
            run = json.loads(line)
            monitor, called = Monitor(model=run["model"]), []
            for number, (record, events) in enumerate(zip(run["steps"], steps_of(run), strict=True), 1):
                if record["tool"] is not None:
                    called.append({**record, "number": number})
                for event in events:
                    for one in monitor.feed(event).findings:
                        if one.detector in CHECKED:
                            yield Case(
                                str(run["id"]), number, one.detector, one.message, one.evidence["count"],
                                one.evidence.get("file_path"), list(called),
                            )  # fmt: skip


def verdict(case: Case, by_hand: dict[str, Any]) -> tuple[bool | None, str]:
    """Whether the sentence is true, and how that is known; None if it is not known. A verdict is about one wording."""
    read = by_hand.get(case.key)
    if read is not None and read["sentence"] == case.sentence:
        return read["true"], f"read: {read['why']}"
    if case.detector == "exact_cycle":
        return _same_in_a_row(case)
    return _same_now_and_then(case) if case.detector == "known_answer" else _same_lines(case)


def _same_in_a_row(case: Case) -> tuple[bool | None, str]:
    last = case.steps[-case.count :]
    if len(last) != case.count or not _equal_calls(last):
        return None, ""
    return _equal_results(last)


def _same_now_and_then(case: Case) -> tuple[bool | None, str]:
    asked = case.steps[-1]
    equal = [step for step in case.steps if _equal_calls([step, asked])][-case.count :]
    if len(equal) != case.count:
        return None, ""
    same, how = _equal_results(equal)
    between = [
        step for step in case.steps if equal[0]["number"] < step["number"] < asked["number"] and step not in equal
    ]
    if same and all(map(_only_looks, between)):
        return True, f"{how}; {len(between)} other calls in between, which only look"
    return None, ""


def _same_lines(case: Case) -> tuple[bool | None, str]:
    """Reads whose recorded lines were mostly in the outputs of earlier reads of the file, back to its last change."""
    claimed, of = map(int, re.match(r"(\d+) of (\d+) reads", case.sentence).groups())
    name = case.path.rsplit("/", 1)[-1]
    reads: list[set[str]] = []
    for step in reversed(case.steps):
        if name in json.dumps(step["args"]):
            if not _only_looks(step):
                break
            if not step["error"]:
                reads.insert(0, {line.strip() for line in (step["output"] or "").splitlines() if line.strip()})
    reads = reads[-of:]
    known = sum(2 * len(lines & set().union(*reads[:at])) >= len(lines) for at, lines in enumerate(reads))
    if len(reads) == of and known >= claimed:
        return True, f"{known} of the last {of} reads show mostly lines of earlier ones, by their recorded text"
    return None, ""


def _equal_calls(steps: list[dict[str, Any]]) -> bool:
    return len({(step["tool"], step["args_sha1"]) for step in steps}) == 1


def _equal_results(steps: list[dict[str, Any]]) -> tuple[bool | None, str]:
    if len({step["output_sha1"] for step in steps}) == 1:
        return True, "equal arguments, equal digests of the whole outputs"
    errors = {re.sub(r"\d+", "#", (_ERROR.findall(step["output"] or "") or [""])[-1].strip()) for step in steps}
    if len(errors) == 1 and errors != {""}:
        return True, "equal arguments, the same line that names the error, numbers aside"
    return None, ""


def _only_looks(step: dict[str, Any]) -> bool:
    if step["error"]:
        return True
    args = step["args"] if isinstance(step["args"], dict) else {}
    command = args.get("command") if isinstance(args.get("command"), str) else None
    if command in ("view", "open"):
        return True
    if command is not None and command != step["args"].get("path"):
        return bool(_LOOKS.match(command))
    return step["tool"].lower().startswith(_LOOKING_TOOLS)


def _for_reading(case: Case) -> dict[str, Any]:
    shown = ("number", "tool", "args", "output", "error", "output_sha1", "args_sha1")
    kept = [{name: _short(step[name]) for name in shown} for step in case.steps[-max(30, case.count + 5) :]]
    return {"key": case.key, "detector": case.detector, "sentence": case.sentence, "path": case.path, "steps": kept}


def _short(value: object) -> object:
    text = value if isinstance(value, str) else json.dumps(value)
    return value if len(text) < 700 else f"{text[:450]} … {text[-200:]}"


def _page(judged: list[tuple[Case, bool | None, str]], of: int) -> Iterator[str]:
    true = sum(is_true is True for _, is_true, _ in judged)
    yield TITLE
    yield ""
    yield (
        f"{len(judged)} findings of `exact_cycle`, `known_answer` and `repeated_file`, drawn from {of:,} "
        f"(`bench/truth.py`: those with the smallest hash), each compared with the raw recording: "
        f"**{true} of {len(judged)} sentences are literally true.**"
    )
    yield ""
    yield "| run, step | sentence | true? | checked |"
    yield "|---|---|---|---|"
    for case, is_true, how in judged:
        said = {True: "yes", False: "**no**", None: "not read yet"}[is_true]
        yield f"| {case.run[-40:]}, {case.step} | {case.sentence.replace('|', '/')} | {said} | {how} |"


if __name__ == "__main__":
    main()
