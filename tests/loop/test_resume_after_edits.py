"""How a resumed loop handles files that changed while it was stopped."""

import pytest

from headway.cli import run
from tests.loop.projects import agent, journal, repair, run_git, suite

pytestmark = pytest.mark.slow

NEW_TESTS = "t5 bad\nt6 bad\n"
DELETES_A_TEST = "sed -i.bak /t1/d tests.txt; rm -f tests.txt.bak"


def rows(folder):
    """The rounds in the report: number, quality, tests."""
    report = folder / ".headway/loops/it/reports/output-selection-report.md"
    cells = [line.split(" | ") for line in report.read_text().splitlines() if line[:3].strip("| ").isdigit()]
    return [(line[0].strip("| "), line[2]) for line in cells]


def add_tests(folder):
    (folder / "tests.txt").write_text((folder / "tests.txt").read_text() + NEW_TESTS)


def test_rounds_from_before_a_persons_edit_are_not_compared_with_later_ones(loop, folder):
    loop("--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2="echo 'y = 2' >> code.py", r3="echo z >> z.py"))
    add_tests(folder)
    _, text = loop.run("--resume", "it", "--max-rounds", 3)
    assert "   measured with these changes: 3 of 6 tests pass\n" in loop.said
    assert "Round 3 is in the working tree.\n" in text and "3 of 6 tests pass" in text
    assert "of 4 tests" not in text + loop.said
    assert (folder / "z.py").exists() and (folder / "code.py").read_text().endswith("y = 2\n")
    assert [("0", "2/4"), ("1", "3/4"), ("2", "3/4"), ("3", "3/6")] == rows(folder)


def test_the_best_round_is_the_best_since_a_persons_edit(loop, folder):
    """Round 1 had a higher quality, with other files."""
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3", "t4"), r2=repair("t5")))
    add_tests(folder)
    loop.resume("--max-rounds", 2)
    assert ", the best since your changes; 5 of 6 tests pass" in loop.said and "best so far" not in loop.said
    report = (folder / ".headway/loops/it/reports/output-selection-report.md").read_text()
    assert "Round 2 has the highest quality since a person changed files" in report


def test_edited_files_are_selected_if_no_later_round_is_better(loop, folder):
    loop("--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2="echo 'y = 2' >> code.py", r3=DELETES_A_TEST))
    add_tests(folder)
    _, text = loop.run("--resume", "it", "--max-rounds", 3)
    assert "Round 2 is in the working tree, with your own changes.\n" in text
    assert "round 2 with your changes: quality 0.69, below 0.70; 3 of 6 tests pass\n" in text
    assert ["t1 ok", "t2 ok", "t3 ok", "t4 bad", "t5 bad", "t6 bad"] == suite(folder)
    assert (folder / "code.py").read_text().endswith("y = 2\n")
    assert [("0", "2/4"), ("1", "3/4"), ("2", "3/4")] == rows(folder)[:3]


def test_a_resume_without_a_new_round_reports_the_edited_files(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    add_tests(folder)
    _, text = loop.run("--resume", "it", "--max-rounds", 1)
    assert "round 1 with your changes: quality 0.69, below 0.70; 3 of 6 tests pass\n" in text
    assert [("0", "2/4"), ("1", "3/4")] == rows(folder)


def test_a_round_done_before_an_edit_is_not_done_after_it(loop, folder):
    until = ["--until", "! grep -q bad tests.txt"]
    assert 0 == loop("--max-rounds", 1, *until, "--", agent(folder, r1=repair("t3", "t4"), r2=repair("t5")))[0]
    add_tests(folder)
    assert 3 == loop.resume("--max-rounds", 2)[0]
    assert ["t5 ok", "t6 bad"] == suite(folder)[4:]


def test_tests_removed_by_the_user_do_not_count_as_deleted(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3"), r2="echo z >> z.py"))
    (folder / "tests.txt").write_text("t2 ok\nt3 ok\nt4 bad\n")
    _, result = loop.resume("--max-rounds", 2)
    assert (2, []) == (result["selected"], result["warnings"])
    assert "rolled back" not in loop.said and (folder / "z.py").exists()


def facts_of(folder):
    return [fact["fact"] for fact in journal(folder)]


def fates(folder):
    report = folder / ".headway/loops/it/reports/output-selection-report.md"
    return [line.split(" | ")[7] for line in report.read_text().splitlines() if line[:3].strip("| ").isdigit()]


def test_a_round_restored_by_hand_is_not_an_edit(loop, folder):
    loop("--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2=repair("t4")))
    assert 0 == run(["rollback", "it", "baseline", "--yes"])
    _, result = loop.resume("--max-rounds", 3)
    assert "   the files are those of the baseline again; the loop continues from there\n" in loop.said
    assert "counts as yours" not in loop.said and "files_found" not in facts_of(folder)
    assert (2, "Round 2 is in the working tree.") == (result["selected"], result["placed"])
    assert ["t1 ok", "t2 ok", "t3 ok", "t4 ok"] == suite(folder)
    assert [("0", "2/4"), ("1", "3/4"), ("2", "4/4"), ("3", "2/4")] == rows(folder)
    assert ["–", "kept", "kept", "kept"] == fates(folder)


def test_rounds_undone_by_hand_are_reported_as_such(loop, folder):
    script = agent(folder, r1="echo 'y = 2' >> code.py", r2=repair("t3"), r3=repair("t3", "t4"))
    loop("--max-rounds", 2, "--", script)
    assert 0 == run(["rollback", "it", "1", "--yes"])
    assert 3 == loop.resume("--max-rounds", 3)[1]["selected"]
    report = (folder / ".headway/loops/it/loop.json").read_text()
    assert "you returned to round 1" in report
    assert ["–", "kept", "rolled back to round 1", "kept"] == fates(folder)


def test_edits_in_a_round_restored_by_hand_are_distinguished(loop, folder):
    loop("--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2=f"{repair('t4')}; echo 'y = 2' >> code.py"))
    assert 0 == run(["rollback", "it", "1", "--yes"])
    (folder / "mine.py").write_text("mine\n")
    loop.resume("--max-rounds", 3)
    assert "are those of round 1 again, apart from what you changed; the loop continues from there\n" in loop.said
    assert "   1 file changed since round 1: mine.py. These count as your changes" in loop.said
    assert "   measured with these changes: 3 of 4 tests pass\n" in loop.said
    assert "mine\n" == (folder / "mine.py").read_text()


def test_a_round_restored_by_hand_stays_on_the_branch(loop, folder):
    loop("--max-rounds", 1, "--branch", "result", "--", agent(folder, r1=repair("t3")))
    assert 0 == run(["rollback", "it", "1", "--yes"])
    _, result = loop.resume("--max-rounds", 2)
    assert "Round 1 is on the branch result; the working tree is unchanged." == result["placed"]
    assert "tests.txt" == run_git(folder, "diff", "--name-only", "HEAD", "result")


def test_a_loop_with_a_branch_resumes_from_its_best_round(loop, folder):
    script = agent(folder, r1=repair("t3"), r2=repair("t4"))
    loop("--max-rounds", 1, "--branch", "result", "--", script)
    loop.resume("--max-rounds", 2)
    assert "   continuing from round 1: its files are in the working tree until the loop ends\n" in loop.said
    assert "t1 ok\nt2 ok\nt3 ok\nt4 ok" == run_git(folder, "show", "result:tests.txt")
    assert ["t1 ok", "t2 ok", "t3 bad", "t4 bad"] == suite(folder)


def test_edits_before_a_resume_stay_out_of_the_branch(loop, folder):
    loop("--max-rounds", 1, "--branch", "result", "--", agent(folder, r1=repair("t3")))
    (folder / "mine.py").write_text("mine\n")
    for rounds in (1, 2):
        loop.resume("--max-rounds", rounds)
        assert "tests.txt" == run_git(folder, "diff", "--name-only", "HEAD", "result")
        assert "mine\n" == (folder / "mine.py").read_text()
        assert ["t3 bad", "t4 bad"] == suite(folder)[2:]


def test_an_amended_commit_stays_on_its_branch(loop, folder, tmp_path):
    loop("--max-rounds", 1, "--branch", "result", "--", agent(folder, r1=repair("t3"), r2=repair("t4")))
    other = tmp_path / "other"
    run_git(folder, "worktree", "add", "-q", str(other), "result")
    (other / "mine.txt").write_text("mine\n")
    run_git(other, "add", "mine.txt")
    run_git(other, "commit", "-q", "--amend", "--no-edit")
    run_git(folder, "worktree", "remove", str(other))
    amended = run_git(folder, "rev-parse", "result")
    for rounds in (2, 3):
        _, result = loop.resume("--max-rounds", rounds)
        assert result["placed"].startswith(
            "Round 2 is on the branch result-2, because result has a commit that this loop did not make; "
        )
    assert amended == run_git(folder, "rev-parse", "result")
    assert "t4 ok" in run_git(folder, "show", "result-2:tests.txt")
    assert ["result", "result-2"] == run_git(folder, "branch", "--format=%(refname:short)", "--list", "result*").split()


def test_a_branch_that_is_checked_out_is_not_moved(loop, folder):
    loop("--max-rounds", 1, "--branch", "result", "--", agent(folder, r1=repair("t3"), r2=repair("t4")))
    run_git(folder, "checkout", "-q", "result")
    head = run_git(folder, "rev-parse", "HEAD")
    _, result = loop.resume("--max-rounds", 2)
    assert f"Round 2 is on the branch result-2, because result is checked out in {folder}; " in result["placed"]
    assert head == run_git(folder, "rev-parse", "HEAD")
    assert "" == run_git(folder, "status", "--short", "--untracked-files=no")
    assert "t4 ok" in run_git(folder, "show", "result-2:tests.txt")


def test_a_result_that_did_not_change_needs_no_other_branch(loop, folder):
    loop("--max-rounds", 1, "--branch", "result", "--", agent(folder, r1=repair("t3")))
    run_git(folder, "checkout", "-q", "result")
    _, result = loop.resume("--max-rounds", 2)
    assert "Round 1 is on the branch result; the working tree is unchanged." == result["placed"]


def test_a_kill_while_the_best_round_is_restored_keeps_the_users_files(loop, folder):
    loop("--max-rounds", 1, "--branch", "result", "--", agent(folder, r1=repair("t3"), r2=repair("t4")))
    before = suite(folder)
    loop.resume("--max-rounds", 2)
    path = folder / ".headway/loops/it/journal.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    (last,) = [number for number, line in enumerate(lines) if '"going_on_from"' in line]
    path.write_text("".join(lines[: last + 1]))
    (folder / "tests.txt").write_text("t1 ok\nt2 ok\nt3 ok\nt4 bad\n")  # the files of round 1 were in place
    loop.resume("--max-rounds", 2)
    assert before == suite(folder)
    assert "t1 ok\nt2 ok\nt3 ok\nt4 ok" == run_git(folder, "show", "result:tests.txt")


def test_a_file_the_user_copied_from_the_branch_stays_on_it(loop, folder):
    work = f"{repair('t3')}; echo 'y = 2' >> code.py; echo new > new.py"
    loop("--max-rounds", 1, "--branch", "result", "--", agent(folder, r1=work, r3=repair("t4")))
    run_git(folder, "restore", "--source", "result", "code.py")
    (folder / "mine.py").write_text("mine\n")
    for rounds, selected in ((2, 1), (3, 3)):
        assert selected == loop.resume("--max-rounds", rounds)[1]["selected"]
        assert "code.py\nnew.py\ntests.txt" == run_git(folder, "diff", "--name-only", "HEAD", "result")
    assert "mine\n" == (folder / "mine.py").read_text() and (folder / "code.py").read_text().endswith("y = 2\n")
