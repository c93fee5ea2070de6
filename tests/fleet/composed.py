"""The services of a compose file as processes: each with its own network, host name, volumes and environment, as in Docker.

Network namespaces and bubblewrap do what Docker's engine would do, without it. Images are not fetched: Kafka is the one
that Maven fetched, set up by the class that its image uses; Prometheus is the one that is installed; the image that the
Dockerfile describes is an environment into which its files and its packages are put by its own words.
"""

import os
import re
import shutil
import subprocess
import venv
from pathlib import Path
from typing import Any

import yaml

from tests.fleet.broker import PLACE, why_not

NEEDED = ("ip", "bwrap", "prometheus")
NETWORK = "10.77.0"
KAFKA = "/opt/kafka/libs/*"
SETUP = "kafka.docker.KafkaDockerWrapper setup --default-configs-dir /made --mounted-configs-dir /none --final-configs-dir /made"
PROMETHEUS = ["prometheus", "--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]
"""What its image runs. The folder is made in the root of the container, which is lost with it."""


def why_not_composed() -> str | None:
    """Why this cannot run here, or None."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return "only root can make networks"
    missing = [name for name in NEEDED if shutil.which(name) is None]
    return f"{' and '.join(missing)} not found" if missing else why_not()


class Composed:
    """The services of one compose file. They are started and ended one by one."""

    def __init__(self, file: Path, folder: Path) -> None:
        self.file, self.folder = file, folder
        self.services: dict[str, Any] = yaml.safe_load(file.read_text())["services"]
        self._space = f"headway-{os.getpid()}"
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._hosts = folder / "hosts"
        addresses = {name: f"{NETWORK}.{number}" for number, name in enumerate(self.services, 2)}
        self._hosts.write_text("127.0.0.1 localhost\n" + "".join(f"{ip} {name}\n" for name, ip in addresses.items()))
        self._connect(addresses)

    def _connect(self, addresses: dict[str, str]) -> None:
        switch = f"{self._space}-switch"
        _ip("netns", "add", switch)
        _ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        _ip("-n", switch, "link", "set", "bridge", "up")
        for number, (name, address) in enumerate(addresses.items()):
            space = self._network(name)
            _ip("netns", "add", space)
            _ip("-n", space, "link", "add", "eth0", "type", "veth", "peer", "name", f"to{number}", "netns", switch)
            _ip("-n", switch, "link", "set", f"to{number}", "master", "bridge", "up")
            _ip("-n", space, "address", "add", f"{address}/24", "dev", "eth0")
            for device in ("eth0", "lo"):
                _ip("-n", space, "link", "set", device, "up")

    def build(self, service: str) -> Path:
        """What the Dockerfile of a service makes: the `bin` folder of an environment."""
        build = self.services[service]["build"]
        context = (self.file.parent / build["context"]).resolve()
        text = (context / build["dockerfile"]).read_text().replace("\\\n", " ")
        source = self.folder / "source"
        source.mkdir()
        for words in (line.split()[1:] for line in text.splitlines() if line.startswith("COPY ")):
            for one in words[:-1]:
                place = source / (Path(words[-1]).relative_to("/source") if (context / one).is_dir() else one)
                (shutil.copytree if (context / one).is_dir() else shutil.copy)(context / one, place)
        (install,) = re.findall(r"RUN (pip install .*?) &&", text)
        venv.create(self.folder / "image", with_pip=True)
        words = [*_sandbox({source: "/source"}), "sh", "-c", install]
        found = self.folder / "image" / "bin"
        environment = {**os.environ, "PATH": f"{found}:{os.environ['PATH']}"}
        subprocess.run(words, check=True, env=environment, stdout=subprocess.DEVNULL)  # errors are shown
        return found

    def start(self, name: str, words: list[str], volumes: dict[Path, str] | None = None) -> None:
        """Start a service with what its image would run, and its own command, environment and volumes."""
        service = self.services[name]
        bound = dict(volumes or {})
        for volume in service.get("volumes", ()):
            kept, place, *_ = volume.split(":")
            source = self.file.parent / kept if kept.startswith(".") else self.folder / "volumes" / kept
            if not kept.startswith("."):
                source.mkdir(parents=True, exist_ok=True)
            bound[source.resolve()] = place
        environment = {key: str(value) for key, value in service.get("environment", {}).items()}
        everything = [*self._inside(name, bound), *words, *service.get("command", ())]
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                everything, stdout=log, stderr=log, start_new_session=True,
                env={"PATH": os.environ["PATH"], "HOME": str(self.folder), **environment},
            )  # fmt: skip

    def start_kafka(self) -> None:
        """Start Kafka as its image does: its settings are made from the environment."""
        made = self.folder / "made"
        made.mkdir(exist_ok=True)
        for name in ("server.properties", "log4j.properties", "tools-log4j.properties"):
            (made / name).touch()
        java = f"java -Xmx512m -cp '{KAFKA}'"
        run = f"CLUSTER_ID=5L6g3nShT-eMCtK--X86sw {java} {SETUP} && exec {java} kafka.Kafka /made/server.properties"
        self.start("kafka", ["sh", "-c", run], {PLACE / "libs": "/opt/kafka/libs", made: "/made"})

    def is_healthy(self) -> bool:
        """Whether Kafka's health check succeeds: the script in the image runs this class."""
        way, script, *words = self.services["kafka"]["healthcheck"]["test"]
        assert ("CMD", "kafka-broker-api-versions.sh") == (way, Path(script).name)
        java = ["java", "-cp", KAFKA, "kafka.admin.BrokerApiVersionsCommand", *words]
        return 0 == self.call("kafka", *java, volumes={PLACE / "libs": "/opt/kafka/libs"}).returncode

    def call(self, name: str, *words: str, volumes: dict[Path, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command where a service runs."""
        inside = [*self._inside(name, volumes or {}), *words]
        return subprocess.run(inside, capture_output=True, text=True, check=False, timeout=120)

    def log(self, name: str) -> str:
        """What a service has said."""
        return (self.folder / f"{name}.log").read_text()

    def kill(self, name: str) -> None:
        """As a container that is killed."""
        process = self._running.pop(name)
        os.killpg(process.pid, 9)
        process.wait()

    def close(self) -> None:
        """End everything, and remove the networks."""
        for name in list(self._running):
            self.kill(name)
        for name in (*self.services, "switch"):
            _ip("netns", "delete", self._network(name))

    def _network(self, name: str) -> str:
        return f"{self._space}-{name}"

    def _inside(self, name: str, volumes: dict[Path, str]) -> list[str]:
        host = self.services[name].get("hostname", name)
        box = _sandbox({**volumes, self._hosts: "/etc/hosts"})
        return ["ip", "netns", "exec", self._network(name), *box, "--unshare-uts", "--hostname", host, "--"]


def _sandbox(volumes: dict[Path, str]) -> list[str]:
    """The files of this machine, with some at other places."""
    words = ["bwrap", "--die-with-parent"]
    for path in sorted(Path("/").iterdir()):
        words += (
            ["--symlink", str(path.readlink()), str(path)]
            if path.is_symlink()
            else ["--dev-bind", str(path), str(path)]
        )
    for source, place in volumes.items():
        words += ["--dev-bind", str(source), place]
    return words


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)
