"""What is said when the agent ends its turn, and what is not."""

import pytest

from headway import Monitor
from headway.policy.end_of_turn import end_of_turn


def after(*runs: tuple[str, bool], edits: int = 0) -> Monitor:
    monitor = Monitor()
    monitor.user_spoke("make the tests pass")
    for number, (output, failed) in enumerate(runs):
        monitor.called("Bash", {"command": "pytest -q"}, call=f"t{number}")
        monitor.returned(f"t{number}", output, failed=failed)
    for number in range(edits):
        monitor.called("Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, call=f"e{number}")
        monitor.returned(f"e{number}", "The file was updated.", failed=False)
    return monitor


FAILING, PASSING, WORSE = (
    ("2 failed, 8 passed in 0.3s", True),
    ("10 passed in 0.3s", False),
    ("9 passed in 0.3s", False),
)


@pytest.mark.parametrize(
    "claim", ["All done.", "The tests pass now.", "Fixed!", "I have implemented it.", "All checks are green."]
)
def test_a_claim_that_the_last_run_contradicts_is_said(claim):
    said = end_of_turn(after(FAILING).session, claim)

    assert ("nudge", "claim_contradicted") == (said.action, said.reason)
    assert said.message == "The last run of the tests ended with 2 failing, and the turn ends as done."


def test_that_nothing_ran_them_since_the_last_change_is_part_of_it():
    said = end_of_turn(after(FAILING, edits=1).session, "Done.")

    assert "Nothing has run them since the last change" in said.message


def test_fewer_passing_tests_than_before_are_said():
    said = end_of_turn(after(PASSING, WORSE).session, "Here is the summary.")

    assert ("nudge", "test_regression") == (said.action, said.reason)
    assert said.message == "In the last run of the tests 9 passed, where 10 passed earlier in this turn."


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
    assert end_of_turn(after(*runs).session, text) is None


def test_what_ran_before_the_user_spoke_is_past():
    monitor = after(FAILING)
    monitor.user_spoke("never mind the tests, write the page")

    assert end_of_turn(monitor.session, "Done.") is None
