"""A project that is measured in milliseconds, and scripted agents that really edit its files."""

import json
import subprocess
from pathlib import Path

CHECK = """\
grep ' bad$' tests.txt | sed 's/^\\(.*\\) bad$/FAILED checks.py::\\1 - wrong/'
count() { grep -c " $1$" tests.txt; }
echo "==== $(count bad) failed, $(count ok) passed, $(count skip) skipped in 0.01s ===="
"""
"""A test runner: every line of tests.txt is a test that is ok, bad, or to be skipped."""

HEADWAY = ["--test", "sh check.sh", "--format", "json", "--id", "it"]


def project(folder, *, ok=2, bad=2, git=True, check=CHECK):
    """A folder with some passing and some failing tests, and code that counts as code."""
    folder.mkdir()
    (folder / "check.sh").write_text(check)
    tests = [f"t{number} {'ok' if number <= ok else 'bad'}" for number in range(1, ok + bad + 1)]
    (folder / "tests.txt").write_text("\n".join(tests) + "\n")
    (folder / "code.py").write_text("".join(f"x{number} = {number}\n" for number in range(40)))
    if git:
        run_git(folder, "init", "-q")
        run_git(folder, "add", "-A")
        run_git(folder, "commit", "-q", "-m", "before")
    return folder


def run_git(folder, *arguments):
    settings = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "maintenance.auto=false"]
    done = subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def agent(folder, **rounds):
    """A shell program beside the project; `r1`, `r2`, … say what it does in which round, `each` in every round."""
    path = folder.parent / "agent.sh"
    cases = "".join(f"{name[1:]}) {script} ;;\n" for name, script in rounds.items() if name != "each")
    path.write_text(f"#!/bin/sh\n{rounds.get('each', '')}\ncase $HEADWAY_ROUND in\n{cases}esac\n")
    path.chmod(0o755)
    return str(path)


def repair(*tests):
    """The shell command that makes tests pass."""
    return "; ".join(f"sed -i.bak 's/^{test} bad/{test} ok/' tests.txt; rm -f tests.txt.bak" for test in tests)


def users_git(folder):
    """Everything of the user's that a loop must not touch: index, HEAD, branches, stash, settings, hooks."""
    git = folder / ".git"
    kept = {name: (git / name).read_bytes() for name in ("index", "HEAD", "config")}
    others = run_git(folder, "for-each-ref", "--format=%(refname) %(objectname)")
    return kept, [line for line in others.splitlines() if not line.startswith("refs/headway/")]


def suite(folder):
    return (folder / "tests.txt").read_text().split("\n")[:-1]


def journal(folder, loop_id="it"):
    lines = (folder / ".headway" / "loops" / loop_id / "journal.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def prompt(folder, number, loop_id="it"):
    return Path(
        folder / ".headway" / "loops" / loop_id / "iterations" / f"iteration-{number:03d}" / "prompt.md"
    ).read_text()
