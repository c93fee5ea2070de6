from headway import Severity
from headway.detectors.step.varied_failures import VariedFailures
from tests.streams import call, compaction, edit, failure, user, watch


def guess(n, path="src/a.py"):
    args = {"file_path": path, "old_string": f"guess number {n}", "new_string": "x"}
    return call("Edit", args, f"No replacement was performed, `guess number {n}` was not found", failed=True)


def test_speaks_at_the_eighth_failure_of_one_kind():
    """openclaw#112479, crush#2856: varied arguments, same failure."""
    found = watch(VariedFailures(), *(guess(n) for n in range(9)))

    assert [(4, Severity.LOW), (8, Severity.HIGH)] == [(place, finding.severity) for place, finding in found]
    assert (8, "Edit") == (found[1][1].evidence["count"], found[1][1].evidence["tool_name"])


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
