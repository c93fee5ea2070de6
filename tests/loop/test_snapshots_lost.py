"""Files that cannot be restored: the loop says so, and shows no figures of a missing result."""

from tests.loop.projects import agent, repair, run_git, suite

BLOAT = "seq 1 30 | sed 's/.*/y& = &/' >> code.py"


def test_an_agent_that_removes_git_is_reported(loop, folder):
    code, _ = loop("--", agent(folder, r1=repair("t3"), r2="rm -rf .git"))
    assert 2 == code
    said = " ".join(loop.said.split())
    assert f"{folder / '.git'} was removed, and with it the saved files of every round." in said
    assert "Finished rounds are saved" not in said and "Repository(" not in said
    assert "t3 ok" in suite(folder)


def test_a_lost_snapshot_is_named(loop, folder):
    command = agent(folder, r1=repair("t3"), r2="sed -i.bak /t1/d tests.txt")
    loop("--max-rounds", 1, "--", command)
    run_git(folder, "update-ref", "-d", "refs/headway/loops/it/round-001")
    code, _ = loop.resume("--max-rounds", 2)
    said = " ".join(loop.said.split())
    assert 2 == code
    assert "the files of round 1 are gone: there is no snapshot refs/headway/loops/it/round-001 for" in said
    assert "Repository(" not in said and "Finished rounds are saved" not in said


def test_a_result_that_cannot_be_restored_is_no_result(loop, folder):
    """Round 1 is the best; round 2 adds lines that nobody needs, and leaves a folder in the place of one of its files, with a file that git ignores."""
    (folder / ".gitignore").write_text("*.o\n")
    command = agent(
        folder, r1=f"{repair('t3')}; echo 'z = 1' > new.py", r2=f"rm new.py; mkdir new.py; touch new.py/kept.o; {BLOAT}"
    )
    code, result = loop("--max-rounds", 2, "--", command)
    assert (1, "rollback_failed", None) == (code, result["ending"]["reason"], result["selected"])
    assert "Round 1 could not be put in place: restoring" in result["ending"]["message"]
    assert "new.py/kept.o would have to be removed" in result["ending"]["message"]
    assert "Nothing is selected" in (folder / result["report"]).read_text()
    assert (folder / "new.py" / "kept.o").exists()
    (folder / "new.py" / "kept.o").unlink()
    code, result = loop.resume()
    assert (3, 1) == (code, result["selected"])
    assert "z = 1\n" == (folder / "new.py").read_text()


FORGET = "git for-each-ref --format='delete %(refname)' refs/headway | git update-ref --stdin"
PRUNE = "git reflog expire --all --expire=now; git gc -q --prune=now"
SPOIL = "sed -i.bak /t1/d tests.txt; rm -f tests.txt.bak"


def test_refs_deleted_by_an_agent_are_restored(loop, folder):
    code, result = loop("--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2=f"{FORGET}; {SPOIL}"))
    assert (3, 1) == (code, result["selected"])
    assert "t1 ok" in suite(folder) and "t3 ok" in suite(folder)
    refs = run_git(folder, "for-each-ref", "--format=%(refname:lstrip=4)", "refs/headway/loops/it").splitlines()
    assert {"round-000", "round-001", "round-002"} <= set(refs)


def test_rounds_that_git_no_longer_has_are_named(loop, folder):
    """Without the baseline nothing can be saved any more."""
    code, _ = loop("--max-rounds", 3, "--", agent(folder, r1=repair("t3"), r2=f"{FORGET}; {PRUNE}; {repair('t4')}"))
    said = " ".join(loop.said.split())
    assert 2 == code and "Finished rounds are saved" not in said
    assert "The files of the baseline and round 1 are gone." in said
    assert "--resume" not in said


LOSE_ROUND_1 = "git update-ref -d refs/headway/loops/it/round-001; git gc -q --prune=now"


def test_a_round_cannot_be_compared_with_one_that_git_lost(loop, folder):
    code, _ = loop("--max-rounds", 3, "--", agent(folder, r1=repair("t3"), r2=f"{LOSE_ROUND_1}; {SPOIL}"))
    said = " ".join(loop.said.split())
    assert 2 == code and "Finished rounds are saved" not in said
    assert "the files of round 1 are gone (git diff-tree failed" in said


def test_a_result_that_git_lost_is_a_failed_rollback(loop, folder):
    code, result = loop("--max-rounds", 3, "--", agent(folder, r1=repair("t3"), r2=BLOAT, r3=LOSE_ROUND_1))
    assert (1, "rollback_failed", None) == (code, result["ending"]["reason"], result["selected"])
    assert "Round 1 could not be put in place: the files of round 1 are gone" in result["ending"]["message"]


def test_resuming_is_not_offered_if_rounds_are_lost(loop, folder):
    given = ["--task", "x", "--test", "sh check.sh", "--id", "it", "--max-rounds", 3]
    _, text = loop.run(*given, "--", agent(folder, r1=repair("t3"), r2=BLOAT, r3=LOSE_ROUND_1))
    assert "the files of round 1 are gone" in text and "--resume" not in text
