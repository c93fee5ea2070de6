"""What a machine reports: whether it is new, and what follows from that."""

import pytest

from headway import Monitor, UserSpoke
from headway.core.parts import KEPT_REPORTS, Talk

REPORT = "2026-11-19T10:00:0{}Z Build {} failed with 3 errors in task-{}."


@pytest.mark.parametrize(
    ("later", "is_new"),
    [
        (REPORT.format(9, 7, "a1"), False),
        (REPORT.format(1, 8, "a1"), True),
        (REPORT.format(1, 7, "b2"), True),
        ("", False),
        (" \n", False),
    ],
    ids=["time", "number", "name", "nothing", "blank"],
)
def test_what_is_new(later, is_new):
    talk = Talk()
    assert talk.note_report(REPORT.format(1, 7, "a1"))
    assert is_new == talk.note_report(later)


def test_a_long_report_is_compared_as_it_is():
    talk, long = Talk(), "line\n" * 9_000
    assert [True, False, True] == [talk.note_report(long), talk.note_report(long), talk.note_report(long + "12:00:00")]


def test_what_was_heard_is_bounded_and_saved():
    monitor = Monitor()
    for number in range(KEPT_REPORTS + 9):
        monitor.user_spoke(f"part {number} is done", kind="news")
    again = Monitor.load(monitor.save())
    assert KEPT_REPORTS == len(again.session.talk.reports)
    again.user_spoke(f"part {KEPT_REPORTS} is done", kind="news")
    assert again.session.talk.is_woken


def test_it_is_no_turn():
    monitor = Monitor()
    monitor.user_spoke("Please fix the parser")
    monitor.stop("enough")
    assert "stop" == monitor.user_spoke("part 1 is done", kind="news").action
    assert (1, "enough") == (monitor.session.user_turn_count, monitor.session.stopped)
    assert monitor.feed(UserSpoke(text="go on", kind="schedule")).decision.action == "continue"
    assert 2 == monitor.session.user_turn_count


def test_a_report_does_not_name_the_task():
    monitor = Monitor()
    monitor.user_spoke("hello")
    before = monitor.session.guessed_task
    monitor.user_spoke("Search for all uses of the old client and list them", kind="news")
    assert before == monitor.session.guessed_task
