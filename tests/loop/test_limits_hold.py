"""Limits apply whatever happens to the clock, the output or the project's files, and all costs count."""

import os
import time

import pytest

from headway.config.settings import Settings
from headway.loop.clock import Clock
from headway.loop.screen import MAX_PENDING, Screen
from headway.loop.spec import LoopSpec
from headway.loop.starting import start_loop
from tests.loop.killing import is_running
from tests.loop.projects import agent, journal, repair
from tests.loop.test_durability import start, wait_for
from tests.slow import slow


@pytest.fixture
def set_clock(folder, monkeypatch):
    """The clock is changed by this many seconds as soon as the agent has touched `../set`."""
    mark, really = folder.parent / "set", time.time

    def by(seconds):
        monkeypatch.setattr(time, "time", lambda: really() + (seconds if mark.exists() else 0))

    return by


def test_a_clock_that_jumps_ahead_does_not_end_a_round(loop, folder, set_clock):
    set_clock(3600)
    work = agent(folder, r1=f"touch ../set; sleep 0.5; {repair('t3')}")
    _, result = loop("--round-timeout", "30m", "--for", "50m", "--max-rounds", 1, "--", work)
    assert "max_rounds" == result["ending"]["reason"] and "ended early" not in loop.said
    assert result["seconds"] < 600


@pytest.mark.slow
def test_a_clock_that_jumps_back_does_not_extend_a_round(loop, folder, set_clock):
    set_clock(-3600)
    loop("--round-timeout", "1s", "--max-rounds", 1, "--", agent(folder, r1="touch ../set; sleep 120"))
    assert "ended early (round_timeout)" in loop.said


def test_time_passes_evenly(monkeypatch):
    clock = Clock()
    first = clock.now()
    monkeypatch.setattr(time, "time", lambda: first + 1e6)
    assert 0 <= clock.now() - first < 1000


@pytest.mark.slow
def test_measuring_ends_with_the_time_for_the_loop(loop, folder):
    """Without a bound it would be killed after ten minutes, twice."""
    code, result = loop.run(
        "--task", "x", "--id", "it", "--format", "json", "--test", "sh check.sh; [ ! -e hang ] || sleep 300",
        "--for", "4s", "--", agent(folder, r1="touch hang"),
    )  # fmt: skip
    assert (3, "time") == (code, result["ending"]["reason"])
    assert result["seconds"] < 60


def test_a_test_command_does_not_outlive_a_killed_loop(folder):
    pid = folder.parent / "pid"
    process = start(folder, "--task", "x", "--test", f"echo $$ > {pid}; sleep 300; echo late >> code.py", "--", "true")
    test_pid = wait_for(pid, process)
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 30
    while is_running(test_pid):
        assert time.monotonic() < deadline, "the test command outlived the loop"
        time.sleep(0.02)


@pytest.mark.slow
def test_limits_apply_if_the_output_is_not_read(folder):
    reading, writing = os.pipe()
    printing = (agent(folder, r1="head -c 5000000 /dev/zero; touch printed"),)
    spec = LoopSpec(command=printing, task="x", test="sh check.sh", max_rounds=1, round_timeout=1.0)
    with os.fdopen(writing, "wb") as pager, os.fdopen(reading, "rb"):
        screen = Screen(to=pager, terminal=False)
        with start_loop(spec, Settings(), folder, screen, loop_id="it") as runner:
            state = runner.run()
    assert ["round_timeout"] == [one.cut for one in state.agents]
    assert 1 == state.number and not (folder / "printed").exists()


def test_output_that_is_read_late_is_complete():
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pager:
        screen = Screen(to=pager, terminal=False)
        screen.output(b"x" * (MAX_PENDING + 100_000))
        assert not screen.has_room()
        seen = 0
        while not screen.has_room():
            seen += len(os.read(reading, 65_536))
        while seen < MAX_PENDING + 100_000:
            seen += len(os.read(reading, 65_536))
            screen.has_room()
    os.close(reading)


@pytest.mark.parametrize("name", ["pyproject.toml", "PROMPT.md", *slow("package.json", "Makefile", "code2.py")])
def test_a_pipe_instead_of_a_file_does_not_block(loop, folder, name):
    (folder / "PROMPT.md").write_text("work\n")
    script = agent(folder, r1=f"rm -f {name}; mkfifo {name}", r2=repair("t3"))
    code, result = loop.run(
        "--prompt", "PROMPT.md", "--id", "it", "--format", "json", "--test", "sh check.sh", "--max-rounds", 2, "--", script
    )  # fmt: skip
    assert (3, 2) == (code, result["rounds"])


COSTS = """echo '{"total_cost_usd": 3.0}'; """


def test_the_cost_of_an_interrupted_round_counts(loop, folder):
    """Two interrupted rounds of 3 USD would be 6 of 5 allowed, so the second is not started."""
    script = agent(folder, each=COSTS + "sleep 1; kill -TERM $PPID; sleep 60")
    assert 130 == loop("--budget-usd", "5", "--", script)[0]
    assert [3.0] == [fact["cost_usd"] for fact in journal(folder) if fact["fact"] == "spent"]
    code, result = loop.resume()
    assert (3, "spend", 3.0) == (code, result["ending"]["reason"], result["cost_usd"])


def test_the_cost_of_a_killed_round_counts(folder, loop):
    script = agent(folder, r1=COSTS + "sleep 300")
    process = start(folder, "--task", "x", "--test", "sh check.sh", "--id", "it", "--budget-usd", "5", "--", script)
    path = folder / ".headway/loops/it/journal.jsonl"
    deadline = time.monotonic() + 60
    while not (path.exists() and b'"spent"' in path.read_bytes()):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    process.communicate()
    assert "spend" == loop.resume()[1]["ending"]["reason"]


def test_costs_of_several_sessions_add_up_and_are_not_reset(loop, folder):
    line = """echo '{"session_id": "%s", "total_cost_usd": %s}'; """
    three = line % ("a", 0.5) + line % ("b", 0.25) + line % ("c", 0.0)
    _, result = loop("--max-rounds", 1, "--", agent(folder, r1=three + repair("t3")))
    assert 0.75 == result["cost_usd"]


def test_the_cost_from_the_transcript_is_used_if_the_agent_prints_none(loop, folder):
    used = """echo '{"type":"used","run":"s","cost_usd":0.5}' > ../t.jsonl; """
    nothing = """echo '{"total_cost_usd": 0.0}'; """
    _, result = loop("--max-rounds", 1, "--transcript", "../t.jsonl", "--", agent(folder, r1=used + nothing))
    assert 0.5 == result["cost_usd"]


@pytest.mark.slow
def test_the_time_for_the_loop_bounds_the_tests_of_the_baseline(loop, folder):
    (folder / "test_it.sh").write_text("[ ! -e hang ] || sleep 300\n")
    began = time.monotonic()
    loop.run(
        "--task", "x", "--id", "it", "--format", "json", "--test", "sh test_it.sh; sh check.sh", "--for", "5s",
        "--max-rounds", 1, "--", agent(folder, r1="touch hang; echo true > test_it.sh"),
    )  # fmt: skip
    assert time.monotonic() - began < 60
    assert "with the tests of the baseline: the tests could not be run" in loop.said
