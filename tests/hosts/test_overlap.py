"""Which calls were asked for together, by when they began and ended."""

from headway.hosts.frameworks.overlap import OVERTAKEN, PAUSE, Overlap


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self):
        return self.now


def test_calls_that_overlap_are_one_batch_and_others_are_not():
    clock = Clock()
    overlap = Overlap(clock)
    assert [1, 1] == [overlap.begin("a"), overlap.begin("b")]
    overlap.end("b")
    assert 1 == overlap.begin("c")
    overlap.end("a")
    overlap.end("c")
    clock.now += PAUSE
    assert 2 == overlap.begin("d")


def test_the_next_part_of_a_batch_in_a_pool_belongs_to_the_same_batch():
    clock = Clock()
    overlap = Overlap(clock)
    for part in range(5):
        assert [1, 1] == [overlap.begin(f"a{part}"), overlap.begin(f"b{part}")]
        overlap.end(f"a{part}")
        overlap.end(f"b{part}")
        clock.now += PAUSE / 2
    clock.now += PAUSE
    assert 2 == overlap.begin("what the model asks for next")


def test_calls_one_after_the_other_are_no_batch_however_quick():
    overlap = Overlap(Clock())
    for number in range(1, 5):
        assert number == overlap.begin("a")
        overlap.end("a")


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
