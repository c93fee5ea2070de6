"""What the names of unknown tools give away."""

import pytest

from headway.tools.meaning import Vocabulary

VOCABULARY = Vocabulary.packaged()

GUESSES = [
    ("search_flights", {"origin": "JFK"}, "search"),
    ("find_user_by_email", {"email": "x"}, "search"),
    ("searchIssues", {"query": "x"}, "search"),
    ("knowledge_base_search", {"query": "x"}, "search"),
    ("list_all_products", {}, "list"),
    ("read_range", {"filepath": "a"}, "read"),
    ("write_fix", {"changes": []}, "write"),
    ("create_issue", {"title": "x"}, "write"),
    ("update_order", {"order_id": "1"}, "edit"),
    ("run_unit_tests", {"project": "x"}, "test"),
    ("run_build", {}, "build"),
    ("run_query", {"sql": "select 1"}, "run"),
    ("my_terminal", {"command": "cat a.py"}, "read"),
    ("execute_remote_command", {"cmd": "pytest"}, "test"),
    ("fetch_url", {"url": "https://x.org"}, "web"),
    ("WebSurfer", {"did": "x"}, "web"),
    ("ask_expert", {"question": "x"}, "ask"),
    ("transfer_to_billing", {}, "delegate"),
    ("wait_for_job", {"id": 1}, "poll"),
    ("job_status", {"id": 1}, "poll"),
    ("change_text", {"file": "a", "old_string": "x", "new_string": "y"}, "edit"),
    # no plain verb: nothing is concluded
    ("get_user_details", {"user_id": "1"}, "other"),
    ("cancel_reservation", {"id": "1"}, "other"),
    ("calculate_total", {"items": []}, "other"),
    ("research_topic", {"topic": "x"}, "other"),
    ("todays_listing", {}, "other"),
    ("spreadsheet", {}, "other"),
    ("mcp__happy__change_title", {"title": "x"}, "other"),
]


@pytest.mark.parametrize(("tool", "args", "kind"), GUESSES)
def test_guesses(tool, args, kind):
    assert kind == VOCABULARY.meaning(tool, args).kind


def test_a_guessed_tool_is_read_by_common_argument_names():
    meaning = VOCABULARY.meaning("search_in_folder", {"searchTerm": "x", "FilePath": "src"})
    assert ("x", "src") == (meaning.query, meaning.path)


def test_a_guessed_wait_lets_time_pass():
    for tool in ("wait_for_deploy", "sleep", "awaitBuild", "mcp__ci__wait_until_done"):
        assert ("poll", True) == kind_and_waits(tool), tool


def test_a_guessed_poll_does_not_wait():
    for tool in ("get_job_status", "poll_job", "deployment_status", "mcp__ci__run_status"):
        assert not VOCABULARY.meaning(tool, {"job": "17"}).waits, tool
    assert ("poll", False) == kind_and_waits("get_job_status")


def kind_and_waits(tool):
    meaning = VOCABULARY.meaning(tool, {"job": "17"})
    return meaning.kind, meaning.waits
