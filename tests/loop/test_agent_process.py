"""No process of an agent outlives its round, whenever an interrupt comes."""

import os
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
poll = lambda: os.kill(os.getpid(), signal.SIGINT) if Path("pid").exists() else None
command = ("sh", "-c", "trap '' TERM; echo $$ > pid.new; mv pid.new pid; sleep 300")
agent_process.GRACE_SECONDS = 0.5
try:
    agent_process.run_agent(command, Path.cwd(), env={}, stdin_path=Path(os.devnull), on_output=len, poll=poll)
except KeyboardInterrupt:
    print("interrupted")
"""


def ended(tmp_path, moment):
    """Run the agent in a process that is interrupted; returns whether the agent has ended with it."""
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


def test_an_interrupt_while_the_agent_is_being_started(tmp_path):
    assert ended(tmp_path, "early")


OWN_SESSION = (
    "import os; os.setsid(); open('pid.new', 'w').write(str(os.getpid())); os.rename('pid.new', 'pid'); "
    "os.execvp('sleep', ['sleep', '300'])"
)
"""What agents do with the commands they run."""
TRAPPED = "trap '' TERM; echo $$ > pid.new; mv pid.new pid; sleep 300"
RUNS_A_COMMAND = INTERRUPTED.replace(f'"{TRAPPED}"', 'sys.argv[2], "sh", sys.executable, sys.argv[3]')


def run_with_command(tmp_path, script):
    """An agent that ignores SIGTERM and runs a command in a session of its own."""
    agent = 'trap \'\' TERM; "$1" -c "$2"; sleep 300'
    return subprocess.Popen([sys.executable, "-c", script, "late", agent, OWN_SESSION], cwd=tmp_path)


def test_an_interrupt_ends_a_command_that_runs_in_a_session_of_its_own(tmp_path):
    assert run_with_command(tmp_path, RUNS_A_COMMAND).wait(60) == 0
    assert gone_by(tmp_path, time.monotonic() + 30)


def test_the_guard_ends_a_command_that_runs_in_a_session_of_its_own(tmp_path):
    script = RUNS_A_COMMAND.replace("os.kill(os.getpid(), signal.SIGINT)", "None")
    assert ends_with(run_with_command(tmp_path, script), tmp_path)


def test_a_daemon_keeps_running(tmp_path):
    """The tests that measure the round may need it."""
    service = OWN_SESSION.replace("os.setsid(); ", "os.fork() and os._exit(0); os.setsid(); ")
    agent = '"$1" -c "$2"; sleep 300'
    command = [sys.executable, "-c", RUNS_A_COMMAND, "late", agent, service]
    assert subprocess.run(command, cwd=tmp_path, stdout=subprocess.DEVNULL, timeout=60).returncode == 0
    pid = (tmp_path / "pid").read_text()
    try:
        assert is_running(pid)
    finally:
        os.kill(int(pid), signal.SIGKILL)


def test_the_guard_ends_the_agent_when_we_are_killed(tmp_path):
    script = INTERRUPTED.replace("os.kill(os.getpid(), signal.SIGINT)", "None")
    assert ends_with(subprocess.Popen([sys.executable, "-c", script, "late"], cwd=tmp_path), tmp_path)


def ends_with(process, tmp_path):
    """Kill the supervisor while the agent runs; returns whether the agent ends soon after."""
    deadline = time.monotonic() + 30
    while not (tmp_path / "pid").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return gone_by(tmp_path, deadline)


def gone_by(tmp_path, deadline):
    while is_running((tmp_path / "pid").read_text().strip()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
