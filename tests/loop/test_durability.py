"""A loop can be resumed after a kill, an interrupt or a full disk, and never runs twice at once."""

import json
import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from headway.loop import moves
from headway.loop.journal import Journal
from headway.loop.state import LoopState
from tests.loop.killing import RUN, is_running, kill_many
from tests.loop.projects import HEADWAY, agent, journal, repair, suite, users_git

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("HEADWAY_TEST_KILLS", "16"))
"""How often loops are killed; `make kills` has 100, `make stress` 1,000."""
PROJECTS = 2 if KILLS < 100 else 10
COMPLETE = "echo '<promise>COMPLETE</promise>'"


def start(folder, *arguments, **options):
    return subprocess.Popen(
        [*RUN, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def hear_interrupts():
    """A shell's background job ignores Ctrl-C, and so would everything that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(path, process):
    deadline = time.monotonic() + 30
    while not (path.exists() and path.read_text().strip()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return path.read_text().strip()


@pytest.mark.parametrize("seed", range(PROJECTS))
def test_killed_at_random_system_calls(tmp_path, seed):
    times = KILLS // PROJECTS
    victim = kill_many(tmp_path, seed=seed, times=times)
    assert times == victim.kills and len(victim.phases) >= 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_loop_is_resumed(loop, folder, number):
    pid = folder.parent / "pid"
    script = agent(
        folder, r1=repair("t3"), r2=f"[ -e {pid} ] || {{ echo $$ > {pid}; sleep 300; }}; {repair('t4')}; {COMPLETE}"
    )
    before = users_git(folder)
    process = start(folder, "--task", "x", *HEADWAY, "--", script, preexec_fn=hear_interrupts)
    agent_pid = wait_for(pid, process)
    process.send_signal(number)
    _, said = process.communicate(timeout=120)
    assert 130 == process.returncode
    assert (
        "finished rounds: 1; the best so far is round 1 (headway rollback it 1). Continue with: headway loop --resume it"
        in said
    )
    assert not is_running(agent_pid)
    assert before == users_git(folder)

    code, result = loop.resume()
    assert (0, "complete", 2) == (code, result["ending"]["reason"], result["rounds"])
    assert before == users_git(folder)
    assert "Traceback" not in said


def test_a_second_loop_is_refused_unless_the_first_is_dead(loop, folder):
    pid = folder.parent / "pid"
    process = start(folder, "--task", "x", *HEADWAY, "--", agent(folder, r1=f"echo $$ > {pid}; sleep 300"))
    wait_for(pid, process)
    code, _ = loop.run("--task", "y", "--id", "other", "--", "true")
    assert 2 == code
    assert f"another loop is running in {folder}: it (process {process.pid})" in loop.said
    code, _ = loop.resume()
    assert 2 == code and "another loop is running" in loop.said
    assert not (folder / ".headway/loops/other/journal.jsonl").exists()

    process.kill()
    process.communicate()
    code, result = loop.run(
        "--task", "y", "--id", "other", "--format", "json", "--until", "true", "--test", "sh check.sh", "--", "true"
    )
    assert (0, "until") == (code, result["ending"]["reason"])


def test_a_full_disk_is_reported_and_loses_nothing(loop, folder):
    """A limit on file sizes stands in for a full disk."""
    limit = 100_000
    fill = "head -c 60000 /dev/urandom | od -An -tx1"  # its output no longer fits into the journal
    script = agent(folder, r1=repair("t3"), r2=f"{fill}; {repair('t4')}", r3=f"{fill}", r4=COMPLETE)

    def no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    process = start(folder, "--quiet", "--task", "x", *HEADWAY, "--", script, preexec_fn=no_room)
    _, said = process.communicate(timeout=60)
    assert 2 == process.returncode, said
    assert "journal.jsonl: File too large" in said and "Continue with: headway loop --resume it" in said
    assert "Traceback" not in said
    finished = [fact["number"] for fact in map(json.loads, whole_lines(folder)) if fact["fact"] == "round_ended"]
    assert [0, 1] == finished[:2]

    assert 0 == loop.resume()[0]
    assert ["t1 ok", "t2 ok", "t3 ok", "t4 ok"] == suite(folder)
    assert finished == [fact["number"] for fact in journal(folder) if fact["fact"] == "round_ended"][: len(finished)]


def whole_lines(folder):
    data = (folder / ".headway/loops/it/journal.jsonl").read_bytes()
    return data[: data.rfind(b"\n") + 1].splitlines()


def test_a_loop_that_reached_a_limit_continues_with_a_higher_one(loop, folder):
    script = agent(folder, r1=repair("t3"), r2=repair("t4") + "; " + COMPLETE)
    assert 3 == loop("--max-rounds", 1, "--", script)[0]
    assert 3 == loop.resume()[0]
    code, result = loop.resume("--max-rounds", 5)
    assert (0, 2, "complete") == (code, result["rounds"], result["ending"]["reason"])


def test_a_loop_that_was_done_stays_done(loop, folder):
    script = agent(folder, r1=repair("t3", "t4") + "; " + COMPLETE)
    assert 0 == loop("--", script)[0]
    files = suite(folder)
    code, result = loop.resume()
    assert (0, 1) == (code, result["rounds"]) and files == suite(folder)


def test_the_latest_files_are_written_again_when_they_are_missing(loop, folder):
    """Killed after the journal and before the tree of files: resuming writes them."""
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    tree = folder / ".headway/loops/it"
    path = Journal(tree).path
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b'"handing_over"' not in line and b'"ended"' not in line))
    (tree / "loop.json").unlink()
    (tree / "reports/iteration-001-report.md").unlink()
    assert 3 == loop.resume()[0]
    assert (tree / "reports/iteration-001-report.md").exists()
    assert 2 == len(json.loads((tree / "loop.json").read_text())["rounds"])


def test_a_partial_rollback_is_finished(loop, folder):
    """Killed while files were being restored: the tree is a mixture until the loop is resumed."""
    script = agent(
        folder,
        r1=repair("t3"),
        r2="sed -i.bak /t1/d tests.txt; echo junk > junk.txt",
        r3=repair("t4") + "; " + COMPLETE,
    )
    assert 3 == loop("--max-rounds", 2, "--", script)[0]
    path = Journal(folder / ".headway/loops/it").path
    lines = [
        line
        for line in path.read_bytes().splitlines(keepends=True)
        if b'"handing_over"' not in line and b'"ended"' not in line
    ]
    path.write_bytes(b"".join(lines) + b'{"fact":"going_back","at":%d,"to":1,"message":"m"}\n' % time.time())
    (folder / "junk.txt").write_text("half done")
    code, result = loop.resume("--max-rounds", 3)
    assert (0, 3) == (code, result["selected"])
    assert ["t1 ok", "t2 ok", "t3 ok", "t4 ok"] == suite(folder) and not (folder / "junk.txt").exists()


def test_at_every_moment_the_next_move_is_the_one_that_was_made(loop, folder):
    """Whatever was on disk when a loop was killed, resuming makes the same next move."""
    script = agent(
        folder, r1=repair("t3"), r2="sed -i.bak /t1/d tests.txt", r3="echo x", r4="echo x", r5="echo x", r6="kill $$"
    )
    assert 3 == loop("--max-rounds", 7, "--", script)[0]
    facts = Journal(folder / ".headway/loops/it").read()
    made = {
        "RoundBegan": moves.Work, "AgentEnded": moves.Work, "RoundEnded": moves.Assess, "RollingBack": moves.RollBack,
        "RolledBack": moves.RollBack, "Finishing": moves.Finish, "Ended": moves.Finish,
    }  # fmt: skip
    for number, fact in enumerate(facts[1:], 1):
        move = moves.next_move(LoopState.of(facts[:number]), fact.at)
        assert made[type(fact).__name__] is type(move), (number, fact, move)
        assert getattr(fact, "number", None) == getattr(move, "number", None)
        assert getattr(fact, "approach", "") in ("", getattr(move, "approach", ""))
    assert moves.Over() == moves.next_move(LoopState.of(facts), facts[-1].at)


def test_500_megabytes_of_output_need_little_memory(folder):
    sizes = []
    for id, size in (("small", 1_000), ("large", 500_000_000)):
        script = agent(folder, r1=f"head -c {size} /dev/zero | tr '\\0' x; {repair('t3')}")
        arguments = ["--task", "x", "--test", "sh check.sh", "--id", id, "--max-rounds", "1", "--", script]
        watched = [sys.executable, "-c", MEASURED, *arguments]
        done = subprocess.run(
            watched, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False
        )
        sizes.append(int(done.stdout.splitlines()[-1]))
        subprocess.run(["git", "checkout", "-q", "."], cwd=folder, check=True)
    assert sizes[1] - sizes[0] < 40_000  # kilobytes; the output itself would be 500,000
    log = (folder / ".headway/loops/large/iterations/iteration-001/agent-output.txt").stat().st_size
    assert 10_000 < log < 200_000


MEASURED = """
import resource, sys
from headway.cli import run
run(["loop", *sys.argv[1:]])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
