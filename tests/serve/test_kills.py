"""The service killed at any moment while a session goes through the real client: nothing is lost, nothing counted twice."""

import json
import os
import signal
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from headway import Monitor
from headway.store.faults import read_faults
from tests.hosts.hook.programs import Program
from tests.serve.client_runs import run_client

KILLS = int(os.environ.get("HEADWAY_TEST_SERVICE_KILLS", "3"))
"""How often the service is killed; `make stress` has 50."""
HEADWAY = str(Path(sys.executable).parent / "headway")


def started() -> subprocess.Popen[str]:
    process = subprocess.Popen([HEADWAY, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().startswith("Headway is running at")
    return process


def answered(state: Path) -> int:
    """How many events the running service has answered."""
    url, token = json.loads((state / "serve.json").read_text())["url"], (state / "serve.token").read_text().strip()
    request = urllib.request.Request(f"{url}/metrics", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=120) as response:
        text = response.read().decode()
    return int(text.partition("headway_hook_seconds_count ")[2].split()[0])


def batch(number: int) -> bytes:
    data = Program("claude-code")._batch(f"make part-{number}", f"built {number}")
    data["tool_calls"][0]["tool_use_id"] = f"call-{number}"
    return json.dumps(data).encode()


def test_a_service_that_is_killed_again_and_again_loses_and_doubles_nothing(state):
    is_over, fed = threading.Event(), []

    def feed() -> None:
        while not is_over.is_set():
            done = run_client(batch(len(fed) + 1), "--agent", "claude-code")
            assert (b"", b"") == (done.stdout, done.stderr)
            fed.append(1)

    feeding = threading.Thread(target=feed)
    feeding.start()
    through_service = 0
    try:
        for number in range(KILLS):
            process, deadline = started(), time.monotonic() + 20
            while not answered(state) and time.monotonic() < deadline:
                time.sleep(0.01)
            through_service += answered(state)
            time.sleep(0.003 * (number % 17))
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stdout.close()
            known = len(fed)
            while len(fed) < known + 2:  # and now without it
                assert feeding.is_alive()
                time.sleep(0.01)
    finally:
        is_over.set()
        feeding.join()

    assert KILLS <= through_service < len(fed)
    with closing(sqlite3.connect(state / "sessions.db")) as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
        ((steps, monitor),) = connection.execute("SELECT steps, monitor FROM sessions").fetchall()
        numbers = [number for (number,) in connection.execute("SELECT number FROM steps ORDER BY number")]
    assert (len(fed), len(fed)) == (steps, Monitor.load(monitor).session.step_count)
    assert list(range(1, len(fed) + 1)) == numbers
    assert [] == read_faults()


@pytest.mark.skipif(KILLS < 50, reason="measures time, which other work on the machine changes; run `make stress`")
def test_an_agent_is_not_delayed_by_a_service_that_is_gone(state):
    """What the client takes without a service, against the hook process itself, in turn."""

    def timed(run) -> float:
        start = time.perf_counter()
        run()
        return time.perf_counter() - start

    process = started()
    process.kill()
    process.wait()
    process.stdout.close()
    command = [HEADWAY, "hook", "--agent", "claude-code"]
    client, hook = [], []
    for number in range(1, 41):
        sent = batch(number)
        client.append(timed(lambda sent=sent: run_client(sent, "--agent", "claude-code")))
        sent = batch(1000 + number)
        hook.append(timed(lambda sent=sent: subprocess.run(command, input=sent, check=True, capture_output=True)))

    assert (state / "serve.sock").exists()  # left behind
    assert statistics.median(client) - statistics.median(hook) < 0.1
