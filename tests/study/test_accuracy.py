"""Replayed runs with known outcomes: what is counted, and how sure the figures are."""

import pytest

from headway.core import events
from headway.study.calibrate import LADDERS, Point, as_toml, curve, replayed, solved_runs_needed, strictest
from headway.study.figures import Figures, figures, interval, upper_bound
from headway.study.judged import SILENCE, Judged, Recorded, headway, judged
from tests.streams import agent, read, search, spelled, user


def recorded(*words, solved=False, **more):
    return Recorded("r", solved, [event for happening in spelled(words) for event in happening], **more)


LOOPING = [search("x", hits=1)] * 9


def test_a_loop_is_judged_by_when_it_is_said_and_when_it_is_stopped():
    one = judged(recorded(*LOOPING), headway())
    assert (9, 3, 5, 4, "exact_cycle") == (one.turns, one.alarmed_at, one.stopped_at, one.saved, one.reason)
    assert not one.killed


def test_only_a_solved_run_that_had_more_to_do_is_killed():
    assert judged(recorded(*LOOPING, solved=True), headway()).killed
    assert not judged(recorded(*LOOPING[:5], solved=True), headway()).killed


def test_a_healthy_run_is_left_alone():
    one = judged(recorded(user("go"), *(read(f"{n}.py") for n in range(9)), solved=True), headway())
    assert (None, None, 0) == (one.alarmed_at, one.stopped_at, one.saved)


def test_what_is_said_before_a_call_belongs_to_its_turn():
    seen = []

    def watcher(event):
        seen.append(type(event))
        return SILENCE

    one = judged(recorded(agent("let me look"), read("a.py"), agent("hm"), agent("done"), read("b.py")), watcher)
    assert 3 == one.turns
    assert events.ToolReturned in seen


def run(solved, stopped_at=None, turns=10, alarmed_at=None, task=""):
    return Judged("r", solved, turns, task, "", "", alarmed_at or stopped_at, stopped_at)


def test_figures_of_a_handful_of_runs():
    runs = [run(True), run(True, stopped_at=4), run(True, alarmed_at=2), run(False, stopped_at=5), run(False)]
    assert Figures(3, 2, 1, 1 / 3, 5 / 20, 2 / 3, 1 / 2, 1 / 2) == figures(runs)


def test_nothing_to_share_is_none_not_zero():
    found = figures([run(False)])
    assert (None, None, None) == (found.false_stops, found.alarms_solved, found.right)


def test_the_interval_draws_tasks_and_is_the_same_each_time():
    runs = [run(True, stopped_at=4 if n < 3 else None, task=str(n)) for n in range(30)]
    low, high = interval(runs, lambda f: f.false_stops)
    assert low <= 0.1 <= high
    assert (low, high) == interval(runs, lambda f: f.false_stops)
    one_task = [run(True, stopped_at=4 if n < 3 else None, task="same") for n in range(30)]
    assert (0.1, 0.1) == interval(one_task, lambda f: f.false_stops)
    assert interval([], lambda f: f.false_stops) is None


@pytest.mark.parametrize(
    ("happened", "of", "bound"),
    [(0, 299, 0.00997), (0, 10, 0.2589), (3, 292, 0.02637), (5, 5, 1.0)],
)
def test_the_upper_bound_is_clopper_and_pearsons(happened, of, bound):
    assert upper_bound(happened, of) == pytest.approx(bound, abs=2e-4)


def test_it_takes_some_three_hundred_solved_runs_to_promise_one_percent():
    assert 299 == solved_runs_needed(0.01)
    assert upper_bound(0, 299) <= 0.01 < upper_bound(0, 298)


def test_bolder_ladders_save_more():
    runs = [recorded(*[search("x", hits=1)] * 30), recorded(*(read(f"{n}.py") for n in range(5)), solved=True)]
    saved = [point.figures.saved for point in curve([replayed(one) for one in runs])]
    assert sorted(saved) == saved and saved[0] < saved[-1]


def point(at_most):
    return Point(LADDERS[0], figures([run(True)]), at_most)


def test_the_boldest_that_keeps_the_promise_is_chosen():
    points = [point(0.005), point(0.009), point(0.02), point(0.004)]
    assert points[1] is strictest(points, 0.01), "what comes after a broken promise is not trusted"
    assert strictest(points, 0.001) is None


def test_the_settings_file_says_why(tmp_path):
    import tomllib

    text = as_toml(point(0.009), 0.01)
    assert {"policy": {"stop_after_blocks": 8, "stop_after_high": 10, "stop_after_medium": 30}} == tomllib.loads(text)
    assert "0 of 1 solved run " in text and "0.9%" in text
