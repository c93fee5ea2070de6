import pytest

from headway import Severity
from headway.core.limits import Sizes
from headway.detectors.step.doom_loop import DoomLoop
from tests.streams import (
    call,
    compaction,
    edit,
    engine_of,
    failure,
    missing,
    moments,
    read,
    search,
    shell,
    spelled,
    user,
    watch,
)

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


def test_nothing_of_the_turn_before_counts():
    assert [] == watch(DoomLoop(), *ROUND, ROUND[0], user(), ROUND[1], *ROUND * 2)


def test_rounds_of_up_to_twelve_calls_are_found():
    words = [read(f"src/{n}.py") for n in range(13)]
    assert [36] == high(watch(DoomLoop(), *words[:12] * 3))
    assert [] == high(watch(DoomLoop(), *words * 3))


def test_all_three_rounds_must_have_the_same_results():
    first = (search("login", hits=1), ROUND[1])
    assert [7] == high(watch(DoomLoop(), *first, *ROUND * 3))  # from the read on
    assert [8] == high(watch(DoomLoop(), ROUND[0], read("src/auth.py", output="as it was"), *ROUND * 3))


def test_a_round_with_a_change_nobody_knows_the_content_of_may_lead_on():
    words = (shell("./generate >> out.txt"), search("needle"))
    assert [] == high(watch(DoomLoop(), *words * 5))


def test_a_round_with_such_a_change_is_told_if_the_same_call_fails_each_time():
    words = (
        shell("rm -rf .venv && python -m venv .venv"),
        failure("ERROR: No matching distribution found", command="pip install x==9"),
    )
    found = watch(DoomLoop(), *words * 6)
    assert [12] == high(found)
    assert found[-1][1].advisory and "fails each time" in found[-1][1].clears


def test_a_round_that_presses_keys_is_walked_three_times_as_often():
    words = (call("press_key", {"key": "Down"}, "ok"), call("observe", {}, "a list"))
    assert [] == high(watch(DoomLoop(), *words * 8))
    assert [18] == high(watch(DoomLoop(), *words * 9))


def named(*tools):
    """Calls of these tools, each with other arguments."""
    return [call(tool, {"on": n}, f"{n}") for n, tool in enumerate(tools)]


@pytest.mark.parametrize(
    ("tools", "at"),
    [
        ("ab" * 3, [6]),
        ("ab" * 2 + "a", []),
        ("aaa" * 3, []),
        ("aab" * 3, [9]),
        ("abcdef" * 3, [18]),
        ("abcdefg" * 3, []),
        ("ababac", []),
        ("abcde" + "abcde" + "abcdf", []),
    ],
)
def test_rounds_of_names(tools, at):
    found = watch(DoomLoop(), *named(*tools))
    assert at == moments(found)
    assert {Severity.LOW} >= {finding.severity for _, finding in found}


def test_rounds_of_names_need_not_be_quite_alike():
    assert [9] == moments(watch(DoomLoop(), *named(*"abc", *"bca", *"cab")))  # one ring, entered elsewhere
    half = named(*"abcdef" * 2, *"abcdeg")
    assert [18] == moments(watch(DoomLoop(similarity_threshold=0.5), *half))
    assert [] == watch(DoomLoop(similarity_threshold=0.51), *half)


def test_a_round_of_names_tells_its_calls():
    ((_, finding),) = watch(DoomLoop(), *named(*"ba" * 3))
    evidence = {"cycle_length": 2, "repetitions": 3, "cycle_actions": ("b", "a")}
    assert ("a b", evidence) == (finding.identity, finding.evidence)


def test_rounds_of_names_in_which_a_file_changed_are_work():
    changing = edit(new="1")
    assert [] == watch(DoomLoop(), *named(*"ab" * 2), changing, *named(*"aba"))
    assert [7] == moments(watch(DoomLoop(), changing, *named(*"ab" * 3)))
    assert [] == watch(DoomLoop(), *named("a"), changing, *named(*"babab"))


def test_rounds_of_names_with_a_call_without_a_result_in_between_are_no_rounds():
    assert [] == watch(DoomLoop(), *named(*"ab"), missing(read()), *named(*"abab"))


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"doom_loop_threshold": 1}, "doom_loop_threshold is 1, but a repetition needs at least 2"),
        ({"doom_loop_threshold": 2}, None),
        ({"doom_loop_min_length": 12}, None),
        ({"doom_loop_min_length": 13}, "doom_loop_min_length is 13, above doom_loop_max_length"),
        ({"doom_loop_threshold": 25}, None),
        ({"doom_loop_threshold": 26}, "52 steps are needed, but the session keeps only session.window_size = 50"),
    ],
)
def test_settings_with_which_it_could_not_speak_are_refused(settings, complaint):
    assert complaint == DoomLoop(**settings).settings_error(Sizes())


def test_only_rounds_with_the_same_results_are_counted():
    older = [call("Grep", {"pattern": "login"}, "old.py"), read("src/auth.py", output="as it was")]
    found = watch(DoomLoop(), *older * 2, *ROUND * 3)
    assert [10] == high(found)
    told = "The last 6 calls were the same 2 calls, repeated 3 times with the same results."
    assert (told, 3) == (found[-1][1].message, found[-1][1].evidence["repetitions"])


def test_what_differs_only_in_an_earlier_round_is_told():
    clock = [shell("./next", f"2026-01-01 10:00:0{n} ok") for n in (1, 2, 2, 2)]
    engine, told = engine_of(DoomLoop()), []
    for happening in spelled(word for one in clock for word in (one, ROUND[1])):
        told += [finding.message for event in happening for finding in engine.feed(event).findings]
    assert told[-1].endswith("repeated 4 times with the same results, apart from details such as times and ids.")


def test_code_is_called_the_same_as_far_as_it_is_compared():
    codes = [call("python_interpreter", {"code": f"# attempt {n}\nprint(total())"}, "7") for n in range(3)]
    (_, finding) = watch(DoomLoop(), *(word for code in codes for word in (code, ROUND[1])))[-1]
    assert "the same 2 calls (comments, names and unused values aside), repeated 3 times" in finding.message


def test_names_are_called_the_same_only_if_they_are():
    def told(*tools):
        return watch(DoomLoop(), *named(*tools))[0][1].message

    assert "In the last 6 calls, the same series of 2 tools occurred 3 times." == told(*"ab" * 3)
    assert "In the last 9 calls, a similar series of 3 tools occurred 3 times." == told(*"abcbcacab")
