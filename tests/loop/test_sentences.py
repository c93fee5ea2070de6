"""The screen, the result and the reports say the same about a round, and it is true."""

import json
import re

import pytest

from headway import Measurements
from headway.cli import run
from headway.loop.evidence import results_line
from headway.loop.forecast import Forecast
from tests.loop.projects import CHECK, agent, journal, project, prompt, repair, suite
from tests.loop.test_cheats import RUN

SPOIL = "sed -i.bak 's/^{0} ok/{0} bad/' tests.txt; rm -f tests.txt.bak"


def stored(folder):
    """The rounds of the stored loop: what a program reads of them."""
    return json.loads((folder / ".headway/loops/it/loop.json").read_text())["rounds"]


def report(folder):
    return (folder / ".headway/loops/it/reports/output-selection-report.md").read_text()


def line(loop, number):
    (found,) = re.findall(rf"^   round {number}: (.*)$", loop.said, re.MULTILINE)
    return found


def made(tmp_path, monkeypatch, **given):
    folder = project(tmp_path / "made", **given)
    monkeypatch.chdir(folder)
    return folder


def test_the_same_regression_again_is_not_called_kept(loop, folder):
    code, result = loop("--", agent(folder, each=SPOIL.format("t1")))
    assert (1, 0) == (code, result["selected"])
    assert line(loop, 2).endswith("to be rolled back (working_tests_failing, again)")
    assert "kept" not in loop.said
    assert [(False, 0), (False, 0)] == [(one["kept"], one["back_to"]) for one in stored(folder)[1:]]
    assert 2 == report(folder).count("rolled back to the baseline")
    assert "t1 ok" in suite(folder)


def test_a_strict_loop_says_one_thing_about_a_round(loop, tmp_path, monkeypatch):
    folder = made(tmp_path, monkeypatch, bad=4)
    broken = f"{repair('t3', 't4', 't5')}; {SPOIL.format('t1')}"
    loop("--strict", "--max-rounds", 1, "--", agent(folder, r1=broken))
    assert "kept" not in loop.said and "to be rolled back (working_tests_failing)" in line(loop, 1)
    assert "- Round 1: working tests broke, which --strict does not allow however many are fixed" in report(folder)
    assert "no round is better" not in report(folder)


def test_a_round_given_up_for_an_earlier_one_is_not_called_kept_in_the_end(loop, folder):
    """Both were kept at first; the first is selected."""
    bloat = "seq 450 | sed 's/.*/w& = &/' > feature.py"
    _, result = loop("--max-rounds", 2, "--", agent(folder, r1=repair("t3", "t4"), r2=bloat))
    assert 1 == result["selected"] and not (folder / "feature.py").exists()
    first, second = stored(folder)[1:]
    assert (True, None) == (first["kept"], first["back_to"])
    assert (False, 1, "round 1 is selected") == (second["kept"], second["back_to"], second["why"])
    assert re.search(r"kept although its quality fell from \d\.\d\d to ", line(loop, 2))


def test_with_rollback_never_the_round_is_reported_as_kept(loop, folder):
    _, result = loop("--rollback", "never", "--max-rounds", 1, "--", agent(folder, r1=SPOIL.format("t1")))
    assert "kept although it should be rolled back (--rollback never): 1 test that passed fails now" in line(loop, 1)
    assert "to be rolled back\n" not in loop.said and "t1 bad" in suite(folder)
    assert stored(folder)[1]["kept"] is True
    assert "**The baseline is the best, but the files in the working tree are those of round 1.**" in report(folder)
    assert ["Tests that passed at the baseline fail in round 1: checks.py::t1."] == result["warnings"]
    assert result["ending"]["message"].endswith("But tests that passed at the baseline fail in round 1: checks.py::t1.")


def test_a_round_that_changed_protected_files_twice_is_never_selected(loop, folder):
    """The second time ends the loop, although the round fixed a test."""
    code, result = loop("--protect", "tests.txt", "--", agent(folder, each=repair("t3")))
    assert (1, "protected_files", 0) == (code, result["ending"]["reason"], result["selected"])
    assert "t3 bad" in suite(folder)


def test_a_protected_file_is_restored_at_a_limit_without_tests(loop, tmp_path, monkeypatch):
    folder = tmp_path / "prose"
    folder.mkdir()
    (folder / "law.md").write_text("as it was\n")
    monkeypatch.chdir(folder)
    given = ["--task", "x", "--no-tests", "--id", "it", "--format", "json", "--protect", "law.md", "--max-rounds", 2]
    _, result = loop.run(*given, "--", agent(folder, r1="echo one > book.md", r2="echo other > law.md"))
    assert 1 == result["selected"]
    assert "as it was\n" == (folder / "law.md").read_text() and (folder / "book.md").exists()


def test_without_tests_the_report_names_the_snapshot_that_was_taken(loop, tmp_path, monkeypatch):
    folder = tmp_path / "prose"
    folder.mkdir()
    monkeypatch.chdir(folder)
    given = ["--task", "x", "--no-tests", "--id", "it", "--format", "json", "--max-rounds", 1]
    loop.run(*given, "--", agent(folder, each="echo word >> book.md"))
    assert "none was taken" not in report(folder)
    assert "- **Snapshot**: refs/headway/loops/it/round-001 (of round 1)" in report(folder)
    assert "kept: nothing was measured" in line(loop, 1)


def emptied(tmp_path, monkeypatch, *names):
    folder = tmp_path / "calc"
    (folder / "tests").mkdir(parents=True)
    (folder / "calc.sh").write_text("add() { echo 0; }\nsub() { echo $(($1 - $2)); }\n")
    (folder / "run.sh").write_text(RUN)
    for name, wanted in {"add": 'add 1 2)" = 3', "sub": 'sub 3 2)" = 1'}.items():
        (folder / "tests" / f"test_{name}.sh").write_text(f'. ./calc.sh\n\n\n[ "$({wanted} ]\n')
    monkeypatch.chdir(folder)
    return folder, "; ".join(f"echo true > tests/test_{name}.sh" for name in names)


def loop_over(loop, script, *given):
    return loop.run(
        "--task", "x", "--test", "sh run.sh", "--id", "it", "--format", "json", "--max-rounds", 1, *given,
        "--", agent(loop.folder, r1=script),
    )  # fmt: skip


def test_emptied_tests_are_reported_wherever_the_result_is(loop, tmp_path, monkeypatch):
    folder, cheat = emptied(tmp_path, monkeypatch, "add", "sub")
    code, result = loop_over(loop, f"{cheat}; echo '# more' >> calc.sh")
    told = (
        "ound 1 changed how it is measured: tests/test_add.sh, tests/test_sub.sh. With its own tests: 2 of 2 tests pass"
    )
    assert (3, "max_rounds", 1) == (code, result["ending"]["reason"], result["selected"])
    assert f"But r{told}" in result["ending"]["message"]
    (warning,) = result["warnings"]
    assert warning.startswith(f"R{told}")
    assert "changed how it is measured" in report(folder) and "tests or settings changed |" in report(folder)
    assert "the best so far" not in loop.said


def test_an_emptied_test_of_broken_code_is_reported(loop, tmp_path, monkeypatch):
    _, cheat = emptied(tmp_path, monkeypatch, "sub")
    breaking = f"{cheat}; sed -i.bak 's/1 - /1 + /' calc.sh; rm -f calc.sh.bak; seq 9 > notes.txt"
    loop_over(loop, breaking)
    told = "With the tests and settings of the baseline, tests that passed now fail: tests/test_sub.sh::test_sub."
    assert f"high working_tests_failing: {told}" in loop.said
    assert "nothing got clearly worse" not in loop.said and "the best so far" not in loop.said


def test_strict_rolls_back_a_test_that_passes_only_as_rewritten(loop, tmp_path, monkeypatch):
    folder, cheat = emptied(tmp_path, monkeypatch, "sub")
    before = (folder / "tests/test_sub.sh").read_text()
    _, result = loop_over(loop, f"{cheat}; sed -i.bak 's/1 - /1 + /' calc.sh; rm -f calc.sh.bak", "--strict")
    assert 0 == result["selected"] and before == (folder / "tests/test_sub.sh").read_text()


def test_changed_tests_with_a_lower_quality_are_not_selected(loop, tmp_path, monkeypatch):
    """The round is no better by the baseline's tests, and bloated."""
    folder, cheat = emptied(tmp_path, monkeypatch, "add")
    (folder / "code.py").write_text("x = 1\n" * 40)
    _, result = loop_over(loop, f"{cheat}; seq 300 | sed 's/.*/w& = &/' > feature.py")
    assert 0 == result["selected"] and "the best so far" not in loop.said
    assert "Round 1: the tests or their settings were changed, and the quality is lower" in report(folder)


def test_a_failing_command_without_a_failing_test_is_not_a_step_forward(loop, tmp_path, monkeypatch):
    """The command failed before as well, but then because of a test."""
    check = f"{CHECK}[ $(count bad) = 0 ] && exit 123; exit 1\n"
    folder = made(tmp_path, monkeypatch, check=check)
    code, result = loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3", "t4")))
    assert 3 == code
    assert "forward" not in line(loop, 1) and "best so far" not in line(loop, 1)
    assert "kept although the test command fails with exit code 123 although no test fails" in line(loop, 1)
    told = "the test command fails with exit code 123 after round 1, although no test fails."
    assert result["ending"]["message"].endswith(f"But {told}")
    assert ["T" + told[1:]] == result["warnings"]


ALTERNATING = f"""echo x >> ../runs
if grep -q unsteady tests.txt && [ $(($(wc -l < ../runs) % 2)) = 0 ]; then sed -i.bak 's/^t1 ok/t1 bad/' tests.txt; fi
{CHECK}
if grep -q unsteady tests.txt; then sed -i.bak 's/^t1 bad/t1 ok/' tests.txt; fi; rm -f tests.txt.bak
"""
"""t1 fails every second time as long as the suite says that it is unsteady."""


def test_breaking_a_flaky_test_is_found(loop, tmp_path, monkeypatch):
    folder = made(tmp_path, monkeypatch, check=ALTERNATING)
    (folder.parent / "runs").write_text("")
    unsteady, steady = "echo '# unsteady' >> tests.txt", "sed -i.bak /unsteady/d tests.txt; rm -f tests.txt.bak"
    _, result = loop("--max-rounds", 2, "--", agent(folder, r1=unsteady, r2=f"{steady}; {SPOIL.format('t1')}"))
    assert "flaky checks.py::t1" in loop.said.split("round 2 of 2")[0]
    assert "critical working_tests_failing: 1 test that passed fails now: checks.py::t1." in loop.said
    assert "measured 5 times, because the first result could be a coincidence" in loop.said
    assert [1, 2, 5] == [fact.get("times", 1) for fact in journal(folder) if fact["fact"] == "round_ended"]
    assert "to be rolled back" in line(loop, 2) and 1 == result["selected"]


def test_a_flaky_test_that_passes_once_causes_no_rollback(loop, tmp_path, monkeypatch):
    folder = made(tmp_path, monkeypatch, check=ALTERNATING)
    (folder.parent / "runs").write_text("")
    script = agent(folder, r1="echo '# unsteady' >> tests.txt", r2=repair("t3"), r3=repair("t4"))
    loop("--max-rounds", 3, "--", script)
    assert "rolled back" not in loop.said


def test_one_format_for_money_and_time(loop, folder):
    spent = """echo '{"type": "result", "total_cost_usd": 0.5}'"""
    loop("--max-rounds", 1, "--budget-usd", "5", "--", agent(folder, each=spent))
    assert "$0.50;" in loop.said and "$0.5000" not in loop.said
    assert "$0.50 of $5.00" in loop.run("--resume", "it", "--max-rounds", 1)[1]
    one = stored(folder)[1]
    assert one["seconds"] >= one["agent_seconds"] >= 0
    assert "| Time | Agent | Cost |" in report(folder) and "| $0.50 |" in report(folder)


def test_a_round_without_changes_is_not_called_rolled_back(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, each="echo hello"))
    assert (True, "it changed no file") == (stored(folder)[1]["kept"], stored(folder)[1]["why"])
    assert "rolled back" not in report(folder)


@pytest.mark.parametrize(
    ("gain", "told"),
    [((1.0, 1.0), "1 more passing test, "), ((0.0, 1.0), "0 to 1 more passing tests, "), ((2.0, 2.0), "2 more passing tests, ")],
)  # fmt: skip
def test_one_more_passing_test_is_one(gain, told):
    assert f"{told}$0.50, 41s (from the last 3 rounds)" == str(Forecast(3, gain, (0.5, 0.5), (41.0, 41.0), 3, 3))


def test_a_forecast_says_of_how_many_rounds_it_knows_the_cost_and_the_gain():
    told = str(Forecast(4, (0.0, 1.0), (0.5, 0.5), (41.0, 41.0), 3, 2))
    assert told.endswith("(from the last 4 rounds; gain known for 3; cost known for 2)")
    assert str(Forecast(4, None, None, (41.0, 41.0))).endswith("(from the last 4 rounds)")


def test_a_cost_that_is_reported_in_some_rounds(loop, folder):
    spent = """echo '{"type": "result", "total_cost_usd": 0.1}'"""
    loop("--max-rounds", 2, "--budget-usd", "5", "--", agent(folder, r1=spent, r2="echo hello"))
    first, second = loop.said.split("round 2 of 2")
    assert "reported no cost" not in first
    assert "the agent reported no cost at the end of this round, so the budget may be exceeded" in second


def test_a_budget_that_is_exceeded_is_called_so(loop, folder):
    spent = """echo '{"type": "result", "total_cost_usd": 0.9}'"""
    _, result = loop("--budget-usd", "0.5", "--", agent(folder, each=spent))
    assert "$0.90 is spent, which exceeds the budget of $0.50." in result["ending"]["message"]


def test_a_loop_without_a_round_compares_none(loop, folder):
    _, result = loop("--test", "sh missing.sh", "--", agent(folder, each="echo hello"))
    assert (0, "No round was made; the files were not changed.") == (result["rounds"], result["placed"])
    assert "**No round is selected: none was finished.**" in report(folder)
    assert "compared" not in report(folder)


def test_tests_that_cannot_be_loaded_are_reported_once():
    assert "1 test passes, 2 fail or cannot be run" == results_line(Measurements(tests_passed=1, tests_failed=2))
    assert "no tests ran" == results_line(Measurements(test_count=0, tests_passed=0, tests_failed=0))


def test_there_is_nothing_to_resume(folder, capfd):
    assert 2 == run(["loop", "--resume", "last"])
    said = capfd.readouterr().err
    assert "no loop last" not in said and "no loop to resume in " in said


def test_all_tests_that_are_gone_are_counted(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, r1=": > tests.txt"))
    assert "no tests ran" in line(loop, 1)
    assert "Test count decreased from 4 to 0; these are gone, among others: checks.py::t3, checks.py::t4." in loop.said


def test_where_all_tests_pass_no_more_are_expected(loop, folder):
    """A round that was rolled back had fewer tests; that adds none."""
    script = agent(folder, r1=repair("t3"), r2=repair("t4"), r3=": > tests.txt", r4="echo 'a = 1' > a.py")
    loop("--max-rounds", 4, "--", script)
    assert "── round 4 of 4; estimate: 0 more passing tests, " in loop.said


def test_the_prompt_says_what_is_kept_between_rounds(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, each="echo hello"))
    kept = "This is round 1 of at most 1. Files are kept between rounds"
    assert f"{kept}, except that a round that breaks something may be rolled back; Headway" in prompt(folder, 1)


def test_the_prompt_promises_no_rollback_where_there_is_none(loop, folder):
    loop("--max-rounds", 1, "--rollback", "never", "--", agent(folder, each="echo hello"))
    assert "Files are kept between rounds; Headway keeps no conversation." in prompt(folder, 1)
