"""What is said when the agent ends its turn, and what is not."""

import pytest

from headway import Monitor
from headway.policy.end_of_turn import contradicted
from headway.policy.final_message import LONGEST, read_final_message
from tests.agent_calls import sh, tool
from tests.cost import costs_at_most, grows_with_its_length_only
from tests.policy.final_messages import ADMISSIONS, CLAIMS, NEITHER, lines


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


def test_a_claim_that_the_last_run_contradicts_is_said():
    session = after(FAILING).session
    for text in lines(CLAIMS):
        said = contradicted(session, text)
        assert said and "claim_contradicted" == said.detector, text
        assert said.message == (
            "Your last test run had 2 failing tests, and your final message reports success. "
            "Make the tests pass, or say in your final message which of them fail."
        )


def test_nothing_is_said_to_an_agent_that_claims_nothing_or_says_what_fails():
    session = after(FAILING).session
    assert [] == [text for text in (*lines(ADMISSIONS), *lines(NEITHER), "") if contradicted(session, text)]


def test_an_admission_is_read_as_one():
    assert [] == [text for text in lines(ADMISSIONS) if not read_final_message(text).admits]


def test_what_admits_nothing_is_not_read_as_an_admission():
    assert [] == [text for text in (*lines(CLAIMS), *lines(NEITHER)) if read_final_message(text).admits]


def test_the_table_is_large_and_has_both_kinds():
    assert len(lines(CLAIMS)) >= 120 and len(lines(ADMISSIONS)) >= 120
    assert len({*lines(CLAIMS), *lines(ADMISSIONS), *lines(NEITHER)}) >= 270


def test_an_admission_anywhere_in_a_long_message_counts():
    report = "All tests in the module pass. " * 40

    assert read_final_message(report + "One test of the parser still fails. " + report).admits
    assert not read_final_message(report + "No test of the parser fails. " + report).admits


@pytest.mark.parametrize(
    "heading", ["New tests:", "I added these tests:", "These tests pass:", "All pass, even these:"]
)
def test_a_list_of_tests_is_read_with_its_heading(heading):
    assert read_final_message(f"Done.\n\n{heading}\n- `test_a`\n- `test_b`") == (True, False)


@pytest.mark.parametrize(
    "heading", ["Open:", "Worth a look:", "For you to decide:", "New tests:\n- test_c\n\nThen there is:"]
)
def test_a_list_of_tests_that_nobody_says_pass_is_an_admission(heading):
    assert read_final_message(f"Done.\n\n{heading}\n- `test_a`\n- `test_b`").admits


@pytest.mark.parametrize(
    "name", ["`test_login`", "tests/test_a.py::test_login", "TestLogin", "login_test", "test_sum[2-3]"]
)
def test_a_test_is_known_by_its_name(name):
    assert read_final_message(f"Done. {name} needs a GPU.") == (True, True)
    assert read_final_message(f"Done. {name} passes.") == (True, False)


@pytest.mark.parametrize("text", ["Done. 0 ❌, 12 ✅.", "Done. ✅ 12, ❌ 0."])
def test_a_mark_of_failure_with_nothing_counted_is_none(text):
    assert read_final_message(text) == (True, False)


def test_one_failing_test_is_one_test():
    said = contradicted(after(("1 failed, 8 passed in 0.3s", True)).session, "Done.")

    assert "had 1 failing test, and" in said.message


@pytest.mark.parametrize(
    "word",
    [
        *[
            "no ",
            "not all the ",
            "0/",
            "1 ",
            "“",
            "`",
            '"',
            "(",
            "failing the ",
            "when, ",
            "tests ",
            "test_a ",
            "a_",
            "a-",
        ],
        *["the test ", "Test", "one of two ", "tests hang ", "was red already ", "with broken ", "❌ 0 ", ": "],
        "added:\ntest_a\n",
    ],
)
def test_the_cost_of_reading_grows_with_the_length_only(word):
    assert grows_with_its_length_only(read_final_message, word, LONGEST)


def test_of_a_message_that_is_too_long_head_and_tail_are_read():
    filler = "x " * (5 * LONGEST)

    assert read_final_message("Two tests fail. " + filler).admits
    assert read_final_message(filler + "Two tests fail.").admits
    assert costs_at_most(5, lambda: read_final_message(filler), lambda: read_final_message(filler[:LONGEST]))


def test_that_nothing_ran_them_since_the_last_change_is_part_of_it():
    said = contradicted(after(FAILING, edits=1).session, "Done.")

    assert "reports success. No test run followed your last change. Make" in said.message


def test_fewer_passing_tests_than_before_are_said():
    said = contradicted(after(PASSING, WORSE).session, "Here is the summary.")

    assert "test_regression" == said.detector
    assert said.message == (
        "Your last test run had 9 passing tests, and an earlier run of the same command had 10. "
        "Make the tests pass again, or say in your final message why fewer pass."
    )


def test_the_tests_that_fail_now_are_named():
    worse = ("FAILED tests/test_a.py::test_b - AssertionError\n1 failed, 9 passed in 0.3s", True)
    said = contradicted(after(PASSING, worse).session, "Here is the summary.")

    assert "Failing now: tests/test_a.py::test_b." in said.message


def test_the_earlier_run_may_be_of_the_turn_before():
    monitor = after(PASSING)
    monitor.user_spoke("and tidy up")
    edit(monitor)
    run_tests(monitor, WORSE)

    assert "an earlier run of the same command had 10" in contradicted(monitor.session, "Tidied up.").message


WORSE_BY_ONE = ("3 failed, 7 passed in 0.3s", True)


@pytest.mark.parametrize(
    ("request_", "path", "runs", "held"),
    [
        ("describe the parser", "docs/parser.md", [FAILING, FAILING], False),
        ("describe the parser", "docs/parser.md", [FAILING], False),
        ("fix the login", "login.py", [FAILING, FAILING], False),
        ("fix the login", "login.py", [FAILING, WORSE_BY_ONE], True),
        ("make the tests pass", "login.py", [FAILING, FAILING], True),
    ],
    ids=["a document", "one run", "failed before", "broke one", "is about tests"],
)
def test_only_what_this_turn_broke_or_was_asked_for_is_held_against_it(request_, path, runs, held):
    monitor = Monitor()
    monitor.user_spoke(request_)
    run_tests(monitor, runs[0])
    edit(monitor, path)
    for run in runs[1:]:
        run_tests(monitor, run)

    assert held == (contradicted(monitor.session, "Done.") is not None)
    assert contradicted(monitor.session, "Done, all tests pass.") is not None, "this claim is about them"


def test_failures_of_an_earlier_turn_are_not_held_against_this_one():
    monitor = after(FAILING)
    monitor.user_spoke("add a button")
    edit(monitor, "button.py")
    run_tests(monitor, FAILING)

    assert contradicted(monitor.session, "Added the button. Done.") is None


def test_tests_that_were_run_only_after_a_change_may_be_broken_by_it():
    monitor = Monitor()
    monitor.user_spoke("add a button")
    edit(monitor, "button.py")
    run_tests(monitor, FAILING)

    assert contradicted(monitor.session, "Added the button. Done.") is not None


def test_fewer_tests_than_in_an_earlier_turn_are_nothing_that_a_turn_without_changes_broke():
    monitor = after(PASSING)
    monitor.user_spoke("what does the parser do?")
    run_tests(monitor, WORSE)

    assert contradicted(monitor.session, "It parses.") is None


@pytest.mark.parametrize(
    "text",
    ["I removed the obsolete test.", "The two login tests were merged into one.", "I skipped one test on Windows."],
)
def test_nothing_is_said_to_an_agent_that_says_it_removed_tests(text):
    assert contradicted(after(PASSING, WORSE).session, text) is None


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ([PASSING], "Done."),
        ([FAILING, PASSING], "Done."),
        ([], "Done."),
        ([FAILING], "Two tests still fail."),
        ([FAILING], "I could not get it to work."),
        ([FAILING], "Shall I look at the parser next?"),
        ([FAILING], ""),
        ([PASSING, WORSE], "One of them is failing now, because the feature is gone."),
    ],
    ids=["green", "green again", "no tests", "says so", "gives up", "asks", "silent", "explains"],
)
def test_nothing_is_said(runs, text):
    assert contradicted(after(*runs).session, text) is None


def test_what_ran_before_the_user_spoke_is_past():
    monitor = after(FAILING)
    monitor.user_spoke("never mind the tests, write the page")

    assert contradicted(monitor.session, "Done.") is None


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
@pytest.mark.parametrize("runs", [[FAILING], [PASSING, WORSE]], ids=["failing", "worse"])
def test_a_run_is_not_called_the_last_if_another_may_have_followed(runs, later):
    assert contradicted(after_later(runs).session, "Fixed. All tests pass.") is not None
    assert contradicted(after_later(runs, later).session, "Fixed. All tests pass.") is None


@pytest.mark.parametrize("later", LOOKS.values(), ids=LOOKS)
def test_who_only_looks_has_run_no_tests(later):
    assert "No test run followed" in contradicted(after_later([FAILING], later).session, "Done.").message


def test_a_call_that_was_denied_ran_nothing_and_one_without_a_result_may_have():
    monitor = after(FAILING)
    monitor.called("Bash", {"command": "tox -q"}, call="1")
    assert contradicted(monitor.session, "Done.") is None
    monitor.returned("1", "Permission denied", denied=True)
    assert contradicted(monitor.session, "Done.") is not None


def test_a_run_that_the_session_has_forgotten_may_not_be_the_last():
    monitor, size = after(FAILING), Monitor().session.sizes.window_size
    for number in range(size - 1):
        edit(monitor, f"{number}.py")
    assert contradicted(monitor.session, "Done.") is not None
    edit(monitor)
    assert contradicted(monitor.session, "Done.") is None


def test_the_run_before_the_latest_does_not_count_after_it_passed():
    monitor = after(FAILING, edits=1)
    monitor.called("Bash", {"command": "pytest -q tests/test_a.py"})
    monitor.returned(None, "3 passed in 0.1s", failed=False)
    assert contradicted(monitor.session, "Done.") is None
