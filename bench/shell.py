"""How truly Headway reads shell command lines: `python bench/shell.py --lines 20000 --seed 1`, judged by bash itself.

Lines are drawn from every construct of the shell (`shell_lines.py`) around every way to change a file, or to change
none (`shell_deeds.py`). Each runs in bash, in a fresh folder of its own with programs that need no network (package
managers, `curl`, `rsync`, `sudo` are stand-ins that really write), and the folder is compared before and after: names,
contents, kinds and permissions of everything in it, apart from `.git`. Then it is compared with `read_command(line)`:

- *missed*: bash changed a file, and the line is read as no change (neither `changes` nor an unknown program) or
  as idle. None may be.
- *misnamed*: bash changed a file, and Headway names files without that one. None may be.
- *false*: the line was to change nothing and changes nothing, and is read as one that may. At most 5 in 100 may be.

A program whose effect is not known (a script, a build) "may change": that is no miss. Lines that were to change
something and did not (a second `patch`, say) are in neither column. Not drawn, because Headway decides them
otherwise on purpose: the output of a test run kept in a file, and `mkdir`, `touch` or `chmod` beside a test or a
program (a test gives the same result after them). Exits with 1 if a column fails or a cell has fewer than 50 lines.
"""

import os
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import NamedTuple

import click
from shell_folder import Folder
from shell_lines import CHANGING, CONSTRUCTS, IDLE, Line, drawn

from headway.tools.shell import read_command

LEAST, MOST_FALSE, AT_ONCE = 50, 0.05, 200
FAULTS = ("missed", "misnamed", "false", "wrongly drawn")


class Judged(NamedTuple):
    """A line, what bash did, and where Headway's reading differs."""

    line: Line
    changed: bool
    fault: str = ""


def judged(line: Line, folder: Folder) -> Judged:
    changed = folder.changed_by(line.text)
    return Judged(line, bool(changed), fault(line, changed))


def fault(line: Line, changed: set[str]) -> str:
    meaning = read_command(line.text)
    may_change = meaning.changes or meaning.may_change_anything
    if not changed:
        return "false" if line.way in IDLE and may_change else ""
    if line.way in IDLE:
        return "wrongly drawn"
    if not may_change or meaning.idle:
        return "missed"
    paths = meaning.paths or ((meaning.path,) if meaning.path else ())
    everywhere = (
        meaning.may_change_anything
        or not paths
        or any(set(path) & set("*?[$`") or path in (".", "-") for path in paths)
    )
    return "" if everywhere or all(any(covers(path, name) for path in paths) for name in changed) else "misnamed"


def covers(path: str, name: str) -> bool:
    """Whether a path is this file, a folder that it lies in, or was made in this folder, which is new."""
    path = os.path.normpath(path)
    return path == name or path.startswith(f"{name}/") or name.startswith(f"{path}/")


def run(lines: list[Line]) -> list[Judged]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as place:
        folder = Folder(Path(place))
        return [judged(line, folder) for line in lines]


def cells(count: int, seed: int) -> list[Line]:
    """The lines of all cells, so many in all."""
    ways = (*CHANGING, *IDLE)
    each = count // (len(CONSTRUCTS) * len(ways))
    return [line for construct, way in product(CONSTRUCTS, ways) for line in drawn(construct, way, each, seed)]


def table(results: list[Judged], by: str) -> str:
    rows = [f"{by:16}  lines  changed  missed  misnamed  idle lines  false"]
    for name in dict.fromkeys(getattr(result.line, by) for result in results):
        own = [result for result in results if getattr(result.line, by) == name]
        faults, idle = Counter(result.fault for result in own), sum(result.line.way in IDLE for result in own)
        changed = sum(result.changed for result in own)
        figures = f"{faults['missed']:7} {faults['misnamed']:9} {idle:11} {faults['false']:6}"
        rows.append(f"{name:16} {len(own):6} {changed:8} {figures}")
    return "\n".join(rows)


@click.command(help=__doc__.splitlines()[0])
@click.option("--lines", "count", default=20_000, show_default=True, help="Lines in all, the same number in each cell.")
@click.option("--seed", default=1, show_default=True, help="Another seed draws other lines.")
@click.option("--show", default=5, show_default=True, help="Lines of each kind of fault that are printed.")
@click.option("--only", default="", help="Lines of this construct or way only.")
def main(count: int, seed: int, show: int, only: str) -> None:
    lines = [line for line in cells(count, seed) if only in ("", line.construct, line.way)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        parts = pool.map(run, [lines[at : at + AT_ONCE] for at in range(0, len(lines), AT_ONCE)])
        results = [result for part in parts for result in part]
    print(table(results, "construct"), table(results, "way"), sep="\n\n")
    for kind in FAULTS:
        for result in [result for result in results if result.fault == kind][:show]:
            print(f"\n{kind}: {result.line.construct}, {result.line.way}\n{result.line.text}")
    faults = Counter(result.fault for result in results)
    smallest = min(Counter((line.construct, line.way) for line in lines).values())
    changed, idle = sum(result.changed for result in results), sum(result.line.way in IDLE for result in results)
    print(f"\n{len(results)} lines, at least {smallest} in a cell. {changed} changed files: {faults['missed']} missed,")
    print(f"{faults['misnamed']} misnamed. {idle} were to change nothing: {faults['false']} called a change.")
    is_true = not (faults["missed"] or faults["misnamed"] or faults["wrongly drawn"])
    sys.exit(not is_true or faults["false"] > MOST_FALSE * idle or smallest < LEAST)


if __name__ == "__main__":
    main()
