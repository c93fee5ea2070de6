"""A Kafka broker for tests: Apache Kafka in KRaft mode, fetched by its Maven coordinates and run with plain Java."""

import os
import shutil
import signal
import socket
import subprocess
import time
from functools import cache
from pathlib import Path

from headway.fleet.topics import DEAD, DECISIONS, EVENTS, FINDINGS

KAFKA = "3.9.1"
PLACE = Path(__file__).parents[2] / ".e2e" / f"kafka-{KAFKA}"
PATIENCE = 240
"""Seconds that Maven may take to fetch it."""

POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>headway</groupId><artifactId>kafka-for-tests</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>{KAFKA}</version></dependency>
  </dependencies>
</project>
"""

PROPERTIES = """process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
controller.listener.names=CONTROLLER
log.dirs={logs}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
group.initial.rebalance.delay.ms=0
"""


@cache
def why_not() -> str | None:
    """Why Apache Kafka cannot run here, or None."""
    needed = ("java",) if (PLACE / "fetched").exists() else ("java", "mvn")
    missing = [name for name in needed if shutil.which(name) is None]
    if missing:
        return f"{' and '.join(missing)} not found"
    try:
        fetch()
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        return f"Maven could not fetch org.apache.kafka:kafka_2.13:{KAFKA}: {str(error.stdout or error)[-300:]}"
    return None


def fetch() -> None:
    """Fetch the broker and all it needs, once."""
    if (PLACE / "fetched").exists():
        return
    PLACE.mkdir(parents=True, exist_ok=True)
    (PLACE / "pom.xml").write_text(POM)
    command = ["mvn", "-q", "-B", "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=libs"]
    subprocess.run(
        command, cwd=PLACE, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE
    )
    (PLACE / "fetched").touch()


class Broker:
    """One broker with its own folder; it can be stopped and started again."""

    what = f"Apache Kafka {KAFKA}, KRaft, one broker"

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.address = f"127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self._properties = folder / "server.properties"
        self._properties.write_text(PROPERTIES.format(port=self.port, controller=free_port(), logs=folder / "logs"))
        storage = ["kafka.tools.StorageTool", "format", "-t", "MkU3OEVBNTcwNTJENDM2Qg", "-c", str(self._properties)]
        subprocess.run(self._java(*storage), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self) -> None:
        """Start, and wait until it answers."""
        with (self.folder / "broker.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._java("kafka.Kafka", str(self._properties)), stdout=log, stderr=log, start_new_session=True
            )
        deadline = time.monotonic() + 90
        while not _answers(self.address):
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise RuntimeError(f"the broker did not start: {(self.folder / 'broker.log').read_text()[-2000:]}")
            time.sleep(0.2)

    def stop(self) -> None:
        """Kill it. What it has acknowledged is on disk."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def make_topics(self, partitions: int) -> None:
        """Make the topics, so that events can be sent before an instance runs."""
        from confluent_kafka.admin import AdminClient, NewTopic

        wanted = [NewTopic(name, partitions, 1) for name in (EVENTS, FINDINGS, DECISIONS, DEAD)]
        admin = AdminClient({"bootstrap.servers": self.address})
        for future in admin.create_topics(wanted).values():
            future.result(timeout=30)

    def _java(self, *words: str) -> list[str]:
        return ["java", "-Xmx512m", "-cp", f"{PLACE}/libs/*", *words]


class MockBroker:
    """librdkafka's own broker for tests, in this process. It has no admin interface, so `headway fleet` cannot use it."""

    what = "librdkafka's mock broker"

    def __init__(self) -> None:
        from confluent_kafka import Producer

        self._cluster = Producer({"bootstrap.servers": "none", "test.mock.num.brokers": 1, "log_level": 0})
        (one,) = self._cluster.list_topics(timeout=10).brokers.values()
        self.address = f"{one.host}:{one.port}"

    def make_topics(self, partitions: int) -> None:
        """Asking for a topic creates it."""
        self._cluster.list_topics(EVENTS, timeout=10)

    def stop(self) -> None:
        """End it."""
        self._cluster = None


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _answers(address: str) -> bool:
    from confluent_kafka import KafkaException
    from confluent_kafka.admin import AdminClient

    try:
        return bool(AdminClient({"bootstrap.servers": address, "log_level": 0}).list_topics(timeout=2).brokers)
    except KafkaException:
        return False
