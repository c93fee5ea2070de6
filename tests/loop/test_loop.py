"""Whole loops with small agents that really edit files."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.loop.projects import agent, journal, prompt, repair, run_git, suite, users_git

ALL = ("t3", "t4")


def reason(result):
    return result["ending"]["reason"]


def test_improves_and_then_over_refines(loop, folder):
    """The best is round 3 of 5, and its files are in the tree; index, branches and settings are as before."""
    before = users_git(folder)
    bloat = "seq 1 9 | sed 's/.*/y& = &/' >> code.py"
    code, result = loop(
        "--max-rounds", 5, "--", agent(folder, r1="echo 'z = 1' > new.py", r2=repair("t3"), r3=repair("t4"), r4=bloat, r5=bloat)
    )  # fmt: skip
    assert (3, "max_rounds", 3, 5) == (code, reason(result), result["selected"], result["rounds"])
    assert ["t1 ok", "t2 ok", "t3 ok", "t4 ok"] == suite(folder)
    assert "y1" not in (folder / "code.py").read_text()
    assert (folder / "new.py").exists()
    assert before == users_git(folder)
    assert "?? new.py" in run_git(folder, "status", "--short") and ".headway" not in run_git(
        folder, "status", "--short"
    )
    report = (folder / result["report"]).read_text()
    assert "Round 3 is selected, not the final round 5" in report and "over-refinement" in report


def test_a_deleted_test_is_rolled_back_in_the_same_round(loop, folder):
    before = users_git(folder)
    code, result = loop(
        "--", agent(folder, r1=repair("t3"), r2="sed -i.bak /t1/d tests.txt", r3=repair("t4") + "; echo '<promise>COMPLETE</promise>'")
    )  # fmt: skip
    assert (0, "complete", 3) == (code, reason(result), result["selected"])
    assert ["t1 ok", "t2 ok", "t3 ok", "t4 ok"] == suite(folder)
    assert not (folder / "tests.txt.bak").exists()
    facts = [(fact["fact"], fact.get("to")) for fact in journal(folder) if fact["fact"] in ("going_back", "went_back")]
    assert [("going_back", 1), ("went_back", 1)] == facts
    assert "Round 2 was rolled back; the files are those of round 1 again. Reason: Test count decreased" in prompt(
        folder, 3
    )
    assert "critical test_deletion" in loop.said
    assert before == users_git(folder)


def test_the_same_regression_again_stops(loop, folder):
    code, result = loop(
        "--", agent(folder, r1=repair("t3"), r2="sed -i.bak /t1/d tests.txt", r3="sed -i.bak /t2/d tests.txt")
    )
    assert (1, "test_deletion", 1) == (code, reason(result), result["selected"])
    assert ["t1 ok", "t2 ok", "t3 ok", "t4 bad"] == suite(folder)


def test_deleting_all_test_files_counts_as_deleted_tests(loop, folder):
    code, result = loop("--max-rounds", 1, "--", agent(folder, r1=": > tests.txt; echo '<promise>COMPLETE</promise>'"))
    assert (3, 0) == (code, result["selected"])
    assert 4 == len(suite(folder))
    assert "The baseline is selected: no round qualifies" in (folder / result["report"]).read_text()


def test_circles_are_escalated(loop, folder, monkeypatch):
    """Errors that come and go: the numbers of rounds 1 and 2 are back in rounds 3 and 4."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    (folder / "ruff.toml").write_text("")
    (folder / "code.py").write_text("import os\nimport sys\n" + (folder / "code.py").read_text())
    clean, dirty = (
        "sed -i.bak /import/d code.py; rm -f *.bak",
        "echo 'import os' >> code.py; echo 'import sys' >> code.py",
    )
    code, result = loop("--", agent(folder, each="echo $HEADWAY_ROUND", r1=clean, r2=dirty, r3=clean, r4=dirty))
    assert (1, "metric_cycle", 4) == (code, reason(result), result["rounds"])
    assert "import" not in (folder / "code.py").read_text()


def test_an_idle_agent_gets_other_prompts_and_then_is_escalated(loop, folder):
    before = users_git(folder)
    code, result = loop("--", agent(folder, each="echo nothing to do"))
    assert (1, 6) == (code, result["rounds"])
    assert reason(result) in ("stalled", "no_progress")
    assert [(4, "rephrase"), (5, "decompose"), (6, "constrain")] == [
        (attempt["round"], attempt["approach"]) for attempt in result["attempts"]
    ]
    assert "A different approach (rephrase)" in prompt(folder, 4) and "Another way" not in prompt(folder, 3)
    assert "checks.py::t3 (failing since before the first round)" in prompt(folder, 5)
    assert "make only this test pass" in prompt(folder, 5)
    assert "- round 3 changed no file: stalled; 2 of 4 tests pass" in prompt(folder, 6)
    assert before == users_git(folder)


def test_another_agent_takes_over(loop, folder):
    helper = folder.parent / "helper.sh"
    helper.write_text(f"#!/bin/sh\n{repair(*ALL)}\ncat > given.txt\necho '<promise>COMPLETE</promise>'\n")
    helper.chmod(0o755)
    code, result = loop("--then", helper, "--", agent(folder, each="echo nothing to do"))
    assert (0, "complete", 7) == (code, reason(result), result["selected"])
    assert "another agent" == result["attempts"][-1]["approach"]
    assert "You take over." in (folder / "given.txt").read_text()


def test_commits_inside_a_round_count_as_changes(loop, folder):
    commit = "git add -A; git -c user.name=A -c user.email=a@example.com commit -qm work"
    code, result = loop(
        "--max-rounds", 2, "--", agent(folder, r1=f"{repair('t3')}; {commit}", r2=f"{repair('t4')}; {commit}")
    )
    assert (3, 2) == (code, result["selected"])
    ended = [fact for fact in journal(folder) if fact["fact"] == "round_ended"]
    assert [2, 2] == [fact["changes"]["lines"] for fact in ended[1:]]
    assert "3" == run_git(folder, "rev-list", "--count", "HEAD")
    assert "" == run_git(folder, "status", "--short")


def test_an_agent_that_runs_git_clean(loop, folder):
    """The loop's own files are deleted too. The journal is written again, and the loop can be resumed."""
    code, _ = loop("--max-rounds", 2, "--", agent(folder, r1=f"{repair('t3')}; git clean -qfdx", r2=repair("t4")))
    assert 3 == code and "t4 ok" in suite(folder)
    assert ".headway" not in run_git(folder, "status", "--short")
    assert ["started", "round_ended", "round_began"] == [fact["fact"] for fact in journal(folder)[:3]]
    assert 3 == loop.resume()[0]


def test_a_loop_in_a_folder_of_a_larger_project(loop, folder, monkeypatch):
    below = folder / "below"
    below.mkdir()
    for name in ("check.sh", "tests.txt", "code.py"):
        (folder / name).rename(below / name)
    monkeypatch.chdir(below)
    code, result = loop(
        "--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2="sed -i.bak /t1/d tests.txt; echo x > ../up")
    )
    assert (3, 1) == (code, result["selected"])
    assert 4 == len(suite(below)) and not (folder / "up").exists()
    assert ".headway" not in run_git(folder, "status", "--short")


def test_files_outside_the_folder_are_never_changed(loop, folder):
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "old.txt").write_text("old")
    script = f"echo new > {outside}/new.txt; ln -s {outside} link; sed -i.bak /t1/d tests.txt"
    code, _ = loop("--max-rounds", 1, "--", agent(folder, r1=script))
    assert 3 == code
    assert {"old.txt": "old", "new.txt": "new\n"} == {path.name: path.read_text() for path in outside.iterdir()}
    assert not (folder / "link").is_symlink() and 4 == len(suite(folder))


@pytest.mark.slow
def test_a_hanging_round_is_killed_with_its_children(loop, folder):
    pids = folder.parent / "pids"
    hang = f"sleep 300 & echo $! > {pids}; echo $$ >> {pids}; sleep 300"
    code, result = loop(
        "--round-timeout", "1s", "--", agent(folder, r1=hang, r2=repair(*ALL) + "; echo '<promise>COMPLETE</promise>'")
    )
    assert (0, 2) == (code, result["selected"])
    assert "round_timeout" == next(fact["cut"] for fact in journal(folder) if fact["fact"] == "agent_ended")
    assert "Round 1 was ended early: It took longer than the 1s allowed" in prompt(folder, 2)
    assert not [pid for pid in pids.read_text().split() if is_alive(int(pid))]


def is_alive(pid):
    """Whether a process still runs; a zombie does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


def test_background_processes_of_the_agent_end_with_the_round(loop, folder):
    pids = folder.parent / "pids"
    loop("--max-rounds", 1, "--", agent(folder, r1=f"sleep 300 & echo $! > {pids}"))
    assert not is_alive(int(pids.read_text()))


def test_an_agent_killed_by_a_signal_is_reported_and_the_loop_continues(loop, folder):
    code, result = loop("--", agent(folder, r1="kill -9 $$", r2=repair(*ALL) + "; echo '<promise>COMPLETE</promise>'"))
    assert (0, 2) == (code, result["selected"])
    assert "the agent was ended by signal 9" in loop.said


def test_an_agent_that_cannot_work_does_not_use_up_all_rounds(loop, folder):
    code, result = loop("--", agent(folder, each="echo 'Error: not logged in'; exit 7"))
    assert (1, "agent_failed", 3) == (code, reason(result), result["rounds"])
    assert "exit code 7" in result["ending"]["message"] and "not logged in" in result["ending"]["message"]


def test_until(loop, folder):
    code, result = loop("--until", "! grep -q bad tests.txt", "--", agent(folder, r1=repair("t3"), r2=repair("t4")))
    assert (0, "until", 2) == (code, reason(result), result["rounds"])


def test_the_round_that_is_done_is_selected_over_one_of_higher_quality(loop, folder):
    bloat = "seq 1 30 | sed 's/.*/y& = &/' >> code.py; touch finished"
    code, result = loop("--until", "test -e finished", "--", agent(folder, r1=repair("t3", "t4"), r2=bloat))
    assert (0, 2) == (code, result["selected"])
    assert (folder / "finished").exists()
    report = (folder / result["report"]).read_text()
    assert "Round 2 is selected, because the work was done in it." in report
    assert "Ended: done. " in report and "passes after round 2" in report


def test_until_may_hold_from_the_beginning(loop, folder):
    code, result = loop("--until", "true", "--", agent(folder, each="touch should-not-be-here"))
    assert (0, 0) == (code, result["rounds"])
    assert not (folder / "should-not-be-here").exists()


def test_a_condition_met_by_deleting_tests_is_not_done(loop, folder):
    code, result = loop(
        "--max-rounds", 1, "--until", "! grep -q bad tests.txt", "--", agent(folder, r1="sed -i.bak /bad/d tests.txt")
    )
    assert (3, 0) == (code, result["selected"])
    assert 4 == len(suite(folder))


def test_a_claim_with_failing_tests_is_not_done(loop, folder):
    code, result = loop(
        "--", agent(folder, each="echo '<promise>COMPLETE</promise>'", r1=repair("t3"), r2=repair("t4"))
    )
    assert (0, "complete", 2) == (code, reason(result), result["rounds"])
    assert "Round 1 was reported as complete, but the measurements contradict that." in prompt(folder, 2)


def test_repeating_the_prompt_is_not_a_claim(loop, folder):
    task = "When all is done say:\n<promise>COMPLETE</promise>"
    code, result = loop("--max-rounds", 2, "--", agent(folder, each="cat", r1=repair(*ALL)), task=task)
    assert (3, "max_rounds") == (code, reason(result))


def test_the_target_quality_ends_the_loop(loop, folder):
    code, result = loop("--target-quality", "0.95", "--", agent(folder, r1=repair("t3"), r2=repair("t4")))
    assert (0, "target_reached", 2) == (code, reason(result), result["selected"])


@pytest.mark.slow
def test_the_time_for_the_loop(loop, folder):
    began = time.monotonic()
    code, result = loop("--for", "2s", "--", agent(folder, each="sleep 250"))
    assert (3, "time") == (code, reason(result))
    assert time.monotonic() - began < 200


def test_the_budget_ends_a_loop_before_it_is_exceeded(loop, folder):
    each = """printf '{"type":"result","total_cost_usd":0.4}\\n'; echo $HEADWAY_ROUND >> log"""
    code, result = loop("--budget-usd", "1", "--", agent(folder, each=each))
    assert (3, "spend", 2) == (code, reason(result), result["rounds"])
    assert 0.8 == pytest.approx(result["cost_usd"])


def test_an_unknown_cost_is_reported_as_unknown(loop, folder):
    code, result = loop("--budget-usd", "1", "--max-rounds", 1, "--", agent(folder, each="echo hello"))
    assert (3, None) == (code, result["cost_usd"])
    assert "the agent has reported no cost, so the budget cannot be enforced" in loop.said


def test_the_result_on_a_branch(loop, folder):
    before = users_git(folder)
    code, _ = loop("--branch", "result", "--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2=repair("t4")))
    assert 3 == code
    assert ["t1 ok", "t2 ok", "t3 bad", "t4 bad"] == suite(folder)
    assert "t4 ok" in run_git(folder, "show", "result:tests.txt")
    assert run_git(folder, "rev-parse", "HEAD") == run_git(folder, "rev-parse", "result^")
    kept, refs = users_git(folder)
    assert before == (kept, [ref for ref in refs if "refs/heads/result" not in ref])


def test_rollback_never_leaves_the_files_alone(loop, folder):
    code, result = loop(
        "--rollback", "never", "--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2="sed -i.bak /t1/d tests.txt")
    )
    assert (3, 1) == (code, result["selected"])
    assert 3 == len(suite(folder))
    left = "Round 1 is the best, but the files in the working tree are those of round 2 (--rollback never)."
    assert left == result["placed"]


def test_a_folder_without_git(loop, tmp_path, monkeypatch):
    from tests.loop.projects import project

    plain = project(tmp_path / "plain", git=False)
    monkeypatch.chdir(plain)
    code, result = loop("--max-rounds", 2, "--", agent(plain, r1=repair("t3"), r2="sed -i.bak /t1/d tests.txt"))
    assert (3, 1) == (code, result["selected"])
    assert ["t1 ok", "t2 ok", "t3 ok", "t4 bad"] == suite(plain)
    assert not (plain / ".git").exists()


def test_a_flaky_test_does_not_roll_back_a_round(loop, folder):
    flaky = folder.parent / "flaky"
    check = (folder / "check.sh").read_text()
    (folder / "check.sh").write_text(
        f"if [ -e {flaky} ]; then rm {flaky}; sed -i.bak 's/t1 ok/t1 bad/' tests.txt; else sed -i.bak 's/t1 bad/t1 ok/' tests.txt; fi; rm -f *.bak\n{check}"
    )
    code, result = loop("--max-rounds", 1, "--", agent(folder, r1=f"{repair('t3')}; touch {flaky}"))
    assert (3, 1) == (code, result["selected"])
    assert "measured twice" in loop.said and "working_tests_failing" not in loop.said
    assert "going_back" not in [fact["fact"] for fact in journal(folder)]


def test_a_broken_test_is_measured_twice_and_rolled_back(loop, folder):
    code, result = loop("--max-rounds", 2, "--", agent(folder, r1="sed -i.bak 's/t1 ok/t1 bad/' tests.txt", r2="echo"))
    assert (3, 0) == (code, result["selected"])
    assert "measured twice" in loop.said and "critical working_tests_failing" in loop.said
    assert "t1 ok" in suite(folder)


def test_the_tree_of_the_seed_with_results(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    round_1 = folder / ".headway/loops/it/iterations/iteration-001"
    assert {"metrics.json", "manifest.json", "prompt.md", "agent-output.txt", "tests-results.json"} <= {
        path.name for path in round_1.iterdir()
    }
    assert 3 == json.loads((round_1 / "tests-results.json").read_text())[0]["measured"]["tests_passed"]
    loop_json = json.loads((folder / ".headway/loops/it/loop.json").read_text())
    assert [0, 1] == [one["iteration"]["number"] for one in loop_json["rounds"]]
    assert 1 == loop_json["selection"]["selected_iteration"]


def test_the_prompt_reaches_the_agent_in_every_way(loop, folder):
    code, _ = loop(
        "--max-rounds", 1, "--no-note", "--", "sh", "-c", 'printf "%s|%s|" "$1" "$3" > ../got; cat "$2" >> ../got', "sh",
        "{prompt}", "{prompt_file}", "r{round}", task="say {round}",
    )  # fmt: skip
    assert 3 == code
    assert "say {round}|r1|say {round}" == (folder.parent / "got").read_text()


def test_a_prompt_file_is_read_again_for_every_round(loop, folder):
    (folder / "PROMPT.md").write_text("first")
    script = "cat > ../got$HEADWAY_ROUND; echo second > PROMPT.md"
    loop.run(
        "--prompt",
        "PROMPT.md",
        "--no-note",
        "--max-rounds",
        2,
        "--test",
        "sh check.sh",
        "--id",
        "it",
        "--",
        agent(folder, each=script),
    )
    assert ("first", "second") == tuple((folder.parent / got).read_text().strip() for got in ("got1", "got2"))
