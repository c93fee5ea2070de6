import pytest

from headway.detectors.step.vanishing_tests import VanishingTests
from tests.streams import edit, moments, shell, sightings, suite, user, watch


def test_speaks_when_failing_tests_are_gone_for_the_second_time():
    found = watch(VanishingTests(), suite(5), edit(), suite(4), edit(), suite(3))

    assert [5] == moments(found)
    assert {"count": 2, "runs": 2} == found[0][1].evidence


def test_stays_quiet_when_they_are_gone_once():
    assert [] == watch(VanishingTests(), suite(5), suite(2), suite(2))


@pytest.mark.parametrize("passed", [6, 7])
def test_tests_that_pass_now_have_not_vanished(passed):
    assert [] == watch(VanishingTests(), suite(3, 5), suite(2, passed), suite(1, passed + 1), suite(0, passed + 2))


def test_more_gone_than_pass_now_are_counted():
    assert [3] == moments(watch(VanishingTests(), suite(6, 5), suite(4, 6), suite(2, 7)))


def test_a_suite_that_breaks_is_something_else():
    assert [] == watch(VanishingTests(), suite(5, 5), suite(1, 0), suite(5, 5), suite(1, 0))


def test_part_of_the_tests_and_other_commands_stay_quiet():
    assert [] == watch(VanishingTests(), *(suite(5 - n, command="pytest --lf") for n in range(5)))
    assert [] == watch(VanishingTests(), *(suite(5 - n, command=f"pytest -k part{n}") for n in range(5)))


def test_a_new_request_begins_anew():
    assert [] == watch(VanishingTests(), suite(5), suite(4), user("delete the tests of the old cart"), suite(3))


def test_is_seen_only_in_the_run_in_which_they_vanish():
    assert [3] == sightings(VanishingTests(), suite(5), suite(4), suite(3), suite(3))


def told(*words):
    return [finding.message for _, finding in watch(VanishingTests(), *words)]


def test_failures_that_come_back_begin_anew():
    assert [] == told(suite(5), suite(3), suite(6), suite(2))
    counts = "the number of failing tests fell from 6 to 1, and the number of passing tests stayed at 5."
    assert [f"Over 3 runs of `pytest -q` that showed counts, {counts}"] == told(
        suite(5), suite(3), suite(6), suite(2), suite(1)
    )


def test_passing_tests_that_are_lost_begin_anew():
    assert [] == told(suite(5), suite(3), suite(3, 4), suite(2, 4))


def test_all_runs_and_all_passing_tests_are_told():
    counts = "the number of failing tests fell from 6 to 2, and the number of passing tests only rose from 5 to 6."
    over = "Over 4 runs of `pytest -q` that showed counts"
    assert [f"{over}, {counts}"] == told(suite(6), suite(4), suite(4, 6), suite(2, 6))
    assert [] == told(suite(6), suite(5), suite(5, 9), suite(4, 9))


def test_a_run_without_counts_is_not_counted():
    crashed = shell("pytest -q", "1 error in 1s\n", failed=True)
    counts = "the number of failing tests fell from 9 to 2, and the number of passing tests stayed at 40."
    over = "Over 3 runs of `pytest -q` that showed counts"
    assert [f"{over}, {counts}"] == told(suite(9, 40), suite(5, 40), crashed, suite(2, 40))


def test_suites_of_other_folders_are_not_compared():
    fewer = [suite(5), shell("cd /x/b"), suite(4), shell("cd /x/c"), suite(3), shell("cd /x/d"), suite(2)]
    assert [] == watch(VanishingTests(), *fewer)
