"""Nothing of an agent outlives its round, whenever the interrupt comes."""

import signal
import subprocess
import sys
import time

from tests.loop.killing import is_running

INTERRUPTED = """
import os, signal, sys
from pathlib import Path
from headway.loop import agent_process

signal.signal(signal.SIGINT, signal.default_int_handler)
start = agent_process._started

def interrupted(*arguments):
    process = start(*arguments)
    while not Path("pid").exists():
        pass
    raise KeyboardInterrupt  # the agent runs, and nobody has it in hand yet

if sys.argv[1] == "early":
    agent_process._started = interrupted
glance = lambda: os.kill(os.getpid(), signal.SIGINT) if Path("pid").exists() else None
command = ("sh", "-c", "trap '' TERM; echo $$ > pid.new; mv pid.new pid; sleep 300")
agent_process.GRACE = 0.5
try:
    agent_process.run_agent(command, Path.cwd(), env={}, given=Path(os.devnull), heard=len, glance=glance)
except KeyboardInterrupt:
    print("interrupted")
"""


def ended(tmp_path, moment):
    """Run the agent in a process that is interrupted; whether the agent is gone when that has ended."""
    warnings = [
        "-W",
        "ignore::ResourceWarning",
    ]  # the interrupted process has lost hold of the agent: that is the point
    done = subprocess.run(
        [sys.executable, *warnings, "-c", INTERRUPTED, moment], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert "interrupted\n" == done.stdout, done.stderr
    return not is_running((tmp_path / "pid").read_text().strip())


def test_an_interrupt_while_the_agent_works(tmp_path):
    assert ended(tmp_path, "late")


def test_an_interrupt_before_anybody_has_the_agent_in_hand(tmp_path):
    assert ended(tmp_path, "early")


def test_the_guard_ends_the_agent_when_we_are_killed(tmp_path):
    script = INTERRUPTED.replace("os.kill(os.getpid(), signal.SIGINT)", "None")
    process = subprocess.Popen([sys.executable, "-c", script, "late"], cwd=tmp_path)
    deadline = time.monotonic() + 30
    while not (tmp_path / "pid").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    while is_running((tmp_path / "pid").read_text().strip()):
        assert time.monotonic() < deadline, "the agent outlived us"
        time.sleep(0.01)
