from headway import Severity
from headway.detectors.step.varied_failures import VariedFailures
from tests.streams import call, compaction, edit, failure, read, user, watch


def guess(n, path="src/a.py"):
    args = {"file_path": path, "old_string": f"guess number {n}", "new_string": "x"}
    return call("Edit", args, f"No replacement was performed, `guess number {n}` was not found", failed=True)


def test_speaks_at_the_sixth_failure_of_one_kind():
    """openclaw#112479, crush#2856: varied arguments, same failure."""
    found = watch(VariedFailures(), *(guess(n) for n in range(9)))

    assert [(4, Severity.LOW), (6, Severity.HIGH)] == [(place, finding.severity) for place, finding in found]
    assert (6, "Edit") == (found[1][1].evidence["count"], found[1][1].evidence["tool_name"])


def test_stays_quiet_at_the_third():
    assert [] == watch(VariedFailures(), *(guess(n) for n in range(3)))


def test_equal_calls_are_left_to_others():
    assert [] == watch(VariedFailures(), *[guess(1)] * 9)


def test_failures_in_different_files_stay_quiet():
    assert [] == watch(VariedFailures(), *(guess(n, f"src/{n}.py") for n in range(9)))


def test_different_failures_stay_quiet():
    words = [
        failure(f"Error: no {what}", command=f"try {what}")
        for what in ("file", "port", "memory", "time", "luck", "key", "rule", "sound", "end")
    ]
    assert [] == watch(VariedFailures(), *words)


def test_trouble_with_the_network_may_be_retried():
    """OpenSwarm PR#262: infrastructure errors and retries are not the agent's mistake."""
    words = [failure("Error: 429 Too Many Requests", command=f"curl api/{n}") for n in range(10)]
    assert [] == watch(VariedFailures(), *words)


def test_a_change_a_compaction_or_the_user_starts_anew():
    for interruption in (edit(old="a", new="b"), compaction(), user()):
        words = [*(guess(n) for n in range(3)), interruption, *(guess(n) for n in range(3, 6))]
        assert [] == watch(VariedFailures(), *words)


def test_a_read_that_shows_something_new_of_the_file_starts_anew():
    """Who looks at the file again before the next attempt looks for the cause."""
    look = read("src/a.py", output="def f():\n    return 1")
    words = [*(guess(n) for n in range(3)), look, *(guess(n) for n in range(3, 6))]
    assert [] == watch(VariedFailures(), *words)


def test_a_read_of_another_file_or_of_what_is_known_does_not():
    look = read("src/a.py", output="def f():\n    return 1")
    for other in (read("src/b.py", output="x = 1"), look):
        words = [look, *(guess(n) for n in range(3)), other, *(guess(n) for n in range(3, 7))]
        assert [Severity.LOW, Severity.HIGH] == [finding.severity for _, finding in watch(VariedFailures(), *words)]


def test_calls_of_one_parallel_batch_count_once():
    words = [
        call(
            "Edit",
            {"file_path": "a.py", "old_string": f"{n}", "new_string": "x"},
            f"`{n}` was not found",
            failed=True,
            batch="b",
        )
        for n in range(9)
    ]
    assert [] == watch(VariedFailures(), *words)
