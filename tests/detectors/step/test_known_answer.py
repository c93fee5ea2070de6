from headway.detectors.step.known_answer import KnownAnswer
from tests.streams import call, compaction, edit, moments, read, shell, user, watch


def asked(times, output="same"):
    """The same question, with something else between each two."""
    return [word for n in range(times) for word in (shell("git status", output), read(f"{n}.py"))]


def test_speaks_at_the_sixth_equal_answer():
    found = watch(KnownAnswer(), *asked(7))

    assert [11] == moments(found)
    assert {"count": 6, "tool_name": "Bash"} == found[0][1].evidence


def test_stays_quiet_at_the_fifth():
    assert [] == watch(KnownAnswer(), *asked(5))


def test_a_successful_call_that_says_nothing_counts():
    """Successful empty no-ops, repeated."""
    found = watch(KnownAnswer(), *asked(6, output=""))
    assert [11] == moments(found)
    assert "said nothing" in found[0][1].message


def test_answers_that_differ_stay_quiet():
    words = [word for n in range(8) for word in (shell("git status", f"{n} files"), read(f"{n}.py"))]
    assert [] == watch(KnownAnswer(), *words)


def test_waiting_and_planning_stay_quiet():
    assert [] == watch(KnownAnswer(), *[shell("sleep 9 && cat log", "busy"), read()] * 4)
    assert [] == watch(KnownAnswer(), *[call("TodoWrite", {"todos": []}, "ok")] * 8)


def test_a_parallel_batch_counts_once():
    assert [] == watch(KnownAnswer(), *[shell("git status", "clean", batch="b")] * 8)


def test_a_change_a_compaction_or_the_user_starts_anew():
    for interruption in (edit(), compaction(), user()):
        assert [] == watch(KnownAnswer(), *asked(5), interruption, *asked(5))
