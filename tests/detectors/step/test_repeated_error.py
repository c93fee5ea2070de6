from headway import Severity
from headway.detectors.step.repeated_error import RepeatedError
from tests.streams import call, compaction, edit, failure, moments, read, shell, user, watch


def test_speaks_at_the_sixth_equal_error_and_records_the_third():
    found = watch(RepeatedError(), *[failure("Error: no such option", command=f"make {n}") for n in range(7)])

    assert [(3, Severity.LOW), (6, Severity.HIGH)] == [(place, finding.severity) for place, finding in found]
    evidence = found[0][1].evidence
    assert (3, "Bash", "Error: no such option") == (
        evidence["count"],
        evidence["tool_name"],
        evidence["error_signature"],
    )


def test_stays_quiet_at_the_second():
    assert [] == watch(RepeatedError(), failure(), failure())


def test_paths_lines_and_times_do_not_make_an_error_another():
    """Seed 002's normalisation: absolute paths, line numbers, timestamps and ids are taken out."""
    messages = [
        f"Error: /home/u{n}/app/main.py:{n}:7 failed at 2026-01-01 10:00:0{n} (id 9f8e7d6{n}aa)" for n in range(3)
    ]
    assert [3] == moments(watch(RepeatedError(), *(failure(m, command=f"run {m}") for m in messages)))


def test_other_steps_in_between_do_not_hide_it():
    words = [failure(), read("a"), failure(), read("b"), read("c"), failure()]
    assert [6] == moments(watch(RepeatedError(), *words))


def test_errors_further_apart_than_the_window_stay_quiet():
    gap = [read(f"{n}.py") for n in range(5)]
    assert [] == watch(RepeatedError(), failure(), *gap, failure(), *gap, failure())


def test_other_errors_stay_quiet():
    words = [failure("Error: no file"), failure("Error: no memory"), failure("Error: no time")]
    assert [] == watch(RepeatedError(), *words)


def test_another_tool_is_another_error():
    words = [call(tool, {}, "Error: it broke", failed=True) for tool in ("a", "b", "c")]
    assert [] == watch(RepeatedError(), *words)


def test_a_change_a_compaction_or_the_user_starts_anew():
    """gsd-pi#1206: the same failing test after each edit is debugging."""
    for interruption in (edit(), compaction(), user()):
        assert [] == watch(RepeatedError(), failure(), failure(), interruption, failure(), failure())


def test_calls_of_one_parallel_batch_count_once():
    assert [] == watch(RepeatedError(), *[failure(command=f"make {n}", batch="b") for n in range(8)])


def test_a_change_whose_test_fails_is_no_repeat():
    words = [shell(f"sed -i s/{n}/x/ a.py && pytest -q", "E  assert\n1 failed", failed=True) for n in range(8)]
    assert [] == watch(RepeatedError(), *words)


def test_says_if_errors_are_the_same_only_apart_from_paths_and_numbers():
    def told(*errors):
        return watch(RepeatedError(), *map(failure, errors))[0][1].message

    assert "with the same error: " in told(*["Error: no such option"] * 3)
    several = [f"Error: cannot read /data/{name}/a.csv, line {n}" for n, name in enumerate("abc")]
    assert "with the same error, details such as folders, line numbers, ids and times aside: " in told(*several)
