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


WAITS = [
    ("process", {"action": "poll", "sessionId": "a", "timeout": 120000}),
    ("process", {"action": "wait", "duration": 5}),
    ("get_job_status", {"job": "17", "timeout_ms": 30000}),
    ("get_terminal_output", {"id": "1", "timeout": 10}),
    ("check_process", {"pid": 811, "wait_ms": 20000}),
    ("check_process", {"pid": 811, "wait_seconds": "20"}),
    ("send_keystrokes", {"keystrokes": "", "duration": 30.0}),
    ("execute", {"keystrokes": "", "is_blocking": False, "timeout_sec": 60}),
    ("shell_wait", {"id": "main", "seconds": 30}),
]


@pytest.mark.parametrize(("tool", "args"), WAITS)
def test_a_call_waits_if_it_says_for_how_long(tool, args):
    assert VOCABULARY.meaning(tool, args).waits


GOES_ON = [
    ("process", {"action": "kill", "sessionId": "a", "timeout": 120000}),
    ("get_job_status", {"job": "17", "timeout_ms": 300}),
    ("get_job_status", {"job": "17", "timeout": 0}),
    ("check_process", {"pid": 811, "wait_ms": 200}),
    ("send_keystrokes", {"keystrokes": "", "duration": 0.1}),
    ("send_keystrokes", {"keystrokes": "make\n", "duration": 30.0}),
    ("Bash", {"command": "make", "timeout": 60000}),
    ("search_orders", {"text": "lamp", "timeout": 30}),
    ("check_process", {"pid": 811, "wait_ms": True}),
]


@pytest.mark.parametrize(("tool", "args"), GOES_ON)
def test_a_limit_of_something_else_is_no_wait(tool, args):
    assert not VOCABULARY.meaning(tool, args).waits


MOVES = [
    ("undo", {}), ("debugger", {"command": "next"}), ("gdb", {"command": "n"}), ("debug", {"action": "step"}), ("page_turn", {}),
    ("Bash", {"command": "cd /work && tmux send-keys -t a:0 j"}), ("Bash", {"command": "adb -s x shell input tap 3 4"}),
    ("Bash", {"command": "DISPLAY=:1 xdotool key Return"}), ("Bash", {"command": "docker exec box tmux send-keys j"}),
]  # fmt: skip
STAYS = [
    ("git_diff", {}), ("debugger", {"command": "print total"}), ("gdb", {"command": "bt"}), ("get_orders", {"action": "list"}),
    ("Bash", {"command": "tmux capture-pane -p"}), ("Bash", {"command": "adb shell uiautomator dump"}),
    ("Bash", {"command": "xdotool getmouselocation"}), ("Bash", {"command": "next build"}),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "args"), MOVES)
def test_what_continues_from_where_it_is(tool, args):
    assert VOCABULARY.meaning(tool, args).moves


@pytest.mark.parametrize(("tool", "args"), STAYS)
def test_what_does_the_same_again(tool, args):
    assert not VOCABULARY.meaning(tool, args).moves


def kind_and_waits(tool):
    meaning = VOCABULARY.meaning(tool, {"job": "17"})
    return meaning.kind, meaning.waits
