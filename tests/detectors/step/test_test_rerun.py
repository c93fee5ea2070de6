from headway.detectors.step.test_rerun import TestRerun
from tests.streams import edit, moments, read, shell, suite, user, watch


def test_speaks_at_the_third_equal_run():
    found = watch(TestRerun(), suite(), suite(seconds="0.2"), suite(seconds="0.4"), suite())

    assert [3] == moments(found)
    assert (3, 2) == (found[0][1].evidence["count"], found[0][1].evidence["failed"])
    assert "with the same 2 failing tests and no change seen in between" in found[0][1].message


def test_stays_quiet_at_the_second():
    assert [] == watch(TestRerun(), suite(), suite())


def test_filters_and_looking_around_do_not_make_it_another_run():
    words = [suite(command="pytest -q"), read(), suite(command="pytest -q 2>&1 | tail -20"), read("b"), suite()]
    assert [5] == moments(watch(TestRerun(), *words))


def test_passing_tests_may_be_run_again():
    assert [] == watch(TestRerun(), *[suite(failed=0)] * 5)


def test_other_failures_are_another_result():
    assert [] == watch(TestRerun(), suite(2), suite(3), suite(2), suite(1))


def test_an_edit_or_the_user_starts_anew():
    """qwen-code#9733: edit, test, edit, test is work, also while the failures stay the same."""
    assert [] == watch(TestRerun(), *[suite(), edit(old="a", new="b")] * 5)
    assert [] == watch(TestRerun(), suite(), suite(), user(), suite(), suite())


def test_the_command_is_named_without_the_filter_of_its_output():
    found = watch(TestRerun(), *(suite(command=f"pytest -q | tail -{n}") for n in (1, 2, 3)))
    assert found[0][1].message.startswith("This is run 3 of `pytest -q` with")


def at_once(batch, count, failed=2):
    return [shell("pytest -q", LOST[failed], failed=True, batch=batch) for _ in range(count)]


LOST = {
    n: "".join(f"FAILED t.py::test_{i} - x\n" for i in range(n)) + f"{n} failed, 5 passed in 0.3s\n" for n in (2, 3)
}


def test_runs_of_one_parallel_batch_count_once():
    """None of them could learn from the others. The message counts all that ran."""
    assert [] == watch(TestRerun(), *at_once("a", 3), *at_once("b", 3))
    found = watch(TestRerun(), *at_once("a", 3), *at_once("b", 2), *at_once(None, 1))
    assert [6] == moments(found) and found[0][1].message.startswith("This is run 6 of `pytest -q` with")
    assert [] == watch(TestRerun(), *at_once("a", 2), user(), *at_once("a", 1), *at_once("b", 1))
    assert [] == watch(TestRerun(), *at_once("a", 2), *at_once("b", 2, 3), *at_once("c", 2, 3))
