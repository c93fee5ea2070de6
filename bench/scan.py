"""What a scan costs, beside reading the same bytes with `json.loads`.

    python bench/scan.py [FOLDER] [--size MB]

Repeats the recordings of a folder (tests/recordings without one) under changed ids until they fill the size, and
prints: the readers alone, a scan with all detectors in one process, the whole command with two processes, the gain of
the second one, and the peak memory of half the corpus and of all of it. The first ratios are of CPU time in one
process, taken file by file in turn, because machines are noisy. The ratio of the whole command is by the clock, as a
person with two cores waits for it: it includes the start of all processes. The programs run in turn, three times each,
and the best time counts.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path

from parsing import parse

from headway.readers import UnknownFormatError, read, reader_for, recordings_in
from headway.sources import Source
from headway.study.scan import scan

RECORDINGS = Path(__file__).parent.parent / "tests" / "recordings"
PARSING = Path(__file__).with_name("parsing.py")
IDS = re.compile(
    rb"\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:toolu|call|msg|req|fc)_\w{8,})"
)
"""Ids of sessions, records, calls and messages."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=RECORDINGS, help="recordings to repeat")
    parser.add_argument("--size", type=int, default=200, metavar="MB", help="size of the corpus")
    options = parser.parse_args()
    if not options.folder.exists():
        parser.error(f"there is no file or folder {options.folder}")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode beside it
    with tempfile.TemporaryDirectory(prefix="headway-bench-") as folder:
        corpus = Path(folder)
        files = build(options.folder, corpus, options.size * 1_000_000)
        compare_with_parsing(files)
        wait_on_two_cores(corpus)
        peak_memory(corpus)


def build(recordings: Path, corpus: Path, size: int) -> list[Path]:
    """Copies of every recording, each with ids of its own, in two halves of equal size."""
    known = Counter[str]()
    originals: list[Path] = []
    for source in recordings_in(recordings):
        try:
            known[reader_for(source).name] += 1
            originals.append(Path(source.name))
        except UnknownFormatError:
            known["unknown: left out"] += 1
    files: list[Path] = []
    written = 0
    while written < size:
        for original in originals:
            place = corpus / f"half-{len(files) % 2}" / f"{len(files):06}-{original.name}"
            place.parent.mkdir(exist_ok=True)
            written += place.write_bytes(renamed(original.read_bytes(), len(files)))
            files.append(place)
    print(f"corpus: {written / 1e6:.0f} MB in {len(files):,} files, copies of {dict(known)}")
    return files


def renamed(content: bytes, copy: int) -> bytes:
    """The same recording with other ids of the same length; equal ids stay equal."""

    def other(found: re.Match[bytes]) -> bytes:
        id = found[0]
        fresh = hashlib.blake2b(id, digest_size=16, salt=str(copy).encode()).hexdigest().encode()
        return id[:-12] + fresh[:12] if b"-" in id else id[:-6] + fresh[:6]

    return IDS.sub(other, content)


def compare_with_parsing(files: list[Path]) -> None:
    """The same files three times in turn: parsed, read, scanned."""
    parsing, reading, scanning, steps = 0.0, 0.0, 0.0, 0
    for path in files:
        parsing += timed(lambda path=path: parse(path))
        reading += timed(lambda path=path: deque(read(Source(path)), maxlen=0))
        reports: list = []
        scanning += timed(lambda path=path, reports=reports: reports.extend(scan(Source(path))))
        steps += sum(report.steps for report in reports)
    print(f"json.loads of every line     {parsing:6.1f} s")
    print(f"readers without detectors    {reading:6.1f} s   {reading / parsing:.2f} ×    (goal: 1 ×)")
    print(f"scan with all detectors      {scanning:6.1f} s   {scanning / parsing:.2f} ×    (goal: 4 ×)")
    print(f"  {steps:,} steps, {(scanning - reading) / steps * 1e6:.0f} µs each beyond reading")


def timed(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def wait_on_two_cores(corpus: Path) -> None:
    """The whole command with two processes and with one, and `json.loads` in one, by the clock; the best of three."""
    programs = {
        "parsing": [sys.executable, str(PARSING), str(corpus)],
        "one": scan_command(corpus, 1),
        "two": scan_command(corpus, 2),
    }
    rounds = [{name: run(program)[0] for name, program in programs.items()} for _ in range(3)]
    parsing, one, two = (min(taken[name] for taken in rounds) for name in programs)
    print(f"json.loads, by the clock     {parsing:6.1f} s")
    print(f"headway scan --jobs 1        {one:6.1f} s   {one / parsing:.2f} ×")
    print(f"headway scan --jobs 2        {two:6.1f} s   {two / parsing:.2f} ×    (goal: 4 ×)")
    print(f"  {one / two:.2f} times as fast as with one    (goal: 1.7)")


def peak_memory(corpus: Path) -> None:
    """The largest process of each scan."""
    for jobs in (1, 2):
        half, whole = (run(scan_command(place, jobs))[1] / 2**20 for place in (corpus / "half-0", corpus))
        print(f"peak memory, --jobs {jobs}: half the corpus {half:.0f} MiB, all of it {whole:.0f} MiB    (goal: 300)")


def scan_command(place: Path, jobs: int) -> list[str]:
    return [sys.executable, "-c", "from headway.cli import main; main()", "scan", str(place), "--jobs", str(jobs)]


def run(program: list[str]) -> tuple[float, int]:
    """Run a program and tell its time by the clock and the peak memory of its largest process."""
    start = time.perf_counter()
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    took = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{' '.join(program)} failed")
    return took, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
