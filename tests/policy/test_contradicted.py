"""Which run a claim at the end of a turn is held against, and when none is."""

import pytest

from headway import Monitor
from headway.policy.claims import LONGEST, contradicted_claim
from headway.policy.end_of_turn import claim_contradicted
from headway.tools.tests_seen import TestsSeen
from tests.agent_calls import sh, tool
from tests.cost import costs_at_most, grows_with_its_length_only


def after(*runs: tuple[str, bool], edits: int = 0) -> Monitor:
    """Tests were run, with an edit between any two runs, and so many edits followed."""
    monitor = Monitor()
    monitor.user_spoke("make the tests pass")
    for number, run in enumerate(runs):
        if number:
            edit(monitor)
        run_tests(monitor, run)
    for _ in range(edits):
        edit(monitor)
    return monitor


def run_tests(monitor: Monitor, run: tuple[str, bool]) -> None:
    monitor.called("Bash", {"command": "pytest -q"})
    monitor.returned(None, run[0], failed=run[1])


def edit(monitor: Monitor, path: str = "a.py") -> None:
    monitor.called("Edit", {"file_path": path, "old_string": "x", "new_string": "y"})
    monitor.returned(None, "The file was updated.", failed=False)


FAILING, PASSING, WORSE = (
    ("2 failed, 8 passed in 0.3s", True),
    ("10 passed in 0.3s", False),
    ("9 passed in 0.3s", False),
)


DONE = "Done. All tests pass."
RUN = TestsSeen(passed=8, failed=2, failing=("tests/test_a.py::test_login",), runner="pytest")


def test_counts_alone_are_enough_and_one_failing_test_is_one_test():
    assert (
        '"pytest -q", had 2 failing tests. Make them pass' in claim_contradicted(after(FAILING).session, DONE).message
    )
    one = after(("1 failed, 9 passed in 0.3s", True))
    assert "had 1 failing test. Make it pass" in claim_contradicted(one.session, DONE).message


def test_what_is_said_of_other_work_is_no_claim():
    said = [
        "Done.",
        "Fixed!",
        "The task is complete.",
        "Everything works as expected now.",
        "All checks are green.",
        "",
    ]
    assert [] == [text for text in said if claim_contradicted(after(FAILING).session, text)]


def test_a_number_of_tests_that_is_smaller_than_the_run_may_be_a_part_of_it():
    session = after(FAILING).session
    assert claim_contradicted(session, "All 9 tests pass.") is None
    assert claim_contradicted(session, "9/9 tests pass.") is None
    assert claim_contradicted(session, "All 10 tests pass.") is not None


@pytest.mark.parametrize("name", ["`test_login`", "tests/test_a.py::test_login", "**test_login**"])
def test_a_test_is_known_by_its_name(name):
    assert contradicted_claim(f"Done. {name} passes now.", RUN).tests == RUN.failing
    assert contradicted_claim(f"Done. All other tests pass. {name} needs a GPU.", RUN) is None
    assert contradicted_claim(f"All tests pass. {name} needs a GPU.", RUN) is None


@pytest.mark.parametrize(
    ("failing", "text"),
    [
        ("TestLogin/empty", "TestLogin passes."),
        ("shop.LoginTest.acceptsEmpty", "acceptsEmpty passes now."),
        ("login › accepts an empty name", "The test accepts an empty name passes now."),
        ("test_empty (tests.test_login.Login.test_empty)", "test_empty is green."),
        ("tests/test_a.py::test_sum[2-3]", "test_sum[2-3] passes."),
        ("tests/test_a.py::test_sum[2-3]", "test_sum passes."),
    ],
)
def test_names_of_other_runners_are_known_too(failing, text):
    run = TestsSeen(passed=8, failed=1, failing=(failing,))
    assert (failing,) == contradicted_claim(text, run).tests


@pytest.mark.parametrize("text", ["test_sum[1-1] passes.", "test_summary passes.", "My test_sum_2 passes."])
def test_a_test_of_a_longer_name_or_other_values_is_another(text):
    run = TestsSeen(passed=8, failed=1, failing=("tests/test_a.py::test_sum[2-3]",))
    assert contradicted_claim(text, run) is None


def test_an_ordinary_word_is_no_name_of_a_test():
    assert (
        contradicted_claim("The parser works, and login passes the form on.", TestsSeen(failed=1, failing=("login",)))
        is None
    )


@pytest.mark.parametrize(
    "word",
    [
        *[
            "all tests ",
            "all tests are ",
            "test_login ",
            "tests: ",
            "1/",
            "1 of ",
            "no ",
            "“",
            "`",
            '"',
            "(",
            "alle Tests ",
            "fails ",
        ],
        *[
            "if ",
            "test_login and ",
            "all tests pass ",
            "failing the ",
            "on ",
            "with the ",
            "a_",
            "a-",
            ", ",
            "\n> ",
            "```",
            "tous les ",
        ],
    ],
)
def test_the_cost_of_reading_grows_with_the_length_only(word):
    assert grows_with_its_length_only(lambda text: contradicted_claim(text, RUN), word, LONGEST)


def test_of_a_message_that_is_too_long_head_and_tail_are_read():
    filler = "x " * (5 * LONGEST)

    assert contradicted_claim("All tests pass. " + filler, RUN)
    assert contradicted_claim(filler + "\nAll tests pass.", RUN)
    assert contradicted_claim("All tests pass.\n" + filler + "\nTwo tests still fail.", RUN) is None
    assert costs_at_most(5, lambda: contradicted_claim(filler, RUN), lambda: contradicted_claim(filler[:LONGEST], RUN))


def test_secrets_in_what_is_quoted_are_masked():
    monitor = Monitor()
    monitor.called("Bash", {"command": "API_KEY=sk-ant-REDACTED pytest -q"})
    monitor.returned(None, "1 failed, 9 passed in 0.3s", failed=True)
    assert "A1b2C3d4" not in claim_contradicted(monitor.session, DONE).message


def test_that_nothing_ran_them_since_the_last_change_is_part_of_it():
    said = claim_contradicted(after(FAILING, edits=1).session, DONE)

    assert "had 2 failing tests. No test run followed your last change. Make" in said.message


def test_fewer_passing_tests_than_before_are_for_the_detector_of_that_name():
    assert claim_contradicted(after(PASSING, WORSE).session, "Here is the summary.") is None


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ([PASSING], DONE),
        ([FAILING, PASSING], DONE),
        ([], DONE),
        ([FAILING], "Two tests still fail."),
        ([FAILING], "Do all tests pass now?"),
        ([FAILING], ""),
    ],
    ids=["green", "green again", "no tests", "says so", "asks", "silent"],
)
def test_nothing_is_said(runs, text):
    assert claim_contradicted(after(*runs).session, text) is None


def test_what_ran_before_the_user_spoke_is_past():
    monitor = after(FAILING)
    monitor.user_spoke("never mind the tests, write the page")

    assert claim_contradicted(monitor.session, DONE) is None


LATER = {
    "a runner that shows no count": sh("tox -q", "py311: OK\ncongratulations :)", exit_code=0),
    "a target": sh("make check", "all good"),
    "a silent runner": sh("npm test --silent"),
    "an output in a file": sh("tox -e py > log.txt 2>&1"),
    "a script": sh("./ci.sh", "ok"),
    "a run in the background": tool("Bash", {"command": "pytest -q", "run_in_background": True}, "Running: b1"),
    "a report of another run": tool("BashOutput", {"bash_id": "b1"}, "10 passed in 0.1s"),
    "a sub-agent": tool("Task", {"prompt": "run the tests"}, "10 passed"),
    "an unknown tool": tool("mcp__ci__get_test_results", {"branch": "main"}, "green"),
    "a page": tool("WebFetch", {"url": "https://ci.test/1"}, "10 passed"),
    "a person": tool("AskUserQuestion", {"question": "Do they pass now?"}, "yes"),
    "a hook of git": sh("git add -A && git commit -m fix", "10 passed in 0.1s"),
    "the output of a watcher": tool("Read", {"file_path": "out.txt"}, "10 passed in 0.1s"),
    "a terminal": tool("read_terminal", {}, "10 passed in 0.1s"),
}
LOOKS = {
    "a file": tool("Read", {"file_path": "a.py"}, "x = 1"),
    "a search": tool("Grep", {"pattern": "x", "path": "src"}, "src/a.py"),
    "a difference": sh("git diff", "+y"),
    "a plan": tool("TodoWrite", {"todos": []}, "ok"),
    "words": sh("echo done", "done"),
}


def after_later(runs, *later) -> Monitor:
    monitor = Monitor()
    monitor.user_spoke("make the tests pass")
    monitor.called("Bash", {"command": "ptw > out.txt &"})
    monitor.returned(None, "started", failed=False)
    for run in runs:
        edit(monitor)
        run_tests(monitor, run)
    edit(monitor)
    for name, args, output, more in later:
        monitor.called(name, args)
        monitor.returned(None, output, **more)
    return monitor


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_a_run_is_not_called_the_last_if_another_may_have_followed(later):
    assert claim_contradicted(after_later([FAILING]).session, DONE) is not None
    assert claim_contradicted(after_later([FAILING], later).session, DONE) is None


@pytest.mark.parametrize("later", LOOKS.values(), ids=LOOKS)
def test_who_only_looks_has_run_no_tests(later):
    assert "No test run followed" in claim_contradicted(after_later([FAILING], later).session, DONE).message


def test_a_call_that_was_denied_ran_nothing_and_one_without_a_result_may_have():
    monitor = after(FAILING)
    monitor.called("Bash", {"command": "tox -q"}, call="1")
    assert claim_contradicted(monitor.session, DONE) is None
    monitor.returned("1", "Permission denied", denied=True)
    assert claim_contradicted(monitor.session, DONE) is not None


def test_a_run_that_the_session_has_forgotten_may_not_be_the_last():
    monitor, size = after(FAILING), Monitor().session.sizes.window_size
    for number in range(size - 1):
        edit(monitor, f"{number}.py")
    assert claim_contradicted(monitor.session, DONE) is not None
    edit(monitor)
    assert claim_contradicted(monitor.session, DONE) is None


def test_the_run_before_the_latest_does_not_count_after_it_passed():
    monitor = after(FAILING, edits=1)
    monitor.called("Bash", {"command": "pytest -q tests/test_a.py"})
    monitor.returned(None, "3 passed in 0.1s", failed=False)
    assert claim_contradicted(monitor.session, DONE) is None
