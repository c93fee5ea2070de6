"""`make fuzz`: every reader over recordings made wrong, as `headway scan` and `headway convert` would read them.

    python -m tests.readers.fuzz [--cases 20000] [--seed 1 | random] [--only NUMBER] [FOLDER]

Nothing may escape a reader, nothing may be logged as a fault of ours, no case may take more than five seconds and the
whole of it no more than 500 MB. FOLDER holds recordings of your own, which are mutated beside the samples.
"""

import argparse
import io
import logging
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path

import msgspec
from rich.console import Console

from headway import Monitor
from headway.cli.scan_output import Spool
from headway.core.events import Event, encode_event
from headway.core.finding import Severity
from headway.readers import NothingReadableError, UnknownFormatError, knows, numbered, opened, readers
from headway.reports.atif import Trajectories
from headway.reports.json import as_json
from headway.reports.scan_html import scan_page
from headway.reports.scan_markdown import scan_markdown
from headway.reports.summary import Summary
from headway.reports.text import as_text
from headway.sources import Source
from headway.study.scan import ScanOptions, scan_one, scanned
from tests.readers.mutations import Case

CASES, SEED = 20_000, 1
SLOWEST = 5.0
"""Seconds of processor time for one case; most take milliseconds."""
MONITORS = 3
"""Runs of a recording whose sessions are saved."""
MOST_MEMORY = 500
"""MB that all of it may need."""


class Findings:
    """What went wrong, and what was seen besides."""

    def __init__(self):
        self.faults = []
        self.outcomes = Counter()
        self.slowest = (0.0, "")
        self.logged = []

    def note(self, case, number, why):
        self.faults.append(f"case {number} ({case.original.reader}, {case.what}): {why}")


class _Logged(logging.Handler):
    """What Headway logs as its own fault."""

    def __init__(self, found):
        super().__init__(logging.ERROR)
        self.found = found

    def emit(self, record):
        self.found.append(self.format(record))


@contextmanager
def listening(findings):
    handler, logger = _Logged(findings.logged), logging.getLogger("headway")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def tried(number, seed, findings, folder=None):
    """One case, in every way in which recordings are read."""
    case = Case(seed, number, folder)
    with tempfile.TemporaryDirectory() as place, listening(findings):
        path = case.place(Path(place))
        began = time.process_time()
        try:
            read_by_all(Source(path), case)
            findings.outcomes[case.original.reader, scan_and_report(path)] += 1
            convert_and_save(Source(path))
        except Exception:
            findings.note(case, number, traceback.format_exc(limit=-6))
        took = time.process_time() - began
    findings.slowest = max(findings.slowest, (took, f"case {number} ({case.what})"))
    if took > SLOWEST:
        findings.note(case, number, f"it took {took:.1f} s")
    for fault in findings.logged:
        findings.note(case, number, f"logged: {fault}")
    findings.logged.clear()


def read_by_all(source, case):
    """Its own reader and every other that recognises it, to the end."""
    head = source.head()
    able = {name: reader for name, reader in readers().items() if knows(reader, head)}
    size = (
        sum(len(one.content) for one in case.known if one.root == case.original.root) if case.original.root else 0
    ) + len(case.content)
    most = 1_000 + size * (300 if case.ending else 1)
    for reader in ({case.original.reader: readers()[case.original.reader]} | able).values():
        count = 0
        for event in islice(numbered(reader.read(source)), most + 1):
            assert isinstance(event, Event)
            count += 1
        assert count <= most, f"{reader.name} reads more events than the recording has bytes"


def scan_and_report(path):
    """What a scan makes of it, in all four formats; says what it is."""
    source, asked = Source(path), ScanOptions(timelines=True)
    file = scan_one(source, asked)
    if "please report this" in file.trouble:
        list(scanned(source, asked))  # for the traceback
        raise AssertionError(file.trouble)
    summary = Summary(room=1_000_000)
    summary.add(file)
    with closing(Spool()) as reports:
        reports.extend(run.report for run in file.runs)
        console = Console(file=io.StringIO(), markup=False, width=100)
        for part in as_text(summary, reports):
            console.print(part)
        assert console.file.getvalue().encode()
        for text in (*as_json(summary, reports), *scan_markdown(summary, reports), *scan_page(summary, Severity.LOW)):
            text.encode()
    return "read" if file.runs else "unread" if file.unread else "trouble" if file.trouble else "no recording"


def convert_and_save(source):
    """As events, as trajectories, and as sessions that are put aside and gone on with."""
    with suppress(UnknownFormatError, NothingReadableError, OSError):
        trajectories, monitors = Trajectories(), {}
        for event in opened(source)[1]:
            assert encode_event(event)
            trajectories.take(event)
            key = (event.run, event.agent)
            if key in monitors or len(monitors) < MONITORS:
                monitors.setdefault(key, Monitor()).feed(event)
        assert all(msgspec.json.encode(one) for one in trajectories.finished())
        assert all(Monitor.load(monitor.save()) for monitor in monitors.values())


def memory():
    """The most that the process has needed so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", help="recordings of your own")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--seed", default=str(SEED), help="a number, or `random` for a fresh one")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="one case again")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(10**9) if options.seed == "random" else int(options.seed)
    findings, began = Findings(), time.monotonic()
    for number in range(options.cases) if options.only is None else [options.only]:
        before = memory()
        tried(number, seed, findings, options.folder)
        if memory() > max(MOST_MEMORY, before):
            findings.faults.append(f"case {number}: {before} MB became {memory()} MB")
        if number % 2_000 == 1_999:
            print(f"{number + 1:,} cases, {len(findings.faults)} faults", file=sys.stderr)
    tell(findings, seed, time.monotonic() - began)
    sys.exit(bool(findings.faults) or memory() > MOST_MEMORY)


def tell(findings, seed, took):
    outcomes = ["read", "unread", "no recording", "trouble"]
    print(f"{'reader':20} " + " ".join(f"{name:>12}" for name in outcomes))
    for reader in sorted({reader for reader, _ in findings.outcomes}):
        print(f"{reader:20} " + " ".join(f"{findings.outcomes[reader, name]:12,}" for name in outcomes))
    for fault in findings.faults[:20]:
        print(f"\n{fault}")
    seconds, which = findings.slowest
    print(
        f"\n{sum(findings.outcomes.values()):,} cases with seed {seed} in {took:.0f} s; the slowest took {seconds:.2f} s: {which}"
    )
    print(f"{len(findings.faults)} faults, {memory()} MB at the most")


if __name__ == "__main__":
    main()
