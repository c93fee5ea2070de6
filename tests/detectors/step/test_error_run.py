import pytest

from headway.core.limits import Sizes
from headway.detectors.step.error_run import ErrorRun
from tests.streams import call, compaction, failure, moments, read, shell, user, watch


def failures(count):
    return [failure(f"Error: {'abcdefghijkl'[n]} went wrong", command=f"try {n}") for n in range(count)]


def test_speaks_at_the_eighth_failure_in_a_row():
    found = watch(ErrorRun(), *failures(9))

    assert [8] == moments(found)
    assert {"count": 8, "all_different": True} == found[0][1].evidence


def test_stays_quiet_at_the_seventh():
    assert [] == watch(ErrorRun(), *failures(7))


def test_a_success_ends_it():
    assert [] == watch(ErrorRun(), *failures(5), read(), *failures(5))


def test_speaks_where_eleven_of_the_last_fifteen_failed():
    """A success now and then does not hide that most calls fail."""
    words = [word for n in range(6) for word in (*failures(3), read(f"{n}.py"))]
    found = watch(ErrorRun(), *words)
    assert [18] == moments(found)
    assert "11 of the last 15 calls failed." == found[0][1].message
    assert not found[0][1].advisory


def test_a_series_that_goes_through_a_list_is_advice_only():
    found = watch(
        ErrorRun(), *[failure(f"Error: {name} went wrong", command=f"./check {name}") for name in "abcdefghi"]
    )
    assert [(8, True)] == [(place, finding.advisory) for place, finding in found]
    assert "If each failure is an answer" in found[0][1].clears


MALFORMED = "Parameter `old_str` is required for command: str_replace."


def test_calls_that_were_not_as_their_tool_asks_for_need_twice_as_many():
    edits = [
        call(
            "str_replace_editor", {"command": "str_replace", "path": "/a.py", "new_str": f"{n}"}, MALFORMED, failed=True
        )
        for n in range(17)
    ]
    assert [16] == moments(watch(ErrorRun(), *edits))
    assert [13] == moments(watch(ErrorRun(), *edits[:5], *failures(9)))


def test_tests_that_do_better_are_no_failures():
    runs = [
        shell(f"npm test -- --shard={n}", f"Tests: {20 - n} failed, {n} passed, 20 total", failed=True)
        for n in range(1, 15)
    ]
    assert [] == watch(ErrorRun(), *runs)
    same = [
        shell(f"npm test -- --shard={n}", "Tests: 3 failed, 17 passed, 20 total", failed=True) for n in range(1, 15)
    ]
    assert [8] == moments(watch(ErrorRun(), *same))


def test_errors_that_had_not_been_seen_before_are_steps_of_a_search():
    tries = [failure(f"Error: {name}", command=f"try {name}") for name in "abcdefghijklmnopqrst"]
    assert [] == watch(ErrorRun(), *[word for n in range(6) for word in (*tries[3 * n : 3 * n + 3], read(f"{n}.py"))])


def test_stays_quiet_where_every_other_call_fails():
    assert [] == watch(ErrorRun(), *[word for n in range(20) for word in (*failures(1), read(f"{n}.py"))])


def test_the_user_ends_it():
    assert [] == watch(ErrorRun(), *failures(7), user(), *failures(7))


def test_denied_calls_do_not_bring_back_failures_from_before_the_user_spoke():
    denied = [failure(f"Error: {n}", command=f"try {n}", denied=True) for n in range(7)]
    assert [] == watch(ErrorRun(), *failures(7), user("ok, go on"), *denied, *failures(7))
    found = watch(ErrorRun(), *failures(7), user("ok, go on"), *denied, *failures(8))
    assert ([23], 8) == (moments(found), found[0][1].evidence["count"])


def test_what_the_agent_has_forgotten_does_not_count():
    assert [] == watch(ErrorRun(), *failures(7), compaction(), *failures(7))


def test_calls_of_one_parallel_batch_count_once():
    assert [] == watch(ErrorRun(), *[failure(f"Error: {n}", command=f"try {n}", batch="b") for n in range(12)])


def test_a_change_whose_test_fails_is_work():
    words = [shell(f"sed -i s/{n}/x/ a.py && pytest -q", f"E  assert {n}\n1 failed", failed=True) for n in range(12)]
    assert [] == watch(ErrorRun(), *words)


@pytest.mark.parametrize(
    "words",
    [
        [failure(f"Error: {n}", command=f"try {n}", denied=True) for n in range(12)],
        [failure(at=100.0 * n) for n in range(12)],
        [read(f"{n}.py", output="Error: no such file", failed=True) for n in range(12)],
    ],
    ids=["refused calls", "tries with a minute between them", "looks at what was not looked at before"],
)
def test_stays_quiet_for(words):
    assert [] == watch(ErrorRun(), *words)


def test_looking_once_more_at_what_is_not_there_counts():
    assert [8] == moments(watch(ErrorRun(), *[read(output="Error: no such file", failed=True)] * 9))


def test_the_world_around_gets_twice_the_patience():
    words = [failure(f"Error: connection refused by {n}.example.org", command=f"fetch {n}") for n in range(17)]
    assert [16] == moments(watch(ErrorRun(), *words))


def test_calls_that_were_denied_in_between_are_not_counted_as_failed():
    denied = [failure("Refused.", command=f"refused {n}", denied=True) for n in range(6)]

    assert [] == watch(ErrorRun(), *failures(4), *denied, *failures(3))
    found = watch(ErrorRun(), *failures(4), *denied, *failures(4))
    assert ["The last 8 calls that ran all failed."] == [finding.message for _, finding in found]


def test_failures_that_say_something_new_are_not_said_to_return_nothing():
    """Each names another file; and all failures are counted, also those of the network."""
    tries = [call("Edit", {"file_path": f"{n}.py"}, f"no such text in {n}.py", failed=True) for n in range(11)]
    words = [*tries[:6], read(), *tries[6:10], failure("Error: connection timed out"), tries[10]]
    assert ["12 of the last 13 calls failed."] == [finding.message for _, finding in watch(ErrorRun(), *words)]


def test_a_limit_that_the_session_cannot_hold_is_refused():
    assert ErrorRun(limit=51).settings_error(Sizes()) and not ErrorRun(limit=50).settings_error(Sizes())
