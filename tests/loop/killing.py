"""Kills a loop at random moments, takes it up again, and checks that nothing that was finished is lost."""

import os
import random
import signal
import subprocess
import sys
import time

from headway.loop.facts import RoundEnded
from headway.loop.journal import Journal
from headway.snapshots import export, load
from tests.loop.projects import agent, project, repair, run_git, suite, users_git

BETTER = "sleep 0.1; echo 'z = 1' >> more.py; sleep 0.1; "
ROUNDS = {
    "r1": BETTER + repair("t3"),
    "r2": "sleep 0.1; sed -i.bak /t1/d tests.txt; echo junk > junk.txt; sleep 0.1",
    "r3": BETTER + repair("t4"),
    "r4": "sleep 0.1; seq 1 30 | sed 's/.*/y& = &/' >> code.py; sleep 0.1",
}
RUN = [sys.executable, "-c", "from headway.cli import main; main()", "loop"]


class Victim:
    """One loop after the other in a project, killed again and again."""

    def __init__(self, home, seed):
        self.folder = project(home / "p")
        self.pid_file = home / "pid"
        self.agent = agent(self.folder, each=f"echo $$ > {self.pid_file}", **ROUNDS)
        self.before = users_git(self.folder)
        self.random = random.Random(seed)
        self.number = 0
        self.kills = self.loops = 0
        self.phases = set()
        self.new_loop()

    def new_loop(self):
        self.number += 1
        run_git(self.folder, "stash", "list")  # git still works
        subprocess.run(["git", "checkout", "-q", "."], cwd=self.folder, check=True)
        subprocess.run(["git", "clean", "-qfdx", "-e", ".headway"], cwd=self.folder, check=True)
        self.before = users_git(self.folder)
        self.id = f"loop-{self.number}"
        self.folder_of_loop = self.folder / ".headway" / "loops" / self.id
        self.begun = False

    def start(self):
        journal = self.folder_of_loop / "journal.jsonl"
        begun = journal.exists() and journal.read_bytes().count(b"\n") > 0
        new = ["--id", self.id, "--task", "x", "--test", "sh check.sh", "--max-rounds", "4", "--", self.agent]
        arguments = ["--resume", self.id] if begun else new
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        scratch = {**os.environ, "TMPDIR": str(self.folder.parent)}  # what a killed process leaves goes with the test
        return subprocess.Popen([*RUN, "--quiet", *arguments], cwd=self.folder, env=scratch, **quiet)

    def facts(self):
        path = self.folder_of_loop / "journal.jsonl"
        return path.read_bytes() if path.exists() else b""

    def kill_once(self):
        """Let it work until a few more facts are written, and kill it a random moment later."""
        before = self.facts()
        process = self.start()
        until = before.count(b"\n") + self.random.randint(0, 4)
        deadline = time.monotonic() + 120
        while process.poll() is None and self.facts().count(b"\n") < until:
            assert time.monotonic() < deadline, "nothing moves any more"
            time.sleep(0.005)
        time.sleep(self.random.uniform(0, 0.25))
        killed = process.poll() is None
        process.send_signal(signal.SIGKILL)
        _, said = process.communicate()
        assert killed or process.returncode == 3, said.decode()
        self.kills += killed
        self.check(before)
        if not killed:
            self.check_result()
            self.loops += 1
            self.new_loop()

    def check(self, before):
        """Facts only ever grow; every finished round can be exported; the user's git is as it was; no orphan is left."""
        now = self.facts()
        assert now.startswith(before[: before.rfind(b"\n") + 1])
        whole = now[: now.rfind(b"\n") + 1].splitlines()
        self.phases |= {line.split(b'"')[3].decode() for line in whole[-1:]}
        facts = Journal(self.folder_of_loop).read() if whole else []
        ended = [fact for fact in facts if isinstance(fact, RoundEnded)]
        assert list(range(len(ended))) == [fact.number for fact in ended]
        for fact in ended[-2:]:
            target = self.folder.parent / "exported"
            assert export(load(self.folder, fact.snapshot), target) >= 3
            subprocess.run(["rm", "-r", str(target)], check=True)
        assert self.before == users_git(self.folder)
        self.check_no_orphan()

    def check_no_orphan(self):
        pid = self.pid_file.read_text().strip() if self.pid_file.exists() else ""
        deadline = time.monotonic() + 100
        while pid and is_running(pid):
            assert time.monotonic() < deadline, "the agent outlived its supervisor"
            time.sleep(0.02)

    def check_result(self):
        assert ["t1 ok", "t2 ok", "t3 ok", "t4 ok"] == suite(self.folder)
        assert "y1" not in (self.folder / "code.py").read_text() and not (self.folder / "junk.txt").exists()
        run_git(self.folder, "fsck", "--connectivity-only", "--no-dangling")

    def finish(self):
        """Let the present loop come to its end."""
        process = self.start()
        _, said = process.communicate()
        assert 3 == process.returncode, said.decode()
        self.check(b"")
        self.check_result()


def is_running(pid):
    state = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


def kill_many(home, seed, times):
    """Kill so many times; returns the victim, for what it went through."""
    victim = Victim(home, seed)
    while victim.kills < times:
        victim.kill_once()
    victim.finish()
    return victim
