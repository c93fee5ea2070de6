"""The measure itself: it tells linear from quadratic."""

from tests.cost import costs_at_most, grows_with_its_length_only


def test_linear_work_grows_with_its_length_only():
    assert grows_with_its_length_only(lambda text: [ord(sign) for sign in text], "ab", 32_000)


def test_quadratic_work_does_not():
    assert not grows_with_its_length_only(lambda text: [1 for _ in text for _ in text], "b", 1_600)


def test_dear_work_costs_more_than_a_standard():
    dear, cheap = (lambda: sum(range(200_000))), (lambda: sum(range(2_000)))

    assert costs_at_most(1, cheap, dear)
    assert not costs_at_most(10, dear, cheap)
