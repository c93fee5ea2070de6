import pytest

from headway.core.limits import Sizes
from headway.detectors.step.busy_polling import BusyPolling
from tests.streams import call, edit, moments, shell, sightings, user, watch

STATUS = shell("gh run view 7", "in_progress")


def test_speaks_at_the_fifteenth_question_without_a_pause():
    found = watch(BusyPolling(), *[STATUS] * 16)

    assert [15] == moments(found)
    assert {"count": 15, "tool_name": "Bash"} == found[0][1].evidence
    assert found[0][1].advisory


def test_stays_quiet_at_the_fourteenth():
    assert [] == watch(BusyPolling(), *[STATUS] * 14)


@pytest.mark.parametrize(
    "pause",
    [shell("sleep 5", ""), edit(), user(), shell("gh run view 7", "completed")],
    ids=["sleep", "edit", "user", "news"],
)
def test_begins_anew_after(pause):
    assert [] == watch(BusyPolling(), *[STATUS] * 14, pause, *[STATUS] * 14)


def test_a_known_pause_is_waiting_and_a_short_one_is_not():
    def asked_every(seconds):
        return [shell("gh run view 7", "in_progress", at=1000 + n * seconds) for n in range(20)]

    assert [] == watch(BusyPolling(), *asked_every(2.0))
    assert [15] == moments(watch(BusyPolling(), *asked_every(1.9)))


def test_two_statuses_in_turn_are_counted_apart():
    words = [shell(f"gh run view {n % 2}", "in_progress") for n in range(40)]
    assert [29, 30] == sightings(BusyPolling(), *words)[:2]


def test_how_old_something_is_makes_no_other_answer():
    assert [15] == moments(
        watch(BusyPolling(), *(shell("kubectl get pod web", f"web 0/1 Pending {n}s") for n in range(15)))
    )


def test_calls_that_wait_and_other_calls_stay_quiet():
    assert [] == watch(BusyPolling(), *[shell("sleep 1; gh run view 7", "in_progress")] * 20)
    assert [] == watch(BusyPolling(), *[shell("ls", "a")] * 20)
    assert [] == watch(BusyPolling(), *[call("get_status", {}, "up", batch="b")] * 20)


def test_limits_that_make_no_sense_are_refused():
    assert BusyPolling(limit=1).settings_error(Sizes()) and BusyPolling(limit=51).settings_error(Sizes())
    assert not BusyPolling(limit=50).settings_error(Sizes())


def test_queries_before_a_pause_are_not_counted():
    slow = [shell("gh run view 7", "in_progress", at=60.0 * n) for n in range(20)]
    quick = [shell("gh run view 7", "in_progress", at=1_200.0 + n / 10) for n in range(16)]
    found = watch(BusyPolling(), *slow, *quick)
    assert [(20 + 15, 15)] == [(place, finding.evidence["count"]) for place, finding in found]
