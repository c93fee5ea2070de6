"""A process that only scans collects garbage less often, and no other does."""

import gc

import pytest

from headway.study.scan import NEW_OBJECTS, collected_rarely


@pytest.fixture(autouse=True)
def thresholds():
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_less_often_until_the_end_of_the_block():
    gc.set_threshold(700, 10, 10)
    with collected_rarely():
        assert (NEW_OBJECTS, 10, 10) == gc.get_threshold()
    assert (700, 10, 10) == gc.get_threshold()


@pytest.mark.parametrize("chosen", [0, 10 * NEW_OBJECTS])
def test_a_user_who_collects_even_less_is_left_alone(chosen):
    gc.set_threshold(chosen, 10, 10)
    with collected_rarely():
        assert chosen == gc.get_threshold()[0]
