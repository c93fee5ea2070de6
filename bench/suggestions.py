"""Suggestions for CLAUDE.md, session by session, to be read by hand: would a person paste this line?

    python bench/suggestions.py PACK… [--sessions 20]

A pack is a file with one recorded run on each line (id, agent, steps). Prints the suggestions of the first sessions
that have any, in an order that their ids decide, and what is written about them in `suggestions_by_hand.toml`.
"""

import argparse
import gzip
import hashlib
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
from recorded import steps_of

from headway.core import events
from headway.readers import opened, recordings_in
from headway.reports.suggestions import Suggestions
from headway.sources import Source
from headway.study.scan import ScanOptions, scanned

READ = Path(__file__).parent / "suggestions_by_hand.toml"
AGENTS = ("Claude Code", "Codex", "mini-swe-agent", "pi ", "OpenHands events", "SWE-agent .traj")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("packs", nargs="+", type=Path, help="packs of runs, or folders of recordings")
    parser.add_argument("--sessions", type=int, default=20, metavar="N")
    options = parser.parse_args()
    known = {(one["session"], one["line"]): one for one in tomllib.loads(READ.read_text("utf-8"))["read"]}
    read = pasted = sessions = 0
    for name, lines in sorted(all_suggestions(options.packs), key=lambda one: hashlib.sha256(one[0].encode()).digest()):
        if sessions == options.sessions:
            break
        sessions += 1
        print(f"\n{name}")
        for line in lines:
            judged = known.get((name, line))
            read += judged is not None
            pasted += judged is not None and judged["paste"]
            verdict = "not read" if judged is None else "paste" if judged["paste"] else f"no: {judged['why']}"
            print(f"  [{verdict}] {line}")
    print(f"\n{sessions} sessions, {read} suggestions read by hand, {pasted} that a person would paste")


def all_suggestions(packs: list[Path]) -> Iterator[tuple[str, list[str]]]:
    """Each session that has suggestions by itself."""
    seen = set()
    for pack in packs:
        for name, source in sessions_in(pack):
            if name in seen:  # some are there both as files and in a pack
                continue
            seen.add(name)
            found = Suggestions()
            for one in scanned(source, ScanOptions()):
                found.add(msgspec.structs.replace(one.report, project=""), one.worked)
            if lines := [one.line for one in found.all()]:
                yield name, lines


def sessions_in(pack: Path) -> Iterator[tuple[str, Source]]:
    if pack.is_dir():
        for source in recordings_in(pack):
            try:
                opened(source)
            except (OSError, ValueError):
                continue
            yield Path(source.name).name, source
        return
    with gzip.open(pack, "rt", encoding="utf-8") as file:
        for line in file:
            run = json.loads(line)
            if run["agent"].startswith(AGENTS) and run["dataset"] != "mini_gemini3_verified":
                stream = [event for step in steps_of(run) for event in step]
                content = b"".join(events.encode_event(event) + b"\n" for event in stream)
                if content:
                    yield run["id"], Source(content=content, name=run["id"])


if __name__ == "__main__":
    main()
