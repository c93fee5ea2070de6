import pytest

from headway import Monitor
from headway.core.limits import Sizes
from headway.detectors.step.busy_polling import BusyPolling
from tests.streams import call, edit, moments, read, shell, sightings, user, watch

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


@pytest.mark.parametrize("other", [lambda at: read("src/a.py", at=at), lambda at: shell("git status", at=at)])
@pytest.mark.parametrize("pause", [60, 45, 5])
def test_a_pause_counts_whatever_is_called_after_it(other, pause):
    times = [1000 + n * (pause + 0.5) for n in range(18)]
    words = [word for at in times for word in (shell("gh run view 7", "in_progress", at=at), other(at + pause))]
    assert [] == sightings(BusyPolling(), *words)


def test_a_minute_between_two_queries_is_a_wait_even_if_work_filled_it():
    times = [1000 + n * 61.0 for n in range(18)]
    between = [[read(f"{n}.py", at=at + seconds) for seconds in range(1, 61)] for n, at in enumerate(times)]
    words = [
        word
        for at, reads in zip(times, between, strict=True)
        for word in (shell("gh run view 7", "busy", at=at), *reads)
    ]
    assert [] == sightings(BusyPolling(), *words, sizes=Sizes(window_size=2000))


def asked_at(times):
    return [shell("gh run view 7", "in_progress", at=at) for at in times]


def test_how_long_the_agent_takes_to_answer_starts_no_new_count():
    latencies = [0.8 + (n * 7 % 10) / 5 for n in range(40)]
    assert sightings(BusyPolling(), *asked_at(1000 + sum(latencies[:n]) for n in range(40)))[0] in (15, 16, 17)
    gaps = [3.0 if n % 14 == 13 else 0.5 for n in range(40)]  # one before the fourteenth query
    assert [15] == moments(watch(BusyPolling(), *asked_at(1000 + sum(gaps[: n + 1]) for n in range(40))))


def test_the_message_says_how_long_it_took_if_that_is_known():
    def told(*words):
        return watch(BusyPolling(), *words)[0][1].message

    same = "and the answer was the same."
    assert f"The same status was queried 15 times within 22 seconds, {same}" == told(
        *asked_at(1000 + 1.5 * n for n in range(15))
    )
    assert f"The same status was queried 15 times within 1 second, {same}" == told(*asked_at([1000] * 15))
    assert f"The same status was queried 15 times, {same}" == told(*[STATUS] * 15)


def test_queries_before_a_pause_are_not_counted():
    slow = [shell("gh run view 7", "in_progress", at=60.0 * n) for n in range(20)]
    quick = [shell("gh run view 7", "in_progress", at=1_200.0 + n / 10) for n in range(16)]
    found = watch(BusyPolling(), *slow, *quick)
    assert [(20 + 15, 15)] == [(place, finding.evidence["count"]) for place, finding in found]


def polled(lasts, tool="process", args=None):
    """What is said of a session that is polled with a timeout, each poll coming back after so many seconds."""
    monitor, said = Monitor(), []
    for number in range(20):
        asked = 100.0 + 40 * number if lasts is not None and lasts > 1 else 100.0 + number
        monitor.called(tool, args or {"action": "poll", "session": "owl", "timeout": 30000}, call=f"{number}", at=asked)
        at = None if lasts is None else asked + lasts
        said.append(monitor.returned(f"{number}", "Process exited with code 0", at=at))
    return [decision for decision in said if decision.action != "continue"]


@pytest.mark.parametrize("lasts", [30.0, 0.0, None], ids=["it waits", "one time for both", "times unknown"])
def test_a_poll_that_states_its_time_waits(lasts):
    assert [] == polled(lasts)


def test_a_poll_that_states_a_time_and_comes_back_at_once_does_not_wait():
    said = polled(0.05)
    assert {"nudge"} == {str(decision.action) for decision in said}
    assert "15 times" in said[0].message and "Wait before" in said[0].message
