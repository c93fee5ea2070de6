"""Whole courses of a loop, as a table: what the agent does in each round, how the loop ends, and what is selected."""

from typing import NamedTuple

import pytest

from headway.core.decision import CONTINUE
from headway.policy import Policy
from tests.loop.projects import CHECK, agent, journal, project, repair, suite

pytestmark = pytest.mark.slow

DONE = "echo '<promise>COMPLETE</promise>'"


def spoil(*tests):
    """The shell command that makes tests fail."""
    return "; ".join(f"sed -i.bak 's/^{test} ok/{test} bad/' tests.txt; rm -f tests.txt.bak" for test in tests)


def drop(*tests):
    return "; ".join(f"sed -i.bak '/^{test} /d' tests.txt; rm -f tests.txt.bak" for test in tests)


def add(*lines):
    return "; ".join(f"echo '{line}' >> tests.txt" for line in lines)


def both(*scripts):
    return "; ".join(scripts)


WORK = (
    "for n in $(seq 100); do echo \"line $HEADWAY_ROUND $n\" >> book.md; echo \"word${HEADWAY_ROUND}x$n\"; done; "
    "echo '<progress>one</progress> <progress>two</progress>'"
)  # fmt: skip
"""A round that writes a hundred lines, says something new, and marks two things as finished."""
EVERY_SECOND, EVERY_FIFTH = (
    f"""echo x >> ../runs
if [ $(($(wc -l < ../runs) % {often})) = 0 ]; then sed -i.bak 's/^t1 ok/t1 bad/' tests.txt; fi
{CHECK}
sed -i.bak 's/^t1 bad/t1 ok/' tests.txt; rm -f tests.txt.bak
"""
    for often in (2, 5)
)  # fmt: skip
"""Test runners in which t1 fails every second or every fifth time, whatever the agent does."""
BLOAT = "seq 450 | sed 's/.*/w& = &/' > feature.py"


class LoopState(NamedTuple):
    """One loop: what the agent does, and the expected result."""

    name: str
    rounds: dict[str, str]
    outcome: tuple[int, str, int | None, int]
    """Exit code, reason, selected round, number of rounds."""
    said: str
    """A text that must be in the messages, or in the reason at the end."""
    tests: str = ""
    """The tests at the end: one letter each, o for ok, b for bad."""
    given: tuple[object, ...] = ()
    ok: int = 2
    bad: int = 2
    check: str = CHECK


COURSES = [
    LoopState("improve", {"r1": repair("t3"), "r2": both(repair("t4"), DONE)}, (0, "complete", 2, 2), "fixed checks.py::t4", "oooo"),
    LoopState("until", {"r1": repair("t3"), "r2": repair("t4")}, (0, "until", 2, 2), "`! grep -q bad tests.txt` passes after round 2.", "oooo", ("--until", "! grep -q bad tests.txt")),
    LoopState("regress by one", {"r1": repair("t3"), "r2": repair("t4"), "r3": spoil("t4"), "r4": repair("t5"), "r5": both(repair("t6"), DONE)},
           (0, "complete", 5, 5), "rolled back to round 2", "oooooo", bad=4),
    LoopState("improve, then break", {"r1": repair("t3"), "r2": spoil("t1"), "r3": both(repair("t4"), DONE)}, (0, "complete", 3, 3),
           "critical working_tests_failing: 1 test that passed fails now: checks.py::t1.", "oooo"),
    LoopState("the same breakage twice", {"r1": repair("t3"), "r2": spoil("t1"), "r3": spoil("t1")}, (1, "working_tests_failing", 1, 3),
           "The same problem again after a rollback: 1 test that passed fails now: checks.py::t1.", "ooob"),
    LoopState("two regressions in a row", {"r1": repair("t3"), "r2": spoil("t1"), "r3": spoil("t2"), "r4": both(repair("t4"), DONE)},
           (0, "complete", 4, 4), "round 3: regression, quality", "oooo"),
    LoopState("a regression that stays", {"each": spoil("t1")}, (1, "working_tests_failing", 0, 2),
           "to be rolled back (working_tests_failing, again)", "oobb"),
    LoopState("emptied tests at a limit", {"r1": "printf 'echo ==== 0 failed, 4 passed in 0.01s ====; exit 0\\n' > check.sh"}, (3, "max_rounds", 1, 1),
           "But round 1 changed how it is measured: check.sh. With its own tests: 4 of 4 tests pass; with the tests of the baseline: 2 of 4 tests pass",
           "oobb", ("--max-rounds", 1)),
    LoopState("protected tests, again and again", {"each": repair("t3")}, (1, "protected_files", 0, 2),
           "The same problem again after a rollback: Protected files were changed: tests.txt.", "oobb", ("--protect", "tests.txt")),
    LoopState("regress, and never go back", {"r1": spoil("t1"), "r2": repair("t3")}, (3, "max_rounds", 0, 2),
           "kept although it should be rolled back (--rollback never)", "boob", ("--max-rounds", 2, "--rollback", "never")),
    LoopState("oscillate", {"r1": repair("t3"), "r2": both(spoil("t3"), repair("t4")), "r3": both(spoil("t3"), repair("t4"))},
           (1, "working_tests_failing", 1, 3), "broke checks.py::t3", "ooob"),
    LoopState("masked breakage", {"r1": both(spoil("t1"), add("t5 ok", "t6 ok", "t7 ok", "t8 ok")), "r2": repair("t3")}, (3, "max_rounds", 2, 2),
           "broke checks.py::t1", "ooob", ("--max-rounds", 2)),
    LoopState("masked deletion", {"r1": both(drop("t3", "t4"), add("a1 ok", "a2 ok"), DONE)}, (3, "max_rounds", 0, 1),
           "Of the tests that failed before, 2 no longer exist: checks.py::t3, checks.py::t4.", "oobb", ("--max-rounds", 1)),
    LoopState("masked deletion twice", {"each": both(drop("t3"), add("a1 ok"))}, (1, "test_deletion", 0, 2),
           "The same problem again after a rollback: Of the tests that failed before, 1 no longer exists: checks.py::t3.", "oobb"),
    LoopState("all tests deleted", {"r1": both(": > tests.txt", DONE)}, (3, "max_rounds", 0, 1), "Test count decreased", "oobb", ("--max-rounds", 1)),
    LoopState("failing tests skipped", {"r1": both("sed -i.bak 's/ bad$/ skip/' tests.txt", DONE)}, (3, "max_rounds", 0, 1),
           "critical test_deletion", "oobb", ("--max-rounds", 1)),
    LoopState("a clear net gain", {"r1": both(repair("t3", "t4", "t5"), spoil("t1"))}, (3, "max_rounds", 1, 1),
           "; kept although checks.py::t1 broke: 3 fixed, 1 broken", "boooob", ("--max-rounds", 1), bad=4),
    LoopState("the same, strictly", {"r1": both(repair("t3", "t4", "t5"), spoil("t1"))}, (3, "max_rounds", 0, 1),
           "to be rolled back (working_tests_failing)", "oobbbb", ("--max-rounds", 1, "--strict"), bad=4),
    LoopState("no clear gain", {"r1": both(repair("t3"), spoil("t1"))}, (3, "max_rounds", 0, 1), "to be rolled back (working_tests_failing)", "oobb", ("--max-rounds", 1)),
    LoopState("slow climb", {f"r{n}": repair(f"t{n + 2}") for n in range(1, 9)}, (3, "max_rounds", 8, 8), "8 rounds were made; that is the maximum.", "o" * 10 + "bb", ("--max-rounds", 8), bad=10),
    LoopState("plateau", {"each": "echo 'y = 1' >> code.py; echo tried"}, (1, "stalled", 6, 6), "(approach: rephrase)", "oobb"),
    LoopState("plateau, why it ends", {"each": "echo 'y = 1' >> code.py; echo tried"}, (1, "stalled", 6, 6),
           "Still stuck after 3 other approaches (rephrase, decompose, constrain), so a person has to decide: None of these has improved for 6 rounds",
           "oobb"),
    LoopState("nothing at all", {"each": "echo nothing to do"}, (1, "stalled", 0, 6), "kept: it changed no file", "oobb"),
    LoopState("claimed too early", {"r1": DONE, "r2": both(repair("t3", "t4"), DONE)}, (0, "complete", 2, 2),
           "The agent says in round 2 that the task is complete, and all 4 tests pass.", "oooo"),
    LoopState("flaky, 50 %", {"r1": repair("t3"), "r2": repair("t4"), "r3": "echo 'z = 1' >> code.py", "r4": DONE}, (0, "complete", 4, 4),
           "flaky checks.py::t1", "oooo", check=EVERY_SECOND),
    LoopState("flaky, 20 %", {f"r{n}": repair(f"t{n + 2}") for n in range(1, 7)}, (3, "max_rounds", 6, 6),
           "flaky checks.py::t1", "o" * 8, ("--max-rounds", 6), bad=6, check=EVERY_FIFTH),
    LoopState("documentation", {"each": "echo chapter $HEADWAY_ROUND >> README.md"}, (3, "max_rounds", 3, 3),
           "kept: nothing got clearly worse", "o" * 4, ("--max-rounds", 3), ok=4, bad=0),
    LoopState("green, little left", {"each": "echo line $HEADWAY_ROUND >> notes.txt; date +%N"}, (1, "nothing_left", 3, 3), "Nothing is left to improve", "oooo", ok=4, bad=0),
    LoopState("green, much work", {"each": WORK}, (3, "max_rounds", 6, 6), "6 rounds were made; that is the maximum.", "oooo", ("--max-rounds", 6), ok=4, bad=0),
    LoopState("TDD", {"r1": add("t5 bad"), "r2": repair("t5"), "r3": add("t6 bad"), "r4": repair("t6")}, (3, "max_rounds", 4, 4),
           "new and failing checks.py::t5", "oooooo", ("--max-rounds", 4), ok=4, bad=0),
    LoopState("unrunnable tests", {"r1": repair("t3"), "r2": "echo 'exit 3' > check.sh", "r3": both(repair("t4"), DONE)}, (0, "complete", 3, 3),
           "The tests can no longer be run: the command printed no summary of a test runner; it exited with 3", "oooo"),
    LoopState("hanging tests", {"r1": repair("t3"), "r2": "echo 'exec sleep 60' > check.sh", "r3": both(repair("t4"), DONE)}, (0, "complete", 3, 3),
           "The tests can no longer be run: killed after 0.5 s.", "oooo", ("--set", "loop.measure_timeout=0.5")),
    LoopState("a test command that fails by itself", {"r1": both(repair("t3", "t4"), DONE)}, (3, "max_rounds", 1, 1),
           "the test command fails with exit code 1, although none of its 4 tests does", "oooo", ("--max-rounds", 1), check=f"{CHECK}exit 1\n"),
    LoopState("a test command that is made to fail", {"r1": "echo 'exit 1' >> check.sh", "r2": DONE}, (0, "complete", 2, 2),
           "The test command now fails with exit code 1, although no test fails.", "oooo", ok=4, bad=0),
    LoopState("a feature with its fixes", {"r1": repair("t3"), "r2": both(repair("t4", "t5"), BLOAT)}, (3, "max_rounds", 2, 2),
           "round 2: forward", "ooooob", ("--max-rounds", 2), bad=4),
    LoopState("over-refining", {"r1": repair("t3", "t4"), "r2": BLOAT, "r3": f"{BLOAT}; echo 'a = 1' > a.py"}, (3, "max_rounds", 1, 3), "3 rounds were made", "oooo", ("--max-rounds", 3)),
    LoopState("protected", {"r1": both(repair("t3"), "echo 'a = 1' >> code.py"), "r2": "echo 'a = 1' > a.py"}, (3, "max_rounds", 2, 2),
           "Protected files were changed: tests.txt.", "oobb", ("--max-rounds", 2, "--protect", "tests.txt")),
    *(LoopState(f"{mode} rolls nothing back", {"r1": spoil("t1"), "r2": spoil("t1"), "r3": repair("t3")}, (3, "max_rounds", 0, 3),
           f"kept although it should be rolled back (policy.mode is {mode})", "oobb", ("--max-rounds", 3, "--set", f"policy.mode={mode}"))
      for mode in ("observe", "nudge")),
    *(LoopState(f"{mode} ends no loop that is stuck", {"each": "echo 'y = 1' >> code.py; echo tried"}, (3, "max_rounds", 8, 8),
           "no finding ends the loop", "oobb", ("--max-rounds", 8, "--set", f"policy.mode={mode}")) for mode in ("observe", "nudge")),
    LoopState("gains that dwindle", {"r1": repair("t3", "t4"), "r2": "echo 'a = 1' > a.py", "r3": "echo 'b = 1' > b.py", "r4": "echo 'c = 1' > c.py"},
           (3, "gain", 4, 6), "Another round would likely gain fewer than", "oooobb", ("--stop-when-gain-below", "1", "--stuck-after", 9), bad=4),
]  # fmt: skip


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course.name)
def test_the_right_round_for_the_right_reason(loop, folder, tmp_path, monkeypatch, course):
    made = project(tmp_path / "course", ok=course.ok, bad=course.bad, check=course.check)
    monkeypatch.chdir(made)
    code, result = loop(*course.given, "--", agent(made, **course.rounds))
    assert course.outcome == (code, result["ending"]["reason"], result["selected"], result["rounds"]), loop.said
    assert course.said and course.said in f"{loop.said}\n{result['ending']['message']}"
    assert course.tests == "".join(line.split()[1][0] for line in suite(made))


@pytest.mark.parametrize("work", [spoil("t1"), "echo 'y = 1' >> code.py; echo tried"], ids=["breakage", "plateau"])
def test_if_the_policy_always_continues_no_round_is_taken_back_and_no_loop_is_stopped(loop, folder, monkeypatch, work):
    """The same work as in the courses that end after a rollback, and at a plateau: nobody but the policy decides."""
    monkeypatch.setattr(Policy, "__call__", lambda policy, session, event: CONTINUE)
    code, result = loop("--max-rounds", 8, "--", agent(folder, each=work))
    assert (3, "max_rounds", 8) == (code, result["ending"]["reason"], result["rounds"])
    assert {""} == {fact.get("approach", "") for fact in journal(folder)}
    assert not {"going_back", "went_back", "stayed"} & {fact["fact"] for fact in journal(folder)}


def test_prose_without_tests_continues_and_keeps_the_last_files(loop, tmp_path, monkeypatch):
    """Nothing is measured, so nothing is stalled, nothing is the best, and there is no quality."""
    book = tmp_path / "book"
    book.mkdir()
    monkeypatch.chdir(book)
    code, result = loop.run(
        "--task",
        "write",
        "--id",
        "it",
        "--format",
        "json",
        "--no-tests",
        "--max-rounds",
        5,
        "--",
        agent(book, each=WORK),
    )
    assert (3, "max_rounds", None, 5) == (code, result["ending"]["reason"], result["selected"], result["rounds"])
    assert 500 == len((book / "book.md").read_text().splitlines())
    assert "best" not in loop.said and "quality 1.00" not in loop.said
    assert "no quality, because no tests were measured" in loop.said
    report = (book / result["report"]).read_text()
    assert "Acceptable**: yes" not in report and "1.00" not in report


def test_a_round_without_a_suspicious_result_is_measured_once(loop, folder):
    loop("--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2=repair("t4")))
    assert [1, 1] == [fact.get("times", 1) for fact in journal(folder) if fact["fact"] == "round_ended"][1:]


def test_there_are_at_least_two_dozen_courses():
    assert 24 <= len(COURSES) == len({course.name for course in COURSES})
