"""The user's files stay theirs: ignored files, uncommitted work, edits before a resume."""

import re
import shlex
import stat

import pytest

from headway.cli import run
from headway.snapshots import export, load
from tests.loop.projects import agent, journal, repair, run_git, suite

pytestmark = pytest.mark.slow

DELETES_A_TEST = "sed -i.bak /t1/d tests.txt; rm -f tests.txt.bak"
GIVEN = ["--task", "x", "--test", "sh check.sh", "--id", "it"]


def text_files(folder):
    return {place.name: place.read_text() for place in folder.iterdir() if place.is_file()}


def ignoring(folder):
    (folder / ".gitignore").write_text(".env\nnode_modules/\n*.sqlite\n")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "-m", "rules")
    (folder / ".env").write_text("SECRET=1\n")
    (folder / ".env").chmod(0o600)
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "m.js").write_text("m\n")
    (folder / "dev.sqlite").write_text("rows\n")


def assert_still_there(folder):
    assert "SECRET=1\n" == (folder / ".env").read_text()
    assert 0o600 == stat.S_IMODE((folder / ".env").stat().st_mode)
    assert "m\n" == (folder / "node_modules" / "m.js").read_text() and (folder / "dev.sqlite").exists()
    assert "" == run_git(folder, "log", "--all", "--oneline", "--", ".env", "node_modules", "dev.sqlite")


def test_ignored_files_survive_a_round_that_rewrites_the_rules(loop, folder):
    ignoring(folder)
    rewrites = f"echo dist/ > .gitignore; {DELETES_A_TEST}"
    _, text = loop.run(*GIVEN, "--max-rounds", 1, "--", agent(folder, r1=rewrites))
    assert "The baseline is in the working tree." in text
    assert_still_there(folder)
    (undo,) = re.findall(r"to undo this: headway (.*)", text)
    assert 0 == run([*shlex.split(undo), "--yes"])
    assert "dist/\n" == (folder / ".gitignore").read_text()
    assert_still_there(folder)
    assert 0 == run(["rollback", "it", "0", "--yes"])
    assert_still_there(folder)


def test_ignored_files_survive_a_round_that_forces_one_into_git(loop, folder):
    (folder / ".gitignore").write_text(".env\n")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "-m", "rules")
    (folder / ".env").write_text("SECRET=1\n")
    commit = "git add -f .env; git -c user.name=A -c user.email=a@example.com commit -qm oops"
    loop("--max-rounds", 1, "--branch", "result", "--", agent(folder, r1=f"{commit}; {repair('t3')}"))
    assert "SECRET=1\n" == (folder / ".env").read_text()
    assert "tests.txt" == run_git(folder, "diff", "--name-only", "HEAD~1", "result")


def test_a_branch_has_the_rounds_changes_and_not_the_users(loop, folder):
    (folder / "mine.txt").write_text("mine\n")
    (folder / "untouched.txt").write_text("untouched\n")
    (folder / "code.py").write_text("# mine\n" + (folder / "code.py").read_text())
    before = text_files(folder)
    work = f"{repair('t3')}; echo 'y = 1' >> code.py; echo more >> mine.txt; echo n > new.txt"
    _, result = loop("--max-rounds", 1, "--branch", "Result", "--", agent(folder, r1=work))
    assert ["code.py", "new.txt", "tests.txt"] == run_git(folder, "diff", "--name-only", "HEAD", "Result").splitlines()
    committed = run_git(folder, "show", "Result:code.py")
    assert "# mine" not in committed and committed.endswith("y = 1")
    assert before == text_files(folder)
    assert (
        "Round 1 is on the branch Result; the working tree is unchanged. Not on the branch, because you had not"
        in (result["placed"])
    )
    assert "mine.txt (headway export it 1 DIR has them)" in result["placed"]


def test_a_branch_created_meanwhile_is_left_alone(loop, folder):
    code, result = loop(
        "--max-rounds", 1, "--branch", "result", "--", agent(folder, r1=f"git branch result; {repair('t3')}")
    )
    assert 3 == code
    assert (
        "Round 1 is on the branch result-2, because result has a commit that this loop did not make; "
        in (result["placed"])
    )
    assert run_git(folder, "rev-parse", "HEAD") == run_git(folder, "rev-parse", "result")
    assert "t3 ok" in run_git(folder, "show", "result-2:tests.txt")


def test_ignored_files_missing_on_the_branch_are_reported(loop, folder):
    (folder / ".gitignore").write_text("lib/\nold/\n__pycache__/\n")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "-m", "rules")
    (folder / "old").mkdir()
    (folder / "old" / "mine.txt").write_text("mine\n")
    work = "mkdir -p lib __pycache__; echo 'x = 1' > lib/core.py; echo y > old/new.txt; echo z > __pycache__/z.pyc"
    _, result = loop("--max-rounds", 1, "--branch", "result", "--", agent(folder, r1=f"{work}; {repair('t3')}"))
    assert (
        "Round 1 is on the branch result; the working tree is unchanged, apart from ignored files. Not on the "
        "branch, because git ignores them: lib/core.py, old/new.txt (created or changed since the loop started, and still "
        "in the working tree)." == result["placed"]
    )


def test_a_resumed_loop_updates_its_branch(loop, folder):
    script = agent(folder, r1=repair("t3"), r2=repair("t3", "t4"))
    loop("--max-rounds", 1, "--branch", "result", "--", script)
    loop.resume("--max-rounds", 2)
    assert "t4 ok" in run_git(folder, "show", "result:tests.txt")
    assert "2" == run_git(folder, "rev-list", "--count", "result")


def test_a_branch_needs_a_commit_to_start_from(loop, tmp_path, monkeypatch):
    empty = tmp_path / "empty"
    empty.mkdir()
    run_git(empty, "init", "-q")
    monkeypatch.chdir(empty)
    assert 2 == loop.run("--task", "x", "--branch", "result", "--", "true")[0]
    assert "--branch result needs a commit to start from" in " ".join(loop.said.split())


def test_edits_before_a_resume_are_reported_and_kept(loop, folder):
    script = agent(folder, r1=repair("t3"), r2=f"{DELETES_A_TEST}; echo agent >> mine.py")
    loop("--max-rounds", 1, "--", script)
    (folder / "mine.py").write_text("an hour of my own work\n")
    (folder / "code.py").write_text((folder / "code.py").read_text() + "# mine\n")
    code, result = loop.resume("--max-rounds", 2)
    assert (3, 1) == (code, result["selected"])
    assert "Round 1 is in the working tree, with your own changes." == result["placed"]
    assert "2 files changed since round 1: code.py, mine.py. These count as your changes: a rollback keeps them\n" in (
        loop.said
    )
    assert "an hour of my own work\n" == (folder / "mine.py").read_text()
    assert (folder / "code.py").read_text().endswith("# mine\n")
    assert "t1 ok" in suite(folder)
    ended = [fact for fact in journal(folder) if fact["fact"] == "round_ended"]
    assert {"tests.txt", "mine.py"} == set(
        ended[2]["changes"]["files"]
    )  # what round 2 did, and nothing of the person's


def test_edits_are_kept_by_a_rollback(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, r1=f"{repair('t3')}; echo 'z = 1' > new.py"))
    (folder / "mine.py").write_text("mine\n")
    (folder / "new.py").unlink()  # taking something away is an edit, too
    agent(folder, r2=DELETES_A_TEST)
    loop.resume("--max-rounds", 2)
    assert "mine\n" == (folder / "mine.py").read_text() and not (folder / "new.py").exists()

    (folder / "mine.py").write_text("mine, again\n")
    agent(folder, r3=DELETES_A_TEST)
    loop.resume("--max-rounds", 3)
    assert "1 file changed since round 1: mine.py." in loop.said
    assert "mine, again\n" == (folder / "mine.py").read_text() and not (folder / "new.py").exists()
    assert ["t1 ok", "t2 ok", "t3 ok", "t4 bad"] == suite(folder)


def test_edits_are_kept_however_often_a_loop_is_resumed(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    (folder / "mine.py").write_text("mine\n")
    for said in (True, False, False):
        loop.resume()
        assert said == ("These count as your changes" in loop.said)
    agent(folder, r2=f"{DELETES_A_TEST}; rm mine.py")
    assert 1 == loop.resume("--max-rounds", 2)[1]["selected"]
    assert "mine\n" == (folder / "mine.py").read_text()
    assert [] == [line for line in run_git(folder, "for-each-ref").splitlines() if "/now/" in line]


def test_no_edits_are_reported_if_nothing_changed(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3"), r2=repair("t4")))
    loop.resume("--max-rounds", 2)
    assert "changed since" not in loop.said
    assert "files_found" not in [fact["fact"] for fact in journal(folder)]


def test_files_that_measuring_leaves_are_not_edits(loop, folder):
    check = (folder / "check.sh").read_text()
    (folder / "check.sh").write_text(check + "date > report.xml\n")
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3"), r2=repair("t4")))
    loop.resume("--max-rounds", 2)
    assert (folder / "report.xml").exists() and "changed since" not in loop.said


def test_edits_after_an_interrupt_are_distinguished_from_the_partial_round(loop, folder):
    script = agent(folder, r1=repair("t3"), r2="echo half > half.py; kill -TERM $PPID; sleep 30")
    assert 130 == loop("--max-rounds", 2, "--", script)[0]
    (folder / "mine.py").write_text("mine\n")
    agent(folder, r2=DELETES_A_TEST)
    loop.resume()
    assert "1 file changed since round 1: mine.py. These count as your changes" in loop.said
    assert "mine\n" == (folder / "mine.py").read_text() and not (folder / "half.py").exists()


def test_edits_of_unknown_origin_are_saved_and_named(loop, folder):
    """Killed in the middle of a round: what differs may be the agent's."""
    loop("--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2=DELETES_A_TEST))
    path = folder / ".headway/loops/it/journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    began = next(number for number, line in enumerate(lines) if b'"round_began"' in line and b'"number":2' in line)
    path.write_bytes(b"".join(lines[: began + 1]))
    (folder / "mine.py").write_text("mine\n")
    loop.resume()
    assert "1 file changed since round 1: mine.py. A round was running, so they count as its work\n" in loop.said
    (undo,) = re.findall(r"to restore them later: headway (.*)", loop.said)
    assert not (folder / "mine.py").exists()
    assert 0 == run([*shlex.split(undo), "--yes"])
    assert "mine\n" == (folder / "mine.py").read_text()


def test_the_undo_command_survives_a_kill_right_after_the_restore(loop, folder):
    work = agent(folder, r1=repair("t3"), r2=f"{DELETES_A_TEST}; echo mine > new.txt")
    loop.run(*GIVEN, "--max-rounds", 2, "--", work)
    path = folder / ".headway/loops/it/journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    assert b'"ended"' in lines[-1]
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])  # half of the last line reached the disk
    _, text = loop.run("--resume", "it")
    (undo,) = re.findall(r"to undo this: headway (rollback it before-going-back.*)", text)
    assert 0 == run([*shlex.split(undo), "--yes"])
    assert "mine\n" == (folder / "new.txt").read_text() and "t1 ok" not in suite(folder)


def test_a_damaged_index_does_not_prevent_a_rollback(loop, folder):
    (folder / "mine.txt").write_text("mine\n")
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    (folder / ".git" / "index").write_bytes(b"damaged")
    assert 0 == run(["rollback", "it", "0", "--yes"])
    assert "t3 bad" in suite(folder) and "mine\n" == (folder / "mine.txt").read_text()


def test_a_saved_round_is_never_replaced(loop, folder, tmp_path):
    """Killed after saving a round and before recording it: the next snapshot gets another name."""
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    path = folder / ".headway/loops/it/journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    agent_ended = next(number for number, line in enumerate(lines) if b'"agent_ended"' in line)
    path.write_bytes(b"".join(lines[: agent_ended + 1]))
    first = run_git(folder, "rev-parse", "refs/headway/loops/it/round-001")
    (folder / "late.txt").write_text("late\n")
    loop.resume()
    assert first == run_git(folder, "rev-parse", "refs/headway/loops/it/round-001")
    (ended,) = (fact for fact in journal(folder) if fact["fact"] == "round_ended" and fact["number"] == 1)
    export(load(folder, ended["snapshot"]), tmp_path / "out")
    assert (tmp_path / "out" / "late.txt").exists()
    assert 0 == run(["export", "it", "1", str(tmp_path / "by-number")])
    assert (tmp_path / "by-number" / "late.txt").exists()


def test_the_users_changes_are_measured_before_the_next_round(loop, folder):
    """A test that the user broke or fixed does not count for or against the next round."""
    script = agent(folder, r1=repair("t3"), r2="echo '# more' >> code.py")
    loop("--max-rounds", 1, "--", script)
    (folder / "tests.txt").write_text("t1 bad\nt2 ok\nt3 ok\nt4 ok\n")
    code, _ = loop.resume("--max-rounds", 2)
    assert 3 == code
    assert "   measured with these changes: 3 of 4 tests pass\n" in loop.said
    assert "to be rolled back" not in loop.said and "broke" not in loop.said and "fixed" not in loop.said
    assert ["t1 bad", "t2 ok", "t3 ok", "t4 ok"] == suite(folder)
    assert ["files_found", "start_measured"] == [
        fact["fact"] for fact in journal(folder) if fact["fact"] in ("files_found", "start_measured")
    ]
    loop.resume("--max-rounds", 2)  # the course that the facts lead to is the same again
    assert "measured with these changes" not in loop.said


def test_unmeasured_changes_are_measured_after_a_kill(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    (folder / "tests.txt").write_text("t1 bad\nt2 ok\nt3 ok\nt4 bad\n")
    loop.resume("--max-rounds", 1)
    path = folder / ".headway/loops/it/journal.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    (last,) = [number for number, line in enumerate(lines) if '"start_measured"' in line]
    path.write_text("".join(lines[:last]))
    loop.resume("--max-rounds", 1)
    assert "   measured with these changes: 2 of 4 tests pass\n" in loop.said


def test_a_manual_rollback_keeps_files_the_user_created(loop, folder, capfd):
    """While the loop is stopped and after its end, also with several rollbacks."""
    loop("--max-rounds", 1, "--", agent(folder, r1=f"{repair('t3')}; echo 'z = 1' > new.py"))
    (folder / "mine.py").write_text("mine\n")
    agent(folder, r2=f"{repair('t4')}; echo 'y = 1' > more.py")
    loop.resume("--max-rounds", 2)
    (folder / "later.py").write_text("later\n")
    (folder / "code.py").write_text("# changed later\n")

    assert 0 == run(["rollback", "it", "0", "--yes"])
    said = capfd.readouterr()
    assert "kept, because it was created after the loop stopped: later.py" in said.out + said.err
    assert "x0 = 0\n" in (folder / "code.py").read_text()
    assert {"mine.py", "later.py"} == {path.name for path in folder.glob("*.py")} - {"code.py"}
    assert ["t3 bad", "t4 bad"] == suite(folder)[2:]

    (folder / "last.py").write_text("last\n")
    assert 0 == run(["rollback", "it", "2", "--yes"])
    assert {"mine.py", "later.py", "last.py", "new.py", "more.py"} == {path.name for path in folder.glob("*.py")} - {
        "code.py"
    }
    assert ["t3 ok", "t4 ok"] == suite(folder)[2:]
    assert 0 == run(["rollback", "it", "1", "--yes"])
    assert not (folder / "more.py").exists() and (folder / "last.py").exists()


def test_a_manual_rollback_restores_permissions_alone(loop, folder, capfd):
    (folder / "code.py").chmod(0o600)
    loop("--max-rounds", 1, "--", agent(folder, r1=f"{repair('t3')}; chmod 666 code.py"))
    assert 0o666 == stat.S_IMODE((folder / "code.py").stat().st_mode)
    run_git(folder, "checkout", "tests.txt")
    assert 0 == run(["rollback", "it", "0", "--dry-run"])
    assert "permissions: code.py" in capfd.readouterr().out
    assert 0 == run(["rollback", "it", "0", "--yes"])
    assert 0o600 == stat.S_IMODE((folder / "code.py").stat().st_mode)
    assert 0 == run(["rollback", "it", "0", "--yes"])
    assert "nothing was changed" in capfd.readouterr().err


def test_a_manual_rollback_in_another_worktree_is_refused(loop, folder, tmp_path, monkeypatch, capfd):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    run_git(folder, "worktree", "add", "-q", "-b", "other", str(tmp_path / "w"))
    monkeypatch.chdir(tmp_path / "w")
    assert 2 == run(["rollback", "it", "1", "--yes"])
    assert f"it belongs to {folder}. Nothing was changed. Run the command there" in capfd.readouterr().err
    assert ["t3 bad", "t4 bad"] == suite(tmp_path / "w")[2:]
    assert 0 == run(["export", "it", "1", str(tmp_path / "out")])  # that touches nothing here


def test_a_moved_ignored_file_is_moved_back_and_not_committed(loop, folder):
    (folder / ".gitignore").write_text("/.env\ndata/*.db\n")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "-m", "rules")
    (folder / ".env").write_text("SECRET=1\n")
    (folder / "data").mkdir()
    (folder / "data" / "rows.db").write_text("rows\n")
    move = "mkdir cfg; mv .env cfg/.env; mv data data2"
    loop("--max-rounds", 1, "--branch", "result", "--", agent(folder, r1=f"{move}; {repair('t3')}"))
    assert ("SECRET=1\n", "rows\n") == ((folder / ".env").read_text(), (folder / "data" / "rows.db").read_text())
    assert "tests.txt" == run_git(folder, "diff", "--name-only", "HEAD", "result")
    assert not (folder / "cfg").exists() and not (folder / "data2").exists()


def test_moving_ignored_files_back_is_reported(loop, folder):
    (folder / ".gitignore").write_text("/.env\n")
    (folder / ".env").write_text("SECRET=1\n")
    loop("--max-rounds", 2, "--", agent(folder, r1=f"mkdir cfg; mv .env cfg/.env; {DELETES_A_TEST}"))
    assert "   moved ignored files were put back: .env\n" in loop.said
    assert "SECRET=1\n" == (folder / ".env").read_text()


def test_ignored_files_that_a_round_deleted_are_named(loop, folder):
    """There is no copy of them, so the user has to know."""
    (folder / ".gitignore").write_text(".env\ndata/\n__pycache__/\nkept.log\n")
    for name in (".env", "data/a.db", "data/b.db", "__pycache__/x.pyc", "kept.log"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x\n")
    loop("--max-rounds", 2, "--", agent(folder, r1="rm -rf .env data __pycache__; mv kept.log k.txt", r2="true"))
    said = "ignored files are gone: .env, data/. Headway has no copy of ignored files"
    assert 1 == loop.said.count(said)
    texts = [path.read_text() for path in (folder / ".headway/loops/it").rglob("*.md")]
    assert any("Lost" in text and "data/" in text for text in texts)
