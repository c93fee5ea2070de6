"""Work that breaks nothing stays in the tree, and a loop that has nothing left to improve says so."""

import pytest

from tests.loop.projects import agent, journal, project, prompt


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Forty tests that pass."""
    made = project(tmp_path / "p", ok=40, bad=0)
    monkeypatch.chdir(made)
    return made


GROW = "for n in $(seq 41 60); do echo t$n ok >> tests.txt; echo x$n = $n >> code.py; done"


@pytest.mark.parametrize(
    "work",
    [GROW, "echo 'y = 1' >> code.py", "git mv code.py other.py", "echo text > README.md"],
    ids=["twenty functions with their tests", "a function without a test", "a rename", "documentation"],
)
def test_good_work_is_not_replaced_by_the_baseline(loop, folder, work):
    code, result = loop("--max-rounds", 1, "--", agent(folder, r1=work))
    assert (3, 1, "Round 1 is in the working tree.") == (code, result["selected"], result["placed"])
    assert ", the best so far" in loop.said


def test_three_rounds_of_documentation_are_kept(loop, folder):
    code, result = loop("--max-rounds", 3, "--", agent(folder, each="echo chapter $HEADWAY_ROUND >> README.md"))
    assert (3, 3) == (code, result["selected"])
    assert 3 == len((folder / "README.md").read_text().splitlines())


def test_an_agent_that_changes_nothing_leaves_the_baseline(loop, folder):
    code, result = loop("--max-rounds", 1, "--", agent(folder, each="echo hello"))
    assert (3, 0) == (code, result["selected"])


def test_polishing_a_green_project_ends_with_nothing_left(loop, folder):
    code, result = loop("--", agent(folder, each="echo line $HEADWAY_ROUND >> notes.txt; date +%N"))
    assert (1, "nothing_left", 3) == (code, result["ending"]["reason"], result["rounds"])
    assert "Only you can tell" in result["ending"]["message"] and "stuck" not in result["ending"]["message"].lower()
    assert (3, []) == (result["selected"], result["attempts"])


def test_coverage_below_100_is_not_nothing_left(folder):
    from headway.core.iteration import Iteration, Measurements
    from headway.policy.rounds import is_at_its_best

    def nothing_left(**more):
        tests = {"test_count": 2, "tests_passed": 2, "tests_failed": 0}
        return is_at_its_best(Iteration(number=1, measured=Measurements(**(tests | more))))

    assert nothing_left() and nothing_left(coverage_percentage=98.0, lint_errors=0, build_status="success")
    for red in ({"coverage_percentage": 97.9}, {"lint_errors": 1}, {"build_status": "failure"}, {"tests_failed": 1}):
        assert not nothing_left(**red)


def test_a_missing_prompt_is_reported_once_and_not_varied(loop, folder):
    """A script may need no prompt, but then none can be varied either."""
    folder.joinpath("tests.txt").write_text("t1 ok\nt2 bad\n")
    code, text = loop.run("--test", "sh check.sh", "--id", "it", "--", agent(folder, each="cat; echo nothing"))
    assert 1 == code and "other approaches" not in text
    assert 1 == loop.said.count("the agent gets no prompt; use --task TEXT or --prompt FILE")
    assert 3 == sum(fact["fact"] == "agent_ended" for fact in journal(folder))
    assert "" == prompt(folder, 1)
