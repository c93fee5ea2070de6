import pytest

from headway.detectors.step.test_rerun import TestRerun
from tests.streams import call, edit, engine_of, missing, moments, read, shell, sightings, spelled, suite, user, watch


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


def test_an_edit_whose_result_is_missing_may_have_been_made():
    assert [] == watch(TestRerun(), *[suite(), missing(edit())] * 4)
    assert [4] == moments(watch(TestRerun(), suite(), missing(read("b.py")), suite(), suite()))


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


def in_folders(*folders):
    return [word for folder in folders for word in (shell(f"cd {folder} && pwd", folder), suite())]


def test_the_same_command_in_other_folders_is_another_run():
    assert [] == watch(TestRerun(), *in_folders(*[f"/x/{name}" for name in "abcdef"]))
    assert [] == watch(TestRerun(), *in_folders("/x", *[f"../{name}" for name in "abcdef"]))
    entered = [(shell(f"if [ -d /x/{name} ]; then cd /x/{name}; fi"), suite()) for name in "abcdef"]
    assert [] == watch(TestRerun(), *[word for words in entered for word in words])


@pytest.mark.parametrize("there", ["repo", "/x/repo"])
def test_a_change_to_the_present_folder_changes_nothing(there):
    assert [6, 8] == sightings(TestRerun(), *in_folders(*[there] * 4))
    assert [3, 4] == sightings(TestRerun(), *[suite(command=f"cd {there} && pytest -q")] * 4)


def test_a_return_to_a_folder_goes_on_with_its_runs():
    assert [10] == moments(watch(TestRerun(), *in_folders("/a", "/b", "/a", "/b", "/a")))


@pytest.mark.parametrize("back", ["cd -", "popd"])
def test_a_folder_that_is_not_known_is_another(back):
    assert [] == watch(TestRerun(), *[word for _ in range(4) for word in (shell(back), suite())])


@pytest.mark.parametrize(
    "stays", ["cd a && make; cd ..", "pushd a && make && popd", "(cd a && make)", "bash -c 'cd a'"]
)
def test_a_command_that_comes_back_leaves_the_shell_where_it_was(stays):
    assert None is shell_after(shell(stays)).folder


def shell_after(*words):
    engine = engine_of(TestRerun())
    for events in spelled(words):
        for event in events:
            engine.feed(event)
    return engine.session.shell


@pytest.mark.parametrize(("folders", "told"), [("aaaa", [3, 4]), ("abcd", []), ("abab", [])])
def test_the_folder_that_an_argument_names_is_part_of_the_run(folders, told):
    output = "FAILED tests/test_a.py::test_0 - assert\n1 failed, 5 passed in 0.31s"
    runs = [
        call("shell", {"command": ["bash", "-lc", "pytest -q"], "workdir": f"/x/{name}"}, output, failed=True)
        for name in folders
    ]
    assert told == sightings(TestRerun(), *runs)


def test_a_cd_that_failed_or_was_denied_leads_nowhere():
    fails = shell("cd /nowhere", "bash: cd: /nowhere: No such file or directory", failed=True)
    assert None is shell_after(fails, shell("cd /a && make", "", denied=True)).folder
    assert "/a" == shell_after(shell("cd /a && make", "boom", failed=True)).folder


def test_the_root_is_where_the_shell_began():
    assert [5] == moments(
        watch(TestRerun(), suite(), shell("cd /repo"), suite(), shell("cd /repo"), suite(), root="/repo")
    )


def test_the_folder_of_a_shell_holds_no_secret():
    assert "abcd1234" not in shell_after(shell("cd /x/ghp_abcd1234abcd1234abcd1234abcd1234abcd && ls")).folder
