from headway.detectors.step.progress_stall import ProgressStall
from tests.streams import call, failure, in_other_order, moments, read, shell, user, watch, write

SEEN = "line 1 of a.py"
"""A line that reading a.py has shown."""


def failures(count):
    return [failure(f"Error {n}: {'x' * n}", command=f"try {n}") for n in range(count)]


def stale(count):
    """The same two reads in turn: nothing new after the first two."""
    return [read("a.py") if n % 2 else read("b.py") for n in range(count)]


def test_speaks_at_the_fifth_failure_in_a_row():
    found = watch(ProgressStall(), *failures(6))

    assert [5] == moments(found)
    assert {"actions_during_stall": 5, "stall_duration": None} == found[0][1].evidence


def test_stays_quiet_at_the_fourth():
    assert [] == watch(ProgressStall(), *failures(4))


def test_a_success_ends_the_failures():
    assert [] == watch(ProgressStall(), *failures(4), read("c.py"), *failures(4))


def test_speaks_at_the_tenth_call_without_news():
    assert [12] == moments(watch(ProgressStall(), *stale(12)))


def test_stays_quiet_at_the_ninth():
    assert [] == watch(ProgressStall(), *stale(11))


def test_something_new_ends_the_stall():
    assert [] == watch(ProgressStall(), *stale(11), read("fresh.py"), *stale(9))


def test_each_indicator_can_be_switched_off():
    """Seed 002's table: what counts as progress is a setting."""
    indicators = {
        "new_file_created": write("src/brand_new.py"),
        "test_passed": shell("pytest -q", SEEN),
        "build_succeeded": shell("cargo build", SEEN),
        "plan_step_completed": call("TodoWrite", {"todos": []}, SEEN),
        "user_acknowledged": user("thank you, good"),
    }
    for name, word in indicators.items():
        off = tuple(set(indicators) - {name})
        stream = [*stale(7), word, *stale(9)]
        assert [] == watch(ProgressStall(), *stream), name
        heard = watch(ProgressStall(progress_indicators=off), *stream)
        assert (name == "new_file_created") == (heard == []), name  # a new file is news in any case


def test_polls_are_not_counted():
    assert [] == watch(ProgressStall(), *[shell("sleep 20 && tail -1 log", "still building")] * 15)


def test_tells_how_long_it_lasted_when_times_are_known():
    words = [call("Bash", {"command": f"try {n}"}, f"Error {n}: x", failed=n > 0, at=100.0 + n) for n in range(6)]
    found = watch(ProgressStall(), *words)
    assert 5.0 == found[0][1].evidence["stall_duration"]


def test_a_change_whose_test_fails_is_no_stall():
    words = [shell(f"sed -i s/{n}/x/ a.py && pytest -q", "E  assert\n1 failed", failed=True) for n in range(15)]
    assert [] == watch(ProgressStall(), *words)


def test_calls_that_were_denied_are_no_failures():
    denied = [failure("Refused.", command=f"refused {n}", denied=True) for n in range(6)]

    assert [] == watch(ProgressStall(), *failures(4), *denied[:5])
    found = watch(ProgressStall(), *failures(4), *denied[:2], *failures(1))
    assert ["The last 5 calls that ran all failed."] == [finding.message for _, finding in found]


def test_calls_of_one_parallel_batch_count_once():
    """None of them could learn from the others."""
    assert [] == watch(ProgressStall(), *[read("a.py", batch="b") for _ in range(20)])
    assert [] == watch(ProgressStall(), *[failure(command="make", batch="b") for _ in range(20)])

    in_pairs = [read("a.py", batch=f"b{n // 2}") for n in range(22)]
    assert [21] == moments(watch(ProgressStall(), *in_pairs))


def test_failures_that_show_something_new_are_not_said_to_show_nothing():
    """Nor is a program of unknown effect said to have changed nothing."""
    missing = [call("Edit", {"file_path": f"{n}.py"}, f"no such text in {n}.py", failed=True) for n in range(6)]
    words = [word for one in missing for word in (read("known.py"), one)]
    found = watch(ProgressStall(), read("known.py"), *words)
    told = "Each of the last 10 calls failed or showed nothing new, and no change of a file was seen."
    assert [told] == [finding.message for _, finding in found]


def test_a_success_among_the_last_calls_is_one_whenever_its_result_comes():
    failures = [failure(f"error: {n}", command=f"make {n}") for n in range(5)]
    early = in_other_order((2, 1), failures[0], shell("ls", "a"))
    assert [] == watch(ProgressStall(), early, *failures[1:])
    late = in_other_order((2, 1), shell("ls", "a", batch="b"), failure("error: 9", command="make 9", batch="b"))
    assert [] == watch(ProgressStall(), *failures[:4], late)
