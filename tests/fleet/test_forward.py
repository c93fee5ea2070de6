"""`headway forward` between hooks and a real broker: `make e2e-fleet`."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from headway.core.events import decode_event
from headway.fleet.topics import EVENTS
from headway.store.outgoing import outgoing_counts
from tests.fleet.traffic import expected
from tests.hosts.hook.programs import Program

pytestmark = pytest.mark.fleet

HEADWAY = Path(sys.executable).with_name("headway")
AGENTS = 6


@pytest.fixture
def machine(tmp_path, monkeypatch, any_broker):
    """A machine whose hooks forward events to the broker."""
    broker = any_broker
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "machine"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HEADWAY_FORWARD__KAFKA", broker.address)
    monkeypatch.setenv("HEADWAY_FORWARD__CONTENT", "true")
    return tmp_path


def work(agents, steps):
    """Let agents work; the time that the slowest call of a hook took."""
    slowest = 0.0
    for _ in range(steps):
        for place, agent in enumerate(agents):
            began = time.perf_counter()
            if place % 2:  # this one goes in circles
                agent.step("make", "make: *** No rule to make target 'all'. Stop.", failed=True)
            else:
                agent.step(f"cat part-{agent.count}.py", f"part = {agent.count}")
            slowest = max(slowest, time.perf_counter() - began)
    return slowest


def test_a_broker_that_is_down_delays_no_agent_and_loses_no_event(machine, broker):
    from tests.fleet.instance import Instance, decided, received, wait_until

    broker.make_topics(4)
    agents = [Program("claude-code", f"session-{number}") for number in range(AGENTS)]
    for agent in agents:
        agent.prompt("make it work")
    forwarder = subprocess.Popen([HEADWAY, "forward"])
    instance = Instance(broker.address, machine / "instance")
    try:
        work(agents, 5)
        wait_until(lambda: outgoing_counts().waiting == 0, "everything is sent")
        broker.stop()
        slowest = work(agents, 10)
        assert slowest < 2.0  # any wait for the network takes longer
        counts = outgoing_counts()
        assert (counts.waiting > 60, counts.dropped) == (True, 0)
        broker.start()
        wait_until(lambda: outgoing_counts().waiting == 0, "everything is sent after the broker is back")
        work(agents, 5)
        wait_until(lambda: outgoing_counts().waiting == 0, "everything is sent at the end")
        made = {}
        for value in received(broker.address, EVENTS, enough=outgoing_counts().sent):
            event = decode_event(value)
            made.setdefault(event.key, {})[event.seq] = event
        made = {key: [events[seq] for seq in sorted(events)] for key, events in made.items()}
        assert AGENTS == len(made)
        for events in made.values():
            assert [*range(1, len(events) + 1)] == [event.seq for event in events]
        assert sum(map(len, made.values())) == outgoing_counts().sent
        right = {key: decisions for key, decisions in expected(made).items() if decisions}
        assert {"session-1/", "session-3/", "session-5/"} == right.keys()
        assert right == decided(broker.address, sum(map(len, right.values())))
    finally:
        forwarder.terminate()
        forwarder.wait()
        instance.kill()


def test_the_queue_is_sent_once_from_the_command_line(machine, any_broker, capsys):
    from headway.cli import run
    from tests.fleet.instance import received

    any_broker.make_topics(1)
    agent = Program("claude-code")
    agent.prompt("make it work")
    work([agent], 3)
    waiting = outgoing_counts().waiting
    assert waiting > 5
    assert 0 == run(["forward", "--once"])
    assert waiting == len(received(any_broker.address, EVENTS, enough=waiting))
    any_broker.stop()
    work([agent], 1)
    assert 1 == run(["forward", "--once", "--patience", "3"])
    assert "events wait in the queue" in capsys.readouterr().err
    assert outgoing_counts().waiting > 0


def test_an_event_that_no_broker_takes_is_dropped_and_holds_up_nothing(machine, any_broker):
    from headway.fleet.forward import Forwarder

    any_broker.make_topics(1)
    agent = Program("claude-code")
    agent.prompt("please do it. " * 400)
    work([agent], 2)
    waiting = outgoing_counts().waiting
    said = []
    forwarder = Forwarder({"bootstrap.servers": any_broker.address, "message.max.bytes": 2_000}, said.append)
    deadline = time.monotonic() + 60
    while outgoing_counts().waiting and time.monotonic() < deadline:
        forwarder.work()
    counts = outgoing_counts()
    assert (0, 0, 1, waiting - 1) == (counts.waiting, counts.bytes, counts.dropped, counts.sent)
    assert 1 == len(said)
