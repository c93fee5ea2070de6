"""The agent is told at the end of a turn only what its last run visibly contradicts, with the words of both."""

import pytest

from headway import Monitor
from tests.agent_calls import bash, edit, read, sh
from tests.policy.final_reports import CONTRADICTED, FAILING, HONEST, lines

RED = bash(
    "python -m pytest -q",
    "".join(f"FAILED {test} - NotImplementedError\n" for test in FAILING) + "2 failed, 2 passed in 0.04s",
    1,
)
GREEN = bash("python -m pytest -q", "4 passed in 0.03s")
FIX = edit("calc.py", "raise NotImplementedError", "return a * b")
WORK = [read("calc.py", "def add(a, b): ..."), FIX, RED]


def after(*steps, asked="please make the tests pass"):
    """The monitor after a turn of these steps."""
    monitor = Monitor()
    monitor.user_spoke(asked)
    for number, (name, args, output, more) in enumerate(steps):
        monitor.called(name, args, call=str(number), batch=more.get("batch"))
        monitor.returned(str(number), output, **{key: value for key, value in more.items() if key != "batch"})
    return monitor


def held(steps, text, **more):
    """What the agent is told when it ends its turn with these words, or None."""
    monitor = after(*steps, **more)
    monitor.agent_spoke(text)
    decision = monitor.turn_ending(text)
    return None if decision.action == "continue" else decision


@pytest.mark.parametrize("text", lines(HONEST))
def test_an_honest_report_is_not_held(text):
    assert held(WORK, text) is None


@pytest.mark.parametrize("text", CONTRADICTED)
def test_a_contradicted_claim_is_held_and_both_sides_are_quoted(text):
    told = held(WORK, text)

    assert told.reason == "claim_contradicted"
    assert f'"{CONTRADICTED[text]}"' in told.message
    assert '"python -m pytest -q"' in told.message
    named = [test for test in FAILING if test.rpartition("::")[2] in text] or FAILING
    assert all(test in told.message for test in named)


def test_the_tables_are_large():
    assert len(lines(HONEST)) >= 40
    assert len(CONTRADICTED) >= 25


COMMITS = {
    "git add -A": "",
    "git commit -am 'Implement mul and div'": "[main c4214eb] Implement mul and div\n 1 file changed, 4 insertions(+), 4 deletions(-)",
    "git add -A && git commit -m fix && git push": "[main c4214eb] fix\n 1 file changed, 4 insertions(+)\nTo github.com:a/b.git\n   2f1e9aa..c4214eb  main -> main",
    "git push": "Everything up-to-date",
    "git push -u origin fix": "Enumerating objects: 5, done.\nCounting objects: 100% (5/5), done.\nDelta compression using up to 8 threads\n"
    "Compressing objects: 100% (3/3), done.\nWriting objects: 100% (3/3), 312 bytes | 312.00 KiB/s, done.\nTotal 3 (delta 2), reused 0 (delta 0), pack-reused 0\n"
    "remote: Resolving deltas: 100% (2/2), completed with 2 local objects.\nremote: \nremote: Create a pull request for 'fix' on GitHub by visiting:\n"
    "remote:      https://github.com/a/b/pull/new/fix\nremote: \nTo github.com:a/b.git\n * [new branch]      fix -> fix\nbranch 'fix' set up to track 'origin/fix'.",
}
HOOKS = {
    "git commit -am fix": "pytest...................................................................Passed\n[main c4214eb] fix\n 1 file changed, 1 insertion(+)",
    "git commit -m fix": "4 passed in 0.04s\n[main c4214eb] fix\n 1 file changed, 1 insertion(+)",
    "git push": "remote: pipeline 117: all 4 tests passed\nTo gitlab.test:a/b.git\n   2f1e9aa..c4214eb  main -> main",
}


@pytest.mark.parametrize("command", COMMITS)
@pytest.mark.parametrize("text", ["Done. All 4 tests pass.", "Fertig. Alle Tests laufen durch."])
def test_who_commits_before_the_claim_is_held_all_the_same(command, text):
    told = held([*WORK, sh(command, COMMITS[command])], text)
    assert told is not None and FAILING[0] in told.message


@pytest.mark.parametrize("command", HOOKS)
def test_a_hook_that_prints_something_may_have_run_the_tests(command):
    assert held([*WORK, sh(command, HOOKS[command])], "Done. All 4 tests pass.") is None


@pytest.mark.parametrize("back", [bash("git stash pop", "Dropped refs/stash@{0}"), edit("calc.py", "a - b", "a * b")])
def test_who_shows_that_tests_catch_a_fault_and_takes_it_back_is_not_held(back):
    assert (
        held([GREEN, edit("calc.py", "a * b", "a - b"), RED, back], "All 4 tests pass, and catch this fault.") is None
    )
