from headway.core.limits import Sizes
from headway.detectors.step.low_hit_rate import LowHitRate
from tests.streams import call, moments, read, search, sightings, user, watch


def searches(*hits):
    return [search(f"q{n}", hits=h) for n, h in enumerate(hits)]


def test_speaks_when_one_of_five_found_something():
    found = watch(LowHitRate(), *searches(1, 0, 0, 0, 0))

    assert [5] == moments(found)
    assert {"hit_rate": 0.2, "count": 5} == found[0][1].evidence
    assert "4 of the last 5 searches with a known number of hits found nothing." == found[0][1].message


def test_stays_quiet_when_two_of_five_did():
    assert [] == watch(LowHitRate(), *searches(1, 0, 2, 0, 0))


def test_stays_quiet_before_there_are_five():
    assert [] == watch(LowHitRate(), *searches(0, 0, 0, 0))


def test_looks_at_the_last_five_only():
    assert [7] == moments(watch(LowHitRate(), *searches(1, 1, 1, 0, 0, 0, 0)))


def test_other_calls_neither_count_nor_repeat_it():
    words = [*searches(0, 0, 0, 0), read(), read(), *searches(0)]
    assert [7] == moments(watch(LowHitRate(), *words))


def test_the_user_starts_anew():
    assert [] == watch(LowHitRate(), *searches(0, 0, 0, 0), user(), *searches(0, 0, 0, 0))


def test_a_rate_that_is_just_reached_is_fine():
    assert [] == watch(LowHitRate(rate=0.2), *searches(1, 0, 0, 0, 0))


def test_a_search_that_does_not_say_what_it_found_is_none_of_them():
    unclear = call("Grep", {"pattern": "x"}, "Error: interrupted", failed=True)
    assert [5, 7] == sightings(LowHitRate(), *searches(0, 0, 0, 0, 0), unclear, *searches(0))


def test_no_more_searches_are_kept_than_fifty():
    assert LowHitRate(window=51).settings_error(Sizes()) and not LowHitRate(window=50).settings_error(Sizes())
