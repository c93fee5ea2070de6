"""Loops planted into real, healthy runs are seen in time; what only looks like a loop is never stopped."""

from pathlib import Path
from random import Random

import pytest

from headway import Monitor
from headway.readers import read
from headway.sources import Source
from tests.injected import LOOK_ALIKES, LOOPS, places, planted

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.jsonl"))
TRIES = 15
"""Plants of each kind in each recording, each at another place."""


def healthy(path):
    return list(read(Source(path)))


def tries(make, laps):
    """(run with the plant in it, plant), over all recordings."""
    draw = Random(20260501)
    for path in RECORDINGS:
        run = healthy(path)
        for _ in range(TRIES):
            plant = make(laps, draw)
            yield list(planted(run, plant, draw.choice(places(run)))), plant


def first_heard(stream, is_heard):
    """The lap in which the watcher was first heard about the plant."""
    monitor = Monitor()
    for lap, event in stream:
        outcome = monitor.feed(event)
        if lap and is_heard(outcome):
            return lap
    return None


def is_said(outcome):
    return outcome.decision.action != "continue"


def is_found(outcome):
    return bool(outcome.findings)


def share_in_time(make, is_heard):
    heard = [(first_heard(stream, is_heard), plant.by_lap) for stream, plant in tries(make, laps=5)]
    return sum(lap is not None and lap <= by for lap, by in heard) / len(heard)


@pytest.mark.parametrize("make", LOOPS[:5], ids=[f"period {n}" for n in range(1, 6)])
def test_exact_loops_are_said_by_the_third_time(make):
    assert share_in_time(make, is_said) >= 0.99


@pytest.mark.parametrize("make", LOOPS[5:7], ids=["period 1", "period 2"])
def test_clocks_and_ids_do_not_hide_a_loop(make):
    assert share_in_time(make, is_said) >= 0.99


def test_paraphrased_loops_are_found_by_the_fourth_time():
    assert share_in_time(LOOPS[7], is_found) >= 0.9


def test_longer_rounds_are_said_by_the_third_time():
    assert share_in_time(LOOPS[8], is_said) >= 0.99


@pytest.mark.parametrize("make", LOOK_ALIKES, ids=lambda make: make.__name__)
def test_look_alikes_are_never_stopped(make):
    for stream, _ in tries(make, laps=25):
        monitor = Monitor()
        actions = {str(monitor.feed(event).decision.action) for _, event in stream}
        assert actions <= {"continue", "nudge"}


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_the_runs_themselves_are_healthy(path):
    monitor = Monitor()
    assert {"continue"} == {str(monitor.feed(event).decision.action) for event in healthy(path)}
