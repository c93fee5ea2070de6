"""A result that says that a portion of the work was done: what was taken away cannot be taken away again."""

import pytest

from headway.tools.envelope import Output
from headway.tools.meaning import Meaning
from headway.tools.portions import did_a_portion

PORTIONS = (
    "DELETE 1000",
    "1000 rows deleted",
    "Deleted 1000 old rows.\nRun again to go on.",
    '{"migrated": 500, "more": true}',
    '{"processed":200,"next_cursor":"a41"}',
    "moved 500 rows, more to do",
    "12 messages were purged",
    "Claimed task 7: translate the page",
    "updated 20 records, more to come",
    "archived=25",
)
NONE = (
    "",
    "DELETE 0",
    "0 rows deleted",
    '{"migrated": 0, "more": false}',
    '{"migrated": 0, "more": true}',
    "updated 12 files",
    "UPDATE 1",
    "Processed 12 files in 0.2 s",
    '{"items": ["a", "b"], "has_more": true}',
    "nothing was deleted",
    "No tasks to claim",
    "the package was removed in 2024",
    "consumed 500 tokens",
    "moved 500 rows\n" + "x" * 500,
)


@pytest.mark.parametrize("text", PORTIONS)
def test_a_portion_was_done(text):
    for meaning in (Meaning("run"), Meaning("other", unknown=True), Meaning("edit", changes=True)):
        assert did_a_portion(meaning, Output(text))


@pytest.mark.parametrize("text", NONE)
def test_nothing_says_that_a_portion_was_done(text):
    assert not did_a_portion(Meaning("run"), Output(text))


@pytest.mark.parametrize("kind", ["read", "list", "poll", "test", "build", "vcs", "web"])
def test_who_only_asks_has_not_done_what_the_result_speaks_of(kind):
    assert not did_a_portion(Meaning(kind), Output("moved 500 rows, more to do"))


def test_what_a_database_says_is_believed_whatever_the_tool_is_called():
    assert did_a_portion(Meaning("search", query="delete from events"), Output("DELETE 1000"))
    assert not did_a_portion(Meaning("search", query="events"), Output("1000 rows deleted"))
    assert did_a_portion(Meaning("web", acts=True), Output("1000 rows deleted"))
