"""`headway status` and `headway watch`, over sessions that the real hook has heard of."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from headway.setup import agents
from tests import command

HEADWAY = str(Path(sys.executable).parent / "headway")


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.delenv("COLUMNS", raising=False)


def headway(*arguments, stdin=""):
    return command.headway(*arguments, stdin=stdin, folder=Path.cwd(), text=True)


def live(agent, times, **fields):
    """An agent that makes the same call a few times, and hears about it."""
    for number in range(times):
        for event in agents()[agent].sample(number):
            assert 0 == headway("hook", "--agent", agent, stdin=json.dumps({**event, **fields})).returncode


def test_status_has_nothing_to_tell_at_first():
    assert "No agent activity in the last 24 hours" in headway("status").stdout
    assert {"version": 1, "sessions": []} == json.loads(headway("status", "--format", "json").stdout)


def test_status_tells_of_each_session_what_was_found_and_decided():
    live("claude-code", 3, cwd="/home/dev/shop")
    live("codex", 1)
    done = headway("status")

    assert re.search(
        r"^claude-code rehearsa in /home/dev/shop: 3 steps, nudge, looping, active \d+s ago$", done.stdout, re.MULTILINE
    )
    assert (
        "  exact_cycle (high), step 3: The command `cat notes.txt` gave the same result 3 times in a row."
        in done.stdout
    )
    assert "  last decision: nudge at step 3 (exact_cycle)" in done.stdout
    assert re.search(r"^codex .* 1 step, continue", done.stdout, re.MULTILINE)


def test_one_step_is_one_step():
    assert "No agent activity in the last 1 hour. " in headway("status", "--since", "1h").stdout
    live("codex", 1)
    assert ": 1 step, continue" in headway("status").stdout


def test_status_in_json_has_it_all():
    live("gemini", 3)
    (session,) = json.loads(headway("status", "--format", "json").stdout)["sessions"]
    assert ("gemini", 3, "Bash", "nudge") == tuple(session[name] for name in ("host", "steps", "last_tool", "verdict"))
    assert ["exact_cycle"] == [finding["detector"] for finding in session["findings"]]
    assert [("nudge", 3)] == [(decision["action"], decision["step"]) for decision in session["decisions"]]


def test_status_shows_nothing_that_a_terminal_would_obey():
    live("claude-code", 1, cwd="/home/\x1b[31mred\x07", tool_name="Ba\x1bsh")
    assert not set("\x1b\x07") & set(headway("status").stdout)


def test_status_of_a_damaged_memory_names_it(tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "sessions.db").write_bytes(b"no database at all" * 100)
    done = headway("status")
    assert (
        2 == done.returncode and "sessions.db: file is not a database; run `headway doctor` for details" in done.stderr
    )


class Terminal:
    """`headway watch` in a terminal of 80 columns."""

    def __init__(self):
        self.own, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        command, ends = [HEADWAY, "watch", "--every", "0.2"], {"stdin": theirs, "stdout": theirs, "stderr": theirs}
        self.process = subprocess.Popen(command, env={**os.environ, "TERM": "xterm"}, **ends)
        self.theirs, self.shown = theirs, ""

    def wait_for(self, text, seconds=40.0):
        """Read until a text has been shown after the last one that was waited for."""
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < deadline, f"{text!r} was not shown: {self.shown[-2000:]!r}"
            if select.select([self.own], [], [], 0.2)[0]:
                self.shown += os.read(self.own, 65536).decode(errors="replace")
        shown, self.shown = self.shown, ""
        return shown

    def end(self):
        """Its exit code, after all that it still says."""
        try:
            code = self.process.wait(100)
        finally:
            self.process.kill()
        while select.select([self.own], [], [], 0.1)[0]:
            self.shown += os.read(self.own, 65536).decode(errors="replace")
        settings = termios.tcgetattr(self.theirs)[3]
        os.close(self.own)
        os.close(self.theirs)
        assert settings & termios.ICANON and settings & termios.ECHO, "the terminal takes lines again"
        return code


def test_watch_updates_by_itself_and_ends_with_q():
    live("claude-code", 1, cwd="/home/dev/a-project-with-quite-a-long-name-for-a-column")
    terminal = Terminal()
    first = terminal.wait_for("claude-code")
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", first).replace("\r", "").split("\n")
    assert max(map(len, lines)) <= 80
    live("gemini", 3)
    terminal.wait_for("exact_cycle")
    terminal.wait_for("gave the same result 3 times")
    os.write(terminal.own, b"q")

    assert 0 == terminal.end()
    assert "\x1b[?1049l" in terminal.shown, "the screen as it was is back"


def test_watch_tells_sessions_apart_and_opens_one_with_enter(tmp_path):
    for id, prompt, times in (("aaaa1111-x", "paint the shed", 1), ("bbbb2222-x", "fix the login", 3)):
        sent = {"session_id": id, "hook_event_name": "UserPromptSubmit", "prompt": prompt, "cwd": "/home/dev/shop"}
        assert 0 == headway("hook", "--agent", "claude-code", stdin=json.dumps(sent)).returncode
        live("claude-code", times, session_id=id, cwd="/home/dev/shop")
    sent = {"session_id": "aaaa1111-x", "hook_event_name": "Stop", "last_assistant_message": "It is painted."}
    headway("hook", "--agent", "claude-code", stdin=json.dumps(sent))

    terminal = Terminal()
    shown = plain(terminal.wait_for("paint the shed"))
    assert re.search(r"▸ +looping +claude-code +bbbb2222 +fix the log.* 3 +exact_", shown)
    assert re.search(r"  idle +claude-code +aaaa1111 +paint the shed", shown)
    assert shown.index("bbbb2222") < shown.index("aaaa1111"), "what needs attention comes first"
    os.write(terminal.own, b"\x1b[B\r")
    opened = plain(terminal.wait_for("headway stop aaaa1111"))
    assert "bbbb2222" not in opened.partition("aaaa1111-x in /home/dev/shop: idle")[2]
    os.write(terminal.own, b"\x1b")
    terminal.wait_for("Enter opens one")
    os.write(terminal.own, b"k\r")
    opened = plain(terminal.wait_for("headway stop bbbb2222"))
    assert "! exact_cycle: The command `cat notes.txt` gave the same result 3 times" in opened
    assert "> nudge at step 3" in opened
    os.write(terminal.own, b"q")
    assert 0 == terminal.end()


def plain(shown):
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).replace("\r", "")


def test_watch_ends_with_ctrl_c():
    terminal = Terminal()
    terminal.wait_for("No agent activity yet")
    terminal.process.send_signal(signal.SIGINT)
    assert 130 == terminal.end()
    assert "\x1b[?1049l" in terminal.shown and "Traceback" not in terminal.shown
    assert terminal.shown.rstrip().endswith("interrupted")


def test_watch_ends_when_its_terminal_is_gone():
    terminal = Terminal()
    terminal.wait_for("No agent activity yet")
    os.close(terminal.own)
    os.close(terminal.theirs)
    try:
        assert 0 < terminal.process.wait(100)
    finally:
        terminal.process.kill()


def test_watch_needs_a_terminal():
    done = headway("watch")
    assert (2, "") == (done.returncode, done.stdout)
    assert "not a terminal; use `headway status` instead" in done.stderr
