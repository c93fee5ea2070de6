"""A loop's name is unique in its repository, because worktrees share the refs of rounds."""

import json
import os
import time
from pathlib import Path

import pytest

from headway.cli import run
from headway.loop.lock import project_lock
from headway.snapshots import Repository
from tests.loop.projects import agent, journal, repair, run_git

WHO = "basename $PWD > who.txt; "


@pytest.fixture
def worktree(folder):
    run_git(folder, "worktree", "add", "-q", "-b", "other", str(folder.parent / "w"))
    return folder.parent / "w"


def whose(loop_id, to):
    assert 0 == run(["export", loop_id, "1", str(to)])
    return (to / "who.txt").read_text().strip()


def test_a_name_that_another_worktree_has_is_refused(loop, folder, worktree, monkeypatch, tmp_path):
    script = agent(folder, r1=WHO + repair("t3"))
    loop("--max-rounds", 1, "--", script)
    monkeypatch.chdir(worktree)
    assert 2 == loop("--max-rounds", 1, "--", script)[0]
    assert "loop it already exists in this repository, perhaps in another worktree" in " ".join(loop.said.split())
    monkeypatch.chdir(folder)
    assert "p" == whose("it", tmp_path / "out")


@pytest.mark.slow
def test_generated_names_differ_within_the_same_second(loop, folder, worktree, monkeypatch, tmp_path):
    monkeypatch.setattr(time, "strftime", lambda form: "1116-120000")
    given = ["--task", "fix the tests", "--test", "sh check.sh", "--max-rounds", 1, "--format", "json", "--"]
    script = agent(folder, r1=WHO + repair("t3"))
    names = {}
    for place in (folder, worktree):
        monkeypatch.chdir(place)
        names[place.name] = loop.run(*given, script)[1]["loop"]
    assert {"p": "fix-the-tests-1116-120000", "w": "fix-the-tests-1116-120000-2"} == names
    assert "w" == whose(names["w"], tmp_path / "w-out")
    monkeypatch.chdir(folder)
    assert "p" == whose(names["p"], tmp_path / "p-out")


def test_a_name_reserved_by_a_killed_process_can_be_reserved_again(loop, folder):
    """A loop that was killed right after it reserved its name can be started again."""
    home = folder.parent / "home"
    home.write_text(str(folder))
    run_git(folder, "update-ref", "refs/headway/loops/it/name", run_git(folder, "hash-object", "-w", str(home)))
    assert 3 == loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))[0]


def test_a_journal_that_is_replaced_is_written_again(loop, folder):
    """`git stash --all && git stash pop` leaves another file under the same name."""
    stash = "git -c user.name=A -c user.email=a@example.com stash -q --all && git stash pop -q; "
    rounds = {"r1": f"{stash}{repair('t3')}", "r2": repair("t4"), "r3": "echo > more"}
    loop("--max-rounds", 2, "--", agent(folder, **rounds))
    assert [0, 1, 2] == [fact["number"] for fact in journal(folder) if fact["fact"] == "round_ended"]
    kept = run_git(folder, "for-each-ref", "refs/headway/loops/it/round-00[012]")
    _, result = loop.resume("--max-rounds", 3)
    assert 3 == result["rounds"] and "── round 3 of 3" in loop.said
    assert kept == run_git(folder, "for-each-ref", "refs/headway/loops/it/round-00[012]")


@pytest.mark.slow
def test_a_journal_that_is_moved_away_and_copied_back_loses_nothing(loop, folder):
    swap = "cd .headway/loops/it; mv journal.jsonl j; head -n 2 j > journal.jsonl; cd ../../..; "
    loop("--max-rounds", 2, "--", agent(folder, r1=swap + repair("t3"), r2=repair("t4")))
    assert [0, 1, 2] == [fact["number"] for fact in journal(folder) if fact["fact"] == "round_ended"]


def test_the_lock_survives_git_clean(loop, folder):
    with project_lock(Repository.at(folder), "one"):
        run_git(folder, "clean", "-fdxq")
        assert 2 == loop("--", "true")[0]
    assert "another loop is running" in loop.said
    assert 3 == loop("--max-rounds", 1, "--", agent(folder, r1="git clean -fdxq"))[0]


def listed(capfd, *more):
    capfd.readouterr()
    assert 0 == run(["loop", "--list", "--format", "json", *more])
    return {one["loop"]: one for one in json.loads(capfd.readouterr().out)["loops"]}


def test_loops_are_listed(loop, folder, worktree, monkeypatch, capfd):
    cost = """echo '{"total_cost_usd": 0.25}'; """
    loop("--max-rounds", 1, "--", agent(folder, r1=cost + repair("t3")))
    loop.run("--id", "cut", "--test", "sh check.sh", "--", agent(folder, r1="kill -TERM $PPID; sleep 9"))
    with project_lock(Repository.at(folder), "cut"):
        assert "running" == listed(capfd)["cut"]["state"]
    found = listed(capfd)
    assert ("limit", "max_rounds", 1, 1, 0.25) == tuple(
        found["it"][name] for name in ("state", "reason", "rounds", "best", "cost_usd")
    )
    assert ("interrupted", 0) == (found["cut"]["state"], found["cut"]["rounds"])

    monkeypatch.chdir(worktree)
    assert {("elsewhere", str(folder))} == {(one["state"], one["folder"]) for one in listed(capfd).values()}
    assert 0 == run(["loop", "--list"])
    assert f"it: in {folder}\n" in capfd.readouterr().out
    monkeypatch.chdir(folder)
    assert 0 == run(["loop", "--list"])
    assert "it: limit (max_rounds), 1 round, best: round 1, $0.25, " in capfd.readouterr().out


def test_listing_loops_does_not_change_a_partial_journal(loop, folder, capfd):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    path = folder / ".headway/loops/it/journal.jsonl"
    path.write_bytes(path.read_bytes() + b'{"fact":"resu')
    before = path.read_bytes()
    assert "limit" == listed(capfd)["it"]["state"]
    assert before == path.read_bytes()


def refs(folder):
    return run_git(folder, "for-each-ref", "--format=%(refname)", "refs/headway").splitlines()


@pytest.mark.parametrize("command", [["loop", "--list"], ["forget", "--older-than", "1s"]], ids=" ".join)
def test_looking_for_loops_creates_nothing(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert 0 == run(command)
    assert [] == list(tmp_path.iterdir())


def test_loops_are_deleted(loop, folder, capfd):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    loop.run("--id", "other", "--test", "sh check.sh", "--max-rounds", "1", "--", "true")
    files = (folder / "tests.txt").read_text()
    assert 0 == run(["forget", "it", "--dry-run"])
    assert 2 == run(["forget", "it"])
    assert "pass --yes to delete without asking" in capfd.readouterr().err
    assert (folder / ".headway/loops/it").is_dir()
    assert 0 == run(["forget", "it", "--yes"])
    assert not (folder / ".headway/loops/it").exists()
    assert {"other"} == {ref.split("/")[3] for ref in refs(folder)}
    assert {"other"} == set(listed(capfd)) and files == (folder / "tests.txt").read_text()
    assert 2 == run(["forget", "it", "--yes"]) and "no loop 'it'" in capfd.readouterr().err
    assert 3 == loop("--max-rounds", 1, "--", agent(folder, r1=repair("t4")))[0]  # its name is free again


@pytest.mark.slow
def test_old_loops_are_deleted(loop, folder, capfd):
    for name in ("old", "new"):
        loop.run("--id", name, "--test", "sh check.sh", "--max-rounds", "1", "--", "true")
    for file in ("journal.jsonl", "loop.json"):
        os.utime(folder / ".headway/loops/old" / file, (time.time() - 40 * 86_400,) * 2)
    assert 0 == run(["forget", "--older-than", "30d", "--yes"])
    assert {"new"} == set(listed(capfd))
    assert 0 == run(["forget", "--older-than", "30d", "--yes"])
    assert "no loop is that old" in capfd.readouterr().err
    assert 2 == run(["forget"]) and "name the loops to delete" in capfd.readouterr().err


def test_a_running_loop_or_one_of_another_worktree_is_not_deleted(loop, folder, worktree, monkeypatch, capfd):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    before = refs(folder)
    with project_lock(Repository.at(folder), "it"):
        assert 2 == run(["forget", "it", "--yes"]) and "it is running" in capfd.readouterr().err
    monkeypatch.chdir(worktree)
    assert 2 == run(["forget", "it", "--yes"]) and f"it belongs to {folder}" in capfd.readouterr().err
    assert 0 == run(["forget", "--older-than", "1s", "--yes"])
    assert before == refs(folder)


def test_the_git_settings_on_the_page_keep_refs_out_of_a_mirror(loop, folder, tmp_path):
    """docs/loop.md offers them for a remote that is a mirror, and for `git log --all`."""
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    page = (Path(__file__).parent.parent.parent / "docs" / "loop.md").read_text()
    run_git(folder.parent, "init", "-q", "--bare", "mirror.git")
    run_git(folder, "remote", "add", "origin", str(folder.parent / "mirror.git"))
    for setting in ("+refs/*:refs/*", "^refs/headway/*"):
        assert f"git config --add remote.origin.push '{setting}'" in page
        run_git(folder, "config", "--add", "remote.origin.push", setting)
    run_git(folder, "push", "-q", "--mirror", "origin")
    there = run_git(folder, "ls-remote", "origin")
    assert "refs/heads/" in there and "refs/headway" not in there
    assert "git log --exclude='refs/headway/*' --all" in page
    assert "1" == run_git(folder, "rev-list", "--count", "--exclude=refs/headway/*", "--all")
