import pytest

from headway.tools.request import MOST, UNTOLD, asked_repeats


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (10, "run this test ten times"),
        (10, "Please run pytest t.py 10x"),
        (20, "Can you run the benchmark 20 times and tell me the mean?"),
        (5, "Look at a.py first. Then repeat the request 5 times."),
        (12, "Do a dozen runs of it"),
        (3, "re-run it three more times"),
        (50, "Run `pytest -x` 50 times; stop when it fails"),
        (100, "do 100 iterations"),
        (MOST, "run it 5000 times"),
        (UNTOLD, "run it until it fails"),
        (UNTOLD, "Call the endpoint repeatedly"),
        (UNTOLD, "and run it a few times"),
        (UNTOLD, "test_login is flaky, find out why"),
        (UNTOLD, "We see an intermittent failure in CI"),
    ],
)
def test_repeats_that_are_asked_for(asked, text):
    assert asked == asked_repeats(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fix the cart",
        "run the tests until they pass",
        "make it 10x faster and run the tests",
        "it must run 3 times as fast",
        "run it with 3 times the size",
        "If you run this 3 times it fails",
        "I told you three times",
        "The client should retry three times",
        "Run t.py again",
        "x" * 5_000 + "\nrun it ten times",
    ],
)
def test_most_requests_ask_for_none(text):
    assert 0 == asked_repeats(text)
