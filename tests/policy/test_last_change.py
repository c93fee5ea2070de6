"""The last call that was to change something outside of files failed: told once, unless the message may say so."""

import pytest

from tests.agent_calls import bash, read, tool
from tests.policy.test_claims import held

ERROR = '{"status": 400, "code": "validation_error", "message": "body.parent should be defined"}'
FAILED = tool("mcp__notion__API-patch-page", {"page_id": "p7", "title": "Goals"}, ERROR, failed=True)
PAGE = tool("mcp__notion__API-retrieve-a-page", {"page_id": "p7"}, '{"title": "Old goals"}', failed=False)
MADE = tool("mcp__notion__API-post-page", {"title": "Report"}, '{"id": "p8"}', failed=False)
DONE = "The report is there and the page of goals has its new title."


def ended(*steps, text=DONE):
    return held(steps, text, asked="please set up the pages")


@pytest.mark.parametrize("looks", [(), (PAGE,), (PAGE, read("notes.md", "goals"))])
@pytest.mark.parametrize(
    "text",
    [DONE, "Die Seite ist umbenannt und der Bericht ist angelegt.", "La page est à jour et le rapport est prêt."],
)
def test_the_call_and_its_error_are_quoted(looks, text):
    told = ended(MADE, FAILED, *looks, text=text)

    assert "failed_change" == told.reason
    assert '"mcp__notion__API-patch-page", failed: "' in told.message
    assert "validation_error" in told.message
    assert "No later call repeated it, or can have taken its place." in told.message


@pytest.mark.parametrize(
    "text",
    [
        "The report is there. The page of goals could not be renamed.",
        "The report is there, but renaming the page was refused.",
        "I'm sorry, the page can't be changed.",
        "The page of goals I left as it is.",
        "The title has to be set by hand: the service rejected it.",
        "Shall I try the title again?",
        "I found the right page in your space. Please confirm that I may rename it.",
        "⚠ The title of the page is the old one.",
        "Die Seite ließ sich leider nicht umbenennen.",
        "Der Bericht ist da, die Seite fehlt noch.",
        "La page n'a pas pu être renommée.",
        "No se pudo cambiar la página.",
        "レポートは作成しました。",
        "",
    ],
)
def test_who_may_have_said_so_hears_nothing(text):
    assert ended(MADE, FAILED, text=text) is None


@pytest.mark.parametrize(
    "later",
    [
        MADE,
        tool("mcp__notion__API-patch-page", {"page_id": "p7", "title": "Goals"}, '{"id": "p7"}', failed=False),
        tool("mcp__notion__API-update-a-block", {"block_id": "b1"}, "{}", failed=False),
        bash("python rename.py p7 Goals", "renamed"),
        bash("curl -X PATCH localhost/pages/p7", "{}"),
        tool("Task", {"prompt": "rename the page"}, "renamed"),
        tool("mcp__browser__click", {"ref": "e4"}, "clicked"),
        tool("AskUserQuestion", {"question": "Rename it yourself?"}, "I did"),
    ],
)
def test_what_followed_may_have_taken_its_place(later):
    assert ended(FAILED, later) is None


@pytest.mark.parametrize(
    "step",
    [
        tool("mcp__forge__create_label", {"name": "bug"}, "Error 422: label already exists", failed=True),
        tool("mcp__forge__delete_branch", {"name": "fix"}, "Error 404: branch not found", failed=True),
        tool("mcp__forge__update_issue", {"id": 3}, "The user doesn't want to proceed", denied=True),
        tool(
            "Edit",
            {"file_path": "a.py", "old_string": "x", "new_string": "y"},
            "String to replace not found",
            failed=True,
        ),
        tool("mcp__fs__create_file", {"name": "a"}, "Error: disk full", failed=True),
        tool("mcp__shop__get_order", {"id": 3}, "Error: no such order", failed=True),
        tool("mcp__shop__recent_orders", {"id": 3}, "Error: no such order", failed=True),
        tool("send_keys", {"keys": "q"}, "Error: no session", failed=True),
        bash("git push", "error: failed to push some refs", 1),
    ],
)
def test_what_changes_nothing_or_was_so_already_is_no_such_call(step):
    assert ended(MADE, step) is None


def test_a_call_that_broke_off_and_was_looked_at_is_left_alone():
    broken = tool("mcp__notion__API-patch-page", {"page_id": "p7"}, "Error: read ECONNRESET", failed=True)
    assert ended(broken, PAGE) is None
    assert "ECONNRESET" in ended(broken).message


def test_a_turn_without_it_is_another_turn():
    from headway import Monitor

    monitor = Monitor()
    monitor.called(*FAILED[:2], call="1")
    monitor.returned("1", FAILED[2], failed=True)
    monitor.user_spoke("thanks, and what is the weather like?")
    assert "continue" == monitor.turn_ending(DONE).action
