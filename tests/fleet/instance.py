"""Instances of `headway fleet` as processes of their own, and clients of the broker."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path

import msgspec
from confluent_kafka import Consumer, Producer, TopicPartition

from headway.core.events import Event
from headway.fleet.topics import DECISIONS, EVENTS, Decided
from tests.fleet.broker import free_port
from tests.fleet.traffic import raw


class Instance:
    """One process of `headway fleet`."""

    def __init__(self, address: str, state: Path, *options: str) -> None:
        self.port = free_port()
        words = ["fleet", "--kafka", address, "--state", str(state), "--metrics", str(self.port), *options]
        self.log = state.with_suffix(".log")
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([Path(sys.executable).with_name("headway"), *words], stdout=log, stderr=log)

    def counted(self, name: str) -> int:
        """A counter; 0 as long as the instance does not answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=5) as answer:
                lines = answer.read().decode().splitlines()
        except OSError:
            return 0
        return sum(int(line.split()[1]) for line in lines if line.startswith(f"headway_fleet_{name}"))

    def kill(self) -> None:
        """As a machine that loses power."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self) -> int:
        """Ask it to end, and return its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


def send(address: str, pairs: Iterable[tuple[str, Event]]) -> None:
    """Send events, and wait until the broker has them."""
    producer = Producer({"bootstrap.servers": address, "enable.idempotence": True})
    for key, event in pairs:
        producer.produce(EVENTS, raw(event), key)
        producer.poll(0)
    assert 0 == producer.flush(60)


def send_until(address: str, pairs: list[tuple[str, Event]], sent: int, condition, what: str) -> int:
    """Send a few events at a time, from a place on, until something is true; the place after the last one sent."""
    while not condition():
        assert sent < len(pairs) - 500, f"nearly all events were sent before this: {what}"
        send(address, pairs[sent : sent + 25])
        sent += 25
        time.sleep(0.2)
    return sent


def received(address: str, topic: str, *, enough: int, patience: float = 120.0) -> list[bytes]:
    """All committed messages of a topic, once there are enough and no more come for two seconds."""
    consumer = Consumer({"bootstrap.servers": address, "group.id": f"test-{os.getpid()}", "isolation.level": "read_committed",
                         "enable.auto.commit": False})  # fmt: skip
    partitions = consumer.list_topics(topic, timeout=30).topics[topic].partitions
    consumer.assign([TopicPartition(topic, number, 0) for number in partitions])
    found: list[bytes] = []
    last = time.monotonic()
    while time.monotonic() - last < (2.0 if len(found) >= enough else patience):
        message = consumer.poll(0.2)
        if message is not None and message.error() is None:
            found.append(message.value() or b"")
            last = time.monotonic()
    consumer.close()
    return found


def decided(address: str, enough: int) -> dict[str, list[Decided]]:
    """The decisions about each session, in the order of the topic."""
    by_session: dict[str, list[Decided]] = {}
    for value in received(address, DECISIONS, enough=enough):
        one = msgspec.json.decode(value, type=Decided)
        by_session.setdefault(f"{one.run}/{one.agent}", []).append(one)
    return by_session


def wait_until(condition, what: str, patience: float = 120.0) -> None:
    """Wait for something, and fail with its name."""
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen within {patience} s"
        time.sleep(0.1)
