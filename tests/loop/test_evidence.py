"""What a loop needs to measure, and what it does if it cannot."""

import os
import sys
from pathlib import Path

import pytest

from headway.core.iteration import Measurements
from headway.loop.measuring import is_test_command, plans_for
from headway.loop.names import new_and_gone_tests
from headway.loop.spec import LoopSpec
from tests.loop.projects import agent, journal, project, prompt, repair, run_git, suite

M = Measurements


@pytest.mark.parametrize(
    ("line", "is_one"),
    [("pytest -q", True), ("cd src && python -m pytest", True), ("npm test", True), ("go test ./...", True),
     ("test -f done.txt", False), ("grep -q x a.py", False), ("make deploy", False)],
)  # fmt: skip
def test_is_test_command(line, is_one):
    assert is_one is is_test_command(line)


def test_until_is_used_as_the_test_command_if_there_is_no_other(tmp_path):
    def command(**given):
        plans = plans_for(tmp_path, LoopSpec(command=("x",), **given))
        return [plan.command for plan in plans if plan.name == "tests"]

    assert ["pytest -q"] == command(until="pytest -q")
    assert ["sh check.sh"] == command(until="pytest -q", test="sh check.sh")
    assert [] == command(until="test -f done.txt") == command()
    (tmp_path / "Makefile").write_text("test:\n\tpytest\n")
    assert [("make", "test")] == command(until="pytest -q")


def test_broken_tests_are_found_if_until_runs_them(loop, tmp_path, monkeypatch):
    """`python -m pytest` of a condition is read; here it is a program of that name."""
    made = project(tmp_path / "p2")
    monkeypatch.chdir(made)
    (made / "pytest").write_text("#!/bin/sh\nsh check.sh; ! grep -q bad tests.txt\n")
    (made / "pytest").chmod(0o755)
    code, result = loop.run(
        "--task", "x", "--until", "./pytest -q", "--format", "json", "--id", "it", "--",
        agent(made, r1="sed -i.bak /t1/d tests.txt", r2=repair("t3", "t4")),
    )  # fmt: skip
    assert (0, "until", 2) == (code, result["ending"]["reason"], result["selected"])
    assert "critical test_deletion" in loop.said and ["t1 ok", "t2 ok", "t3 ok", "t4 ok"] == suite(made)


def test_tests_that_cannot_run_at_the_baseline_end_the_loop(loop, folder):
    given = ["--task", "x", "--test", "sh missing.sh", "--id", "it", "--max-rounds", 1, "--format", "json"]
    code, result = loop.run(*given, "--", agent(folder, each="echo 'a = 1' > a.py"))
    message = result["ending"]["message"]
    assert (2, "refused", "nothing_measured", 0) == (
        code, result["ending"]["outcome"], result["ending"]["reason"], result["rounds"],
    )  # fmt: skip
    assert "sh missing.sh: the command printed no summary of a test runner" in message
    assert "--test CMD" in message and "headway loop --resume it --no-tests" in message
    assert not (folder / "a.py").exists()
    assert 2 == loop.resume()[0]
    code, result = loop.resume("--no-tests")
    assert (3, "max_rounds", 1, None) == (code, result["ending"]["reason"], result["rounds"], result["selected"])
    assert (folder / "a.py").exists()


def test_a_test_command_that_succeeds_without_a_summary_is_enough_to_begin(loop, folder):
    given = ["--task", "x", "--test", "true", "--id", "it", "--max-rounds", 1, "--format", "json"]
    code, result = loop.run(*given, "--", agent(folder, each="echo 'a = 1' > a.py"))
    assert (3, "max_rounds", 1, None) == (code, result["ending"]["reason"], result["rounds"], result["selected"])


def test_lint_alone_is_a_measurement_but_gives_no_quality(loop, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    made = tmp_path / "linted"
    made.mkdir()
    (made / "ruff.toml").write_text("")
    (made / "a.py").write_text("x = 1\n")
    monkeypatch.chdir(made)
    code, result = loop.run(
        "--task", "x", "--format", "json", "--id", "it", "--max-rounds", 1, "--", agent(made, r1="echo y > b.md")
    )
    assert (3, None) == (code, result["selected"])
    assert "no quality, because no tests were measured" in loop.said
    assert "The rounds cannot be compared, so the files were left as they are." == result["placed"]


def test_the_prompt_names_protected_paths(loop, folder):
    loop("--max-rounds", 2, "--protect", "tests.txt", "--", agent(folder, r1=repair("t3"), r2="echo 'a = 1' > a.py"))
    assert "Do not change tests.txt: a round that changes anything there is rolled back." in prompt(folder, 1)
    assert "Round 1 was rolled back" in prompt(folder, 2) and "Protected files were changed: tests.txt." in prompt(
        folder, 2
    )


def test_the_names_of_passing_tests_are_kept_for_every_round(loop, folder):
    """They are in the journal, if the runner reports them."""
    (folder / "names.sh").write_text(
        "printf '<testsuite>'; while read name state; do\n"
        "printf \"<testcase name='$name'>\"; [ $state = bad ] && printf '<failure/>'; printf '</testcase>'\n"
        "done < tests.txt; echo '</testsuite>'\n"
    )
    from headway.probes import Plan, measure

    (one,) = measure(folder, [Plan(name="tests", probe="junit", command="sh names.sh", report="-")])
    assert (("t1", "t2"), ("t3", "t4")) == (one.measured.passing_tests, one.measured.failing_tests)
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    assert ["removed_tests" in fact.get("beside", {}) for fact in journal(folder) if fact["fact"] == "round_ended"] == [
        False,
        True,
    ]


def look(**files):
    """The words that the files of rounds have in them."""
    return lambda number, words: {word for word in words if word in files[f"r{number}"].split()}


@pytest.mark.parametrize(
    ("before", "now", "files", "added", "removed"),
    [
        (("m::a",), (), {"r0": "a b", "r1": "a b"}, (), ()),
        (("m::a",), (), {"r0": "a b", "r1": "b"}, (), ("m::a",)),
        (("m::a",), ("m::a", "m::b"), {"r0": "a b", "r1": "a b"}, (), ()),
        (("m::a",), ("m::a", "m::b"), {"r0": "a", "r1": "a b"}, ("m::b",), ()),
        ((), ("m::b[1-2]",), {"r0": "a", "r1": "a b"}, ("m::b[1-2]",), ()),
        ((), ("test_b (mod.Case)",), {"r0": "test_b", "r1": "test_b"}, (), ()),
        ((), ("m::made_up",), {"r0": "a", "r1": "a"}, None, ()),
        (("m::made_up",), (), {"r0": "a", "r1": "a"}, (), ()),
    ],
    ids=["fixed", "deleted", "broken", "new", "with parameters", "of unittest", "made by a program", "gone, made by a program"],
)  # fmt: skip
def test_new_and_gone_tests_are_found_in_the_files(before, now, files, added, removed):
    found = new_and_gone_tests(M(failing_tests=now), [M(failing_tests=before)], 0, 1, look(**files))
    assert (added, removed) == (found.added_tests, found.removed_tests)


def test_files_are_not_searched_if_all_tests_are_named():
    assert M() == new_and_gone_tests(M(failing_tests=(), passing_tests=("a",)), [M(failing_tests=("b",))], 0, 1, look())


def test_a_test_that_was_new_stays_new():
    earlier = [M(failing_tests=()), M(failing_tests=("m::b",), added_tests=("m::b",))]
    found = new_and_gone_tests(M(failing_tests=("m::b",)), earlier, 1, 2, look())
    assert ("m::b",) == found.added_tests


def test_files_written_by_the_test_command_do_not_count_as_work(loop, folder):
    (folder / "counter.txt").write_text("0\n")
    run_git(folder, "add", "-A")
    count = "echo x >> counter.txt; sh check.sh"
    _, result = loop.run(
        "--task", "x", "--id", "it", "--format", "json", "--test", count, "--max-rounds", 5, "--",
        agent(folder, r1="echo 'a = 1' > a.py", each="[ $HEADWAY_ROUND = 1 ] || exit 1"),
    )  # fmt: skip
    assert "agent_failed" == result["ending"]["reason"]
    assert "files: a.py\n" in loop.said and "counter.txt" not in loop.said
