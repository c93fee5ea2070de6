from headway import Severity
from headway.detectors.step.doom_loop import DoomLoop
from tests.streams import compaction, edit, failure, moments, read, search, shell, user, watch

ROUND = (search("login", hits=2), read("src/auth.py"))


def high(found):
    return [place for place, finding in found if finding.severity is Severity.HIGH]


def test_speaks_at_the_third_round():
    found = watch(DoomLoop(), *ROUND * 3)

    assert [6] == high(found)
    evidence = found[-1][1].evidence
    assert {"cycle_length": 2, "repetitions": 3, "cycle_actions": ("Grep", "Read")} == evidence


def test_stays_quiet_before_the_third_round_is_complete():
    assert [] == watch(DoomLoop(), *ROUND * 2, ROUND[0])


def test_finds_longer_rounds():
    """Opencode PR#47845, Roo PR#5501: a cycle of three or more is a cycle."""
    for length in (3, 4, 5):
        words = [read(f"src/{n}.py") for n in range(length)]
        assert [length * 3] == high(watch(DoomLoop(), *words * 3))


def test_the_same_loop_keeps_its_identity_as_it_turns():
    """However the round is cut, it is one loop; otherwise it would be told anew at every step."""
    found = watch(DoomLoop(), *ROUND * 6)
    assert [6] == high(found)


def test_six_different_reads_are_not_a_cycle():
    assert [] == watch(DoomLoop(), *(read(f"src/{n}.py") for n in range(6)))


def test_one_repeated_call_is_not_a_round():
    """Period one belongs to exact_cycle."""
    assert [] == high(watch(DoomLoop(), *[read()] * 8))


def test_stays_quiet_when_the_results_differ():
    words = [word for n in range(4) for word in (shell("make", f"step {n} ok"), shell("./next", f"at {n}"))]
    assert [] == high(watch(DoomLoop(), *words))


def test_edit_and_test_rounds_that_change_something_are_work():
    """qwen-code#9733: edit, test, edit, test is how programs get written."""
    words = [w for n in range(5) for w in (edit(new=f"v{n}"), shell("pytest", f"{5 - n} failed", exit_code=1))]
    assert [] == watch(DoomLoop(), *words)


def test_the_same_edits_with_the_same_failures_are_a_loop():
    """Undoing and redoing one edit changes nothing in the end."""
    flip, flop = edit(old="a", new="b"), edit(old="b", new="a")
    failing = failure("AssertionError: 1 != 2", command="pytest")
    assert [12] == high(watch(DoomLoop(), *(flip, failing, flop, failing) * 3))


def test_a_round_that_waits_is_polling():
    assert [] == high(watch(DoomLoop(), *(shell("sleep 60"), shell("gh run view 7", "in progress")) * 5))


def test_one_parallel_batch_is_not_a_loop():
    words = [read("a.py", batch="b"), read("b.py", batch="b")] * 3
    assert [] == high(watch(DoomLoop(), *words))


def test_same_tools_with_other_arguments_are_low_and_unsure():
    words = [w for n in range(3) for w in (search(f"name{n}"), read(f"src/{n}.py"))]
    found = watch(DoomLoop(), *words)

    assert [6] == moments(found)
    assert (Severity.LOW, 0.3) == (found[0][1].severity, found[0][1].confidence)


def test_a_user_turn_or_compaction_starts_anew():
    assert [] == high(watch(DoomLoop(), *ROUND * 2, user(), *ROUND * 2))
    assert [] == high(watch(DoomLoop(), *ROUND * 2, compaction(), *ROUND * 2))
