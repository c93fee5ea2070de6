"""Which calls were asked for together, by when they began and ended."""

from headway.hosts.frameworks.overlap import OVERTAKEN, Overlap


def test_calls_that_overlap_are_one_batch_and_others_are_not():
    overlap = Overlap()
    assert [1, 1] == [overlap.begin("a"), overlap.begin("b")]
    overlap.end("b")
    assert 1 == overlap.begin("c")
    overlap.end("a")
    overlap.end("c")
    assert 2 == overlap.begin("d")


def test_a_call_that_was_overtaken_often_no_longer_keeps_its_batch_open():
    overlap = Overlap()
    overlap.begin("hangs")
    for number in range(OVERTAKEN):
        assert 1 == overlap.begin(f"{number}")
        overlap.end(f"{number}")
    assert 2 == overlap.begin("next")
    overlap.end("hangs")
    assert 2 == overlap.begin("beside")


def test_calls_that_end_in_the_order_in_which_they_began_overtake_none():
    overlap = Overlap()
    overlap.begin("0")
    for number in range(3 * OVERTAKEN):
        assert 1 == overlap.begin(f"{number + 1}")
        overlap.end(f"{number}")


def test_a_call_that_did_not_run_overtakes_none():
    overlap = Overlap()
    overlap.begin("a")
    for number in range(2 * OVERTAKEN):
        assert 1 == overlap.begin(f"{number}")
        overlap.forget(f"{number}")
