"""Every reader over recordings made wrong: nothing escapes, nothing hangs, nothing grows, and every event is accepted.

`make test` tries a few hundred, the same each time; `make fuzz` tries `CASES=20000` new ones. A reader is fuzzed as soon
as it has a sample.
"""

import logging
import os
import resource
import tempfile
import time
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings

from headway import Monitor
from headway.readers import knows, numbered, readers
from headway.sources import Source
from tests.readers.mutations import SAMPLES, cases, mutated, packed, placed

LONG = int(os.environ.get("HEADWAY_FUZZ", "0"))
SLOWEST = 10.0
"""Seconds for one case, on a machine that has other things to do; most take milliseconds."""
MOST_GROWTH = 400 * 1024
"""KB that the whole run may add to what the process needs at its highest."""
MONITORS = 5


class _Faults(logging.Handler):
    """What Headway logs as its own fault."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.found = []

    def emit(self, record):
        self.found.append(self.format(record))


@pytest.fixture(scope="module")
def faults():
    handler = _Faults()
    logger = logging.getLogger("headway")
    logger.addHandler(handler)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield handler.found
    logger.removeHandler(handler)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_GROWTH


def watch(stream, size):
    """Feed everything to monitors, a few of them; a recording cannot hold more events than bytes."""
    monitors = {}
    count = 0
    for count, event in enumerate(islice(stream, size + 1_000), 1):
        key = (event.run, event.agent)
        if key not in monitors and len(monitors) < MONITORS:
            monitors[key] = Monitor()
        if key in monitors and count < 500:
            monitors[key].feed(event)
    assert count <= size + 500


@settings(
    max_examples=LONG or 400,
    derandomize=not LONG,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(case=cases)
def test_no_reader_breaks(case, faults):
    path, steps, packing = case
    content, ending = packed(mutated(path, steps), packing)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        source = Source(placed(path.with_name(path.name + ending) if ending else path, content, folder))
        head = source.head()
        able = {name: reader for name, reader in readers().items() if knows(reader, head)}
        own = path.relative_to(SAMPLES).parts[0]
        for reader in ({own: readers()[own]} | able).values():
            watch(numbered(reader.read(source)), len(content) * (1 if not ending else 300))
    assert time.monotonic() - began < SLOWEST
    assert [] == faults


@pytest.mark.parametrize("name", readers())
def test_every_reader_is_fuzzed(name):
    assert any((SAMPLES / name).rglob("*.*"))
