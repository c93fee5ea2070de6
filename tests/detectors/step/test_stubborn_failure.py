import pytest

from headway.core.finding import Severity
from headway.detectors.step.stubborn_failure import StubbornFailure
from tests.streams import (
    call,
    compaction,
    edit,
    engine_of,
    failure,
    moments,
    read,
    shell,
    sightings,
    spelled,
    suite,
    user,
    watch,
    write,
)


def change(n, path="src/a.py"):
    return edit(path, old=f"{n}", new=f"{n + 1}")


def rounds(count, then, path="src/a.py"):
    """So many times a change and what is run after it; `then` makes it from its number."""
    return [word for n in range(count) for word in (change(n, path), then(n))]


def compile_error(line=12, words="expected ';'"):
    return failure(f"a.c:{line}:5: error: {words}\nmake: *** [Makefile:3: a.o] Error 1", command="make")


def test_speaks_after_the_twelfth_round_that_made_no_difference():
    found = watch(StubbornFailure(), *rounds(15, lambda n: suite(seconds=f"0.{n}")))

    assert [26] == moments(found)
    assert 12 == found[0][1].evidence["count"] and Severity.HIGH is found[0][1].severity
    assert "`pytest -q` has failed in the same way after each of 12 rounds of changes" in found[0][1].message


def test_stays_quiet_at_the_eleventh():
    assert [] == watch(StubbornFailure(), *rounds(12, lambda n: suite()))


def test_looking_around_and_running_it_again_in_between_are_no_rounds():
    words = [
        w for n in range(13) for w in (change(n), read(f"{n}.py"), shell(f"python -c {n}", f"{n}"), suite(), suite())
    ]

    assert [12 * 5 + 4] == moments(watch(StubbornFailure(), *words))


@pytest.mark.parametrize(
    "outcome",
    [
        lambda n: compile_error(),
        lambda n: failure(
            "Traceback (most recent call last):\n  File x.py, line 7\nTypeError: no", command="python x.py"
        ),
        lambda n: failure("hook id: ruff\nE501 line too long", command="git commit -m wip"),
        lambda n: call("run_tests", {}, "1 failed, 2 passed in 0.1s", failed=True),
        lambda n: suite(command=f"pytest -q | tail -{10 + n % 3}"),
        lambda n: suite(n % 2 + 1),
        lambda n: shell("pytest -q | tail -3", "FAILED a.py::b\n1 failed in 0.1s"),
    ],
    ids=["compiler", "script", "commit", "tool", "filtered", "two failures in turn", "exit code hidden by a pipe"],
)
def test_it_is_seen_in_whatever_is_run(outcome):
    assert [12] == [found.evidence["count"] for _, found in watch(StubbornFailure(), *rounds(16, outcome))]


def test_changes_and_what_is_run_may_be_one_command():
    words = [
        shell(f"sed -i s/{n}/{n + 1}/ a.py && pytest -q", "FAILED a::b\n1 failed in 0.1s", failed=True)
        for n in range(14)
    ]

    assert [13] == moments(watch(StubbornFailure(), *words))


@pytest.mark.parametrize(
    "outcome",
    [
        lambda n: suite(20 - n),
        lambda n: suite(2, passed=n),
        lambda n: compile_error(line=n),
        lambda n: compile_error(words=f"`x{n}` undeclared"),
        lambda n: failure(f"x = {n}\nTypeError: no"),
        lambda n: failure(f"FAIL Required test coverage of 90% not reached. Total coverage: {60 + n}.1%"),
        lambda n: failure(f"AssertionError: it took {9 - n / 5:.1f}s, at most 1s"),
        lambda n: suite(2 if n % 6 else 0),
    ],
    ids=[
        "fewer",
        "more pass",
        "other line",
        "other message",
        "other value",
        "coverage",
        "faster",
        "green now and then",
    ],
)
def test_what_tells_something_new_is_no_stall(outcome):
    assert [] == watch(StubbornFailure(), *rounds(20, outcome))


def test_a_file_that_is_changed_for_the_first_time_counts_half():
    words = [word for n in range(30) for word in (write(f"src/m{n}.py"), suite())]

    assert [1 + 2 * 24] == moments(watch(StubbornFailure(), suite(), *words))


@pytest.mark.parametrize(
    "between",
    [user(), compaction(), suite(0, 3, command="pytest new.py"), suite(0)],
    ids=["the user", "a compaction", "another test passes for the first time", "it passes"],
)
def test_starts_anew(between):
    words = rounds(12, lambda n: suite())

    assert [26] == moments(watch(StubbornFailure(), *words, *words))
    assert [] == watch(StubbornFailure(), *words, between, *words)


def test_other_tests_that_do_better_are_progress():
    words = [w for n in range(20) for w in (change(n), suite(), suite(0, n + 1, command="pytest new.py"))]

    assert [] == watch(StubbornFailure(), *words)


def test_other_tests_that_pass_as_they_did_before_are_none():
    words = [w for n in range(14) for w in (change(n), suite(0, 3, command="pytest old.py"), suite())]

    assert [39] == moments(watch(StubbornFailure(), *words))


def test_is_seen_every_twelve_rounds_and_in_each_from_the_twenty_fourth_on():
    """What goes on after it was said must be seen to go on."""
    places = sightings(StubbornFailure(), *rounds(28, lambda n: compile_error()))

    assert [12, 24, 25, 26, 27] == [place // 2 - 1 for place in places]


def test_waiting_and_what_the_user_asked_for_do_not_count():
    waiting = rounds(20, lambda n: failure("not there yet", command="sleep 9; make check"))
    asked = [user("Run make 40 times, please."), *rounds(20, lambda n: compile_error())]

    assert [] == watch(StubbornFailure(), *waiting)
    assert [] == watch(StubbornFailure(), *asked)


def test_failures_of_the_network_and_what_was_not_allowed_do_not_count():
    assert [] == watch(StubbornFailure(), *rounds(20, lambda n: failure("Error: connection timed out")))
    assert [] == watch(StubbornFailure(), *rounds(20, lambda n: failure("Not allowed", denied=True)))


def test_parallel_changes_and_runs_are_one_round():
    words = [w for n in range(20) for w in (edit(old=f"{n}", new="x", batch="b"), failure(batch="b"))]

    assert [] == watch(StubbornFailure(), *words)


def test_is_sure_only_much_later_and_only_where_not_one_test_passes():
    def sure(outcome):
        found = watch(StubbornFailure(), *rounds(30, lambda n: outcome))
        return [(one.evidence["count"], one.confidence >= 0.5) for _, one in found]

    assert [(12, False), (24, True)] == sure(compile_error())
    assert [(12, False), (24, True)] == sure(suite(1, passed=0))
    assert [(12, False), (24, False)] == sure(suite(1, passed=5))


def test_a_limit_without_a_round_is_refused():
    assert StubbornFailure(limit=0).settings_error(None) and not StubbornFailure(limit=1).settings_error(None)


def told(*words):
    return watch(StubbornFailure(), *words)[0][1].message


def test_failures_that_take_turns_are_not_called_the_same():
    message = told(*rounds(15, lambda n: suite(n % 2 + 1)))
    assert "`pytest -q` has failed in one of 2 ways after each of 12 rounds of changes; the latest: " in message
    settled = [*rounds(1, lambda n: suite(2)), *rounds(14, lambda n: suite(1))]
    assert "`pytest -q` has failed in the same way after each of 12 rounds of changes: " in told(*settled)


def test_what_may_have_changed_nothing_is_not_called_a_change():
    words = [word for n in range(14) for word in (shell(f"python probe.py {n}", f"{n}"), suite())]
    assert "after each of 12 rounds of work that may have changed something" in told(*words)


def test_commands_that_change_files_are_not_taken_for_one():
    words = [
        shell(f"sed -i s/{n}/x/ a.py && pytest -q", "FAILED a::b\n1 failed in 0.1s", failed=True) for n in range(14)
    ]
    assert told(*words).startswith(
        "Commands that change files and run something, as `sed -i s/12/x/ a.py && pytest -q`, have failed"
    )


def test_a_filter_of_the_output_is_not_part_of_the_command():
    assert told(*rounds(15, lambda n: suite(command=f"pytest -q | tail -{n}"))).startswith("`pytest -q` has failed")


def test_a_count_that_an_earlier_version_saved_starts_again():
    """It did not save in which ways the command failed; how many there were in these rounds is unknown."""
    detector = StubbornFailure()
    engine = engine_of(detector)
    stream = [event for words in spelled(rounds(27, lambda n: suite(seconds=f"0.{n}"))) for event in words]
    for event in stream[: 4 * 12]:
        assert not engine.feed(event).findings
    for failures in detector.failing.values():
        failures.seen = {}
    detector.lasting.clear()
    found = [n for n, event in enumerate(stream[4 * 12 :]) if engine.feed(event).findings]
    assert [4 * 12 - 1] == found


def test_the_same_failure_in_other_folders_is_another_failure():
    packages = [word for n in range(15) for word in (change(n), shell(f"cd /x/{n}"), suite())]
    assert [] == watch(StubbornFailure(), *packages)
