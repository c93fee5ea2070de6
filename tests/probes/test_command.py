"""Running commands with limits and without leftover processes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from headway.probes.command import run_command
from headway.probes.printout import Printout

CHILD_THAT_STAYS = "sleep 300 & echo $! > child.pid; echo begun; "


def is_alive(pid):
    """Whether a process runs; one that has ended and was not yet collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone_within(seconds, pid):
    deadline = time.monotonic() + seconds
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_alive(pid)


def run_until_killed(command, folder):
    """Run a command that never ends, for so long that it has started its child, however busy the machine is."""
    for seconds in (0.5, 2, 8, 32):
        ran = run_command(command, folder, seconds)
        if (folder / "child.pid").exists() and (folder / "child.pid").read_text().strip():
            break
    return ran, seconds


def child_in(folder):
    return int((folder / "child.pid").read_text())


def test_output_and_exit_code(tmp_path):
    ran = run_command("echo out; echo err >&2; exit 3", tmp_path, 10)

    assert (3, b"out\nerr\n", False, None) == (ran.exit_code, ran.output, ran.timed_out, ran.fault)


def test_standard_error_separately(tmp_path):
    ran = run_command("echo out; echo err >&2", tmp_path, 10, errors_apart=True)

    assert (b"out\n", b"err\n") == (ran.output, ran.errors)


def test_a_list_is_not_read_by_a_shell(tmp_path):
    assert b"$HOME; ls\n" == run_command(["echo", "$HOME; ls"], tmp_path, 10).output


def test_a_missing_program_is_a_fault(tmp_path):
    assert "no-such-program could not be started" in run_command(["no-such-program"], tmp_path, 10).fault
    assert "could not be started" in run_command(["true"], tmp_path / "nowhere", 10).fault
    assert "could not be started" in run_command([], tmp_path, 10).fault
    assert "could not be started" in run_command(["tr\0ue"], tmp_path, 10).fault


def test_standard_input_is_empty(tmp_path):
    """There is no standard input to wait for, and no terminal."""
    assert b"nothing" in run_command("read answer || echo nothing", tmp_path, 10).output


def test_a_hanging_command_dies_with_its_children(tmp_path):
    ran, seconds = run_until_killed(CHILD_THAT_STAYS + "wait", tmp_path)

    assert (True, None, f"killed after {seconds:g} s") == (ran.timed_out, ran.exit_code, ran.fault)
    assert b"begun\n" == ran.output
    assert ran.seconds < 200  # the child alone would take 300
    assert gone_within(60, child_in(tmp_path))


@pytest.mark.slow
def test_a_command_that_ignores_sigterm_is_killed(tmp_path):
    ran, _ = run_until_killed("trap '' TERM; " + CHILD_THAT_STAYS + "while :; do sleep 1; done", tmp_path)

    assert ran.timed_out and ran.seconds < 200
    assert gone_within(60, child_in(tmp_path))


def test_a_hanging_command_dies_with_what_it_runs_in_a_session_of_its_own(tmp_path):
    code = (
        "import os; os.setsid(); open('child.pid', 'w').write(str(os.getpid())); os.execvp('sleep', ['sleep', '300'])"
    )
    command = [sys.executable, "-c", f"import subprocess; subprocess.run([{sys.executable!r}, '-c', {code!r}])"]
    ran, _ = run_until_killed(command, tmp_path)

    assert ran.timed_out
    assert gone_within(60, child_in(tmp_path))


def test_a_child_left_behind_is_ended_and_not_waited_for(tmp_path):
    """It holds the pipe open, on which a plain `communicate` would wait five minutes."""
    ran = run_command(CHILD_THAT_STAYS, tmp_path, 60)

    assert (0, b"begun\n") == (ran.exit_code, ran.output)
    assert ran.seconds < 50
    assert gone_within(60, child_in(tmp_path))


def test_an_interrupt_ends_the_command_with_its_children(tmp_path):
    """Ctrl-C reaches us and not the command, which has a session of its own."""
    code = (
        "from pathlib import Path; from headway.probes.command import run_command; "
        f"run_command({CHILD_THAT_STAYS + 'wait'!r}, Path('.'), 300)"
    )
    ours = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 100
    while not (tmp_path / "child.pid").exists() or not (tmp_path / "child.pid").read_text().strip():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert is_alive(child_in(tmp_path))

    ours.send_signal(signal.SIGINT)

    assert 0 != ours.wait(100)
    assert gone_within(60, child_in(tmp_path))


def test_a_signal_is_a_fault(tmp_path):
    assert "ended by signal 11" == run_command("kill -SEGV $$", tmp_path, 10).fault


def test_long_output_keeps_its_beginning_and_its_end(tmp_path):
    ran = run_command("echo first; yes x | head -c 3000000; echo last", tmp_path, 30, most=400_000)

    assert ran.clipped and len(ran.output) < 600_000
    assert ran.output.startswith(b"first\n") and ran.output.endswith(b"last\n")
    assert b"bytes left out" in ran.output


def test_a_printout_that_fits_is_whole():
    printout = Printout(100)
    for piece in (b"a" * 30, b"b" * 60, b"c" * 10):
        printout.add(piece)

    assert b"a" * 30 + b"b" * 60 + b"c" * 10 == printout.text()
    assert not printout.clipped


def test_no_bytecode_and_no_colours(tmp_path):
    ran = run_command("echo $CI $NO_COLOR $PYTHONDONTWRITEBYTECODE $MINE", tmp_path, 10, env={"MINE": "yes"})

    assert b"true 1 1 yes\n" == ran.output
    assert "MINE" not in os.environ
