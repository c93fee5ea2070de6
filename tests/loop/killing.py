"""Kills a loop at random system calls, resumes it, and checks that nothing is lost and no user file changes."""

import json
import os
import random
import stat
import subprocess
import sys
import time

from headway.loop.facts import RoundEnded
from headway.loop.journal import Journal
from headway.snapshots import export, load
from tests.loop.projects import agent, project, repair, run_git, suite, users_git

BETTER = "echo 'z = 1' >> more.py; "
ROUNDS = {
    "r1": BETTER + repair("t3"),
    "r2": "sed -i.bak /t1/d tests.txt; rm -f tests.txt.bak; echo junk > junk.txt; echo dist/ > .gitignore",
    "r3": BETTER + repair("t4"),
    "r4": "sed -i.bak '/^t[123] /s/ok/bad/' tests.txt; rm -f tests.txt.bak; echo 'y1 = 1' >> code.py",
}
RUN = [sys.executable, "-c", "from headway.cli import main; main()", "loop"]
STARTER = """
import json, os, signal, sys, threading
import headway.cli.loop, headway.cli.app, headway.loop.runner, headway.readers
from headway.cli import main

MODULES = ("posix", "fcntl", "select", "_posixsubprocess", "_io")
calls = 0

def count(last):
    def seen(frame, event, called):
        global calls
        if event != "c_call":
            return
        if (called.__module__ or type(getattr(called, "__self__", None)).__module__) in MODULES:
            calls += 1
            if calls == last:
                os.kill(os.getpid(), signal.SIGKILL)
    threading.setprofile(seen)
    sys.setprofile(seen)

def work(arguments, last, said):
    file = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(file, stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.close(answers.fileno())
    count(last)
    main(["loop", *arguments])

answers = os.fdopen(os.dup(1), "w")
for line in sys.stdin:
    job = json.loads(line)
    child = os.fork()
    if not child:
        try:
            work(job["arguments"], job["last"], job["said"])
        except SystemExit as end:
            sys.setprofile(None)
            with open(job["said"] + ".calls", "w") as file:
                file.write(str(calls))
            os._exit(end.code or 0)
        os._exit(99)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), file=answers, flush=True)
"""
"""Starts loops by forking; each is killed at its last allowed system call."""


class Victim:
    """One loop after the other in a project, killed again and again."""

    def __init__(self, home, seed):
        self.folder = project(home / "p")
        self.pid_files = [home / "agent-pid", home / "test-pid"]
        self.said = home / "said"
        self.agent = agent(self.folder, each=f"echo $$ > {self.pid_files[0]}", **ROUNDS)
        self.add_the_users_files()
        self.before = users_git(self.folder)
        self.theirs = self.users_files()
        self.at_first = {name: (self.folder / name).read_text() for name in ("tests.txt", "code.py", ".gitignore")}
        self.random = random.Random(seed)
        self.number = self.kills = self.loops = 0
        self.calls = 3000
        self.phases, self.rounds = set(), {}
        scratch = {**os.environ, "TMPDIR": str(home)}  # what a killed process leaves goes with the test
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.starter = subprocess.Popen(
            [sys.executable, "-c", STARTER], cwd=self.folder, env=scratch, text=True, **pipes
        )
        self.new_loop()

    def add_the_users_files(self):
        (self.folder / ".gitignore").write_text(".env\n")
        run_git(self.folder, "add", "-A")
        run_git(self.folder, "commit", "-q", "-m", "rules")
        for name, text in ((".env", "SECRET\n"), ("mine.txt", "mine\n"), ("staged.txt", "staged\n")):
            (self.folder / name).write_text(text)
        (self.folder / ".env").chmod(0o600)
        (self.folder / "empty").mkdir()
        run_git(self.folder, "add", "staged.txt")
        (self.folder / "code.py").write_text("# mine\n" + (self.folder / "code.py").read_text())

    def users_files(self):
        """Files that no agent changes, so they must stay the same."""
        places = [self.folder / name for name in (".env", "mine.txt", "staged.txt")]
        files = [(place.read_text(), stat.S_IMODE(place.stat().st_mode)) for place in places]
        return files, (self.folder / "empty").is_dir(), (self.folder / "code.py").read_text().startswith("# mine\n")

    def new_loop(self):
        self.number += 1
        for name in ("more.py", "junk.txt"):
            (self.folder / name).unlink(missing_ok=True)
        for name, text in self.at_first.items():
            (self.folder / name).write_text(text)
        self.before = users_git(self.folder)
        self.id = f"loop-{self.number}"
        self.folder_of_loop = self.folder / ".headway" / "loops" / self.id

    def run(self, last):
        """Run the loop to its end, or for this many system calls; returns how it ended."""
        begun = b"\n" in self.facts()
        test = f"echo $$ > {self.pid_files[1]}; sh check.sh"
        new = ["--id", self.id, "--task", "x", "--test", test, "--max-rounds", "4", "--", self.agent]
        arguments = ["--quiet", *(["--resume", self.id] if begun else new)]
        job = {"arguments": arguments, "last": last, "said": str(self.said)}
        self.starter.stdin.write(json.dumps(job) + "\n")
        self.starter.stdin.flush()
        return int(self.starter.stdout.readline())

    def facts(self):
        path = self.folder_of_loop / "journal.jsonl"
        return path.read_bytes() if path.exists() else b""

    def kill_once(self):
        before = self.facts()
        code = self.run(self.random.randint(1, self.calls))
        assert code in (-9, 3), (code, self.said.read_text())
        self.kills += code == -9
        self.check(before)
        if code != -9:
            self.end_loop()

    def end_loop(self):
        self.check_result()
        self.loops += 1
        self.new_loop()

    def check(self, before):
        """Check that facts only grow, finished rounds and user files stay the same, and no orphan process is left."""
        now = self.facts()
        assert now.startswith(before[: before.rfind(b"\n") + 1])
        whole = now[: now.rfind(b"\n") + 1].splitlines()
        self.phases |= {line.split(b'"')[3].decode() for line in whole[-1:]}
        facts = Journal(self.folder_of_loop).read(mend=False) if whole else []
        ended = [fact for fact in facts if isinstance(fact, RoundEnded)]
        assert list(range(len(ended))) == [fact.number for fact in ended]
        self.check_rounds(ended)
        assert self.before == users_git(self.folder)
        assert self.theirs == self.users_files()
        for pid_file in self.pid_files:
            self.check_no_orphan(pid_file)

    def check_rounds(self, ended):
        """Check that no finished round of any loop is gone or changed."""
        listing = run_git(self.folder, "for-each-ref", "--format=%(refname) %(tree)", "refs/headway/loops")
        there = dict(line.split(" ", 1) for line in listing.splitlines() if " " in line)  # a name's text has no tree
        for fact in ended:
            self.rounds.setdefault((self.id, fact.number, fact.snapshot), there.get(fact.snapshot))
        assert {} == {key: tree for key, tree in self.rounds.items() if tree is None or there.get(key[2]) != tree}
        for fact in ended[-1:]:
            target = self.folder.parent / "exported"
            assert export(load(self.folder, fact.snapshot), target) >= 6
            assert not (target / ".env").exists()
            subprocess.run(["rm", "-r", str(target)], check=True)

    def check_no_orphan(self, pid_file):
        pid = pid_file.read_text().strip() if pid_file.exists() else ""
        deadline = time.monotonic() + 100
        while pid and is_running(pid):
            assert time.monotonic() < deadline, f"{pid_file.name}: it outlived its supervisor"
            time.sleep(0.02)

    def check_result(self):
        assert ["t1 ok", "t2 ok", "t3 ok", "t4 ok"] == suite(self.folder)
        assert "y1" not in (self.folder / "code.py").read_text() and not (self.folder / "junk.txt").exists()

    def finish(self):
        """Run the current loop to its end."""
        assert 3 == self.run(0), self.said.read_text()
        self.check(b"")
        self.check_result()
        run_git(self.folder, "fsck", "--connectivity-only", "--no-dangling")


def is_running(pid):
    state = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


def kill_many(home, seed, times):
    """Kill a loop this many times; returns it with its history."""
    victim = Victim(home, seed)
    with victim.starter:
        assert 3 == victim.run(0), victim.said.read_text()
        victim.calls = int(victim.said.with_name("said.calls").read_text())
        victim.check(b"")
        victim.end_loop()
        while victim.kills < times:
            victim.kill_once()
        victim.finish()
    return victim
