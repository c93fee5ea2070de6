"""A test that no longer runs is lost: skipping a failing test is the same as deleting it."""

import pytest

from tests.loop.projects import agent, project, prompt, suite
from tests.slow import slow


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Three tests, of which one passes."""
    made = project(tmp_path / "p", ok=1, bad=2)
    monkeypatch.chdir(made)
    return made


SKIP = "sed -i.bak 's/^\\(t[0-9]*\\) {}$/\\1 skip/' tests.txt; rm -f tests.txt.bak; echo '<promise>COMPLETE</promise>'"


@pytest.mark.parametrize(
    ("which", "given"),
    [
        ("bad", ()),
        (".*", ("--until", "! grep -q bad tests.txt")),
        *slow(
            ("bad", ("--until", "! grep -q bad tests.txt")),
            ("bad", ("--target-quality", "0.9")),
            ("ok", ("--until", "! grep -q ok tests.txt")),
            (".*", ("--target-quality", "0.3")),
        ),
    ],
)
def test_skipped_tests_count_as_lost_and_are_never_done(loop, folder, which, given):
    before = suite(folder)
    code, result = loop("--max-rounds", 1, *given, "--", agent(folder, r1=SKIP.format(which)))
    assert (3, "max_rounds", 0) == (code, result["ending"]["reason"], result["selected"])
    assert "critical test_deletion: The number of tests that run decreased from 3 to " in loop.said
    assert before == suite(folder)


def test_skipped_tests_are_not_done_later_without_a_rollback(loop, folder):
    code, result = loop(
        "--max-rounds", 2, "--rollback", "never", "--until", "! grep -q bad tests.txt", "--",
        agent(folder, r1=SKIP.format("bad"), r2="echo '<promise>COMPLETE</promise>'"),
    )  # fmt: skip
    assert (3, 0) == (code, result["selected"])
    assert "Round 1 was reported as complete, but the measurements contradict that." in prompt(folder, 2)


SKIPPING = """
import pytest


def test_new():
    pass


@pytest.mark.skip
def test_wrong():
    assert 1 == 2
"""


@pytest.mark.slow
def test_skipping_a_failing_test_beside_a_new_one_is_found(loop, folder):
    """As many tests run as before, and all of them pass; the report of pytest names them."""
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")
    tests, new = folder / "test_it.py", folder.parent / "new.py"
    tests.write_text("def test_wrong():\n    assert 1 == 2\n")
    new.write_text(SKIPPING)
    before = tests.read_text()
    code, result = loop.run(
        "--task", "make it work", "--format", "json", "--max-rounds", 1, "--", agent(folder, r1=f"cp {new} {tests}")
    )  # fmt: skip
    assert (3, 0) == (code, result["selected"]), loop.said
    assert "critical test_deletion: Of the tests that failed before, 1 no longer runs: skipped now." in loop.said
    assert before == tests.read_text()
