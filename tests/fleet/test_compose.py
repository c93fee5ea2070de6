"""The compose file agrees with the commands and with Prometheus' configuration, and its services run."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
import yaml

from headway.cli.fleet import command
from headway.core.events import decode_event
from headway.fleet.topics import Decided
from tests.fleet.traffic import expected
from tests.hosts.hook.programs import Program

FOLDER = Path(__file__).parents[2] / "deploy" / "fleet"
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text())
INSTANCES = {name: service for name, service in COMPOSE["services"].items() if name.startswith("fleet-")}


def options(service):
    first, *words = service["command"]
    assert "fleet" == first
    return command.make_context("fleet", words).params


def test_two_instances_run_with_options_that_exist_and_a_state_folder_each():
    assert 2 == len(INSTANCES)
    assert {"kafka:9092"} == {options(service)["kafka"] for service in INSTANCES.values()}
    assert 2 == len({service["volumes"][0] for service in INSTANCES.values()})
    assert [*INSTANCES] == [service["hostname"] for service in INSTANCES.values()]


def test_prometheus_asks_the_instances_at_their_ports():
    (job,) = yaml.safe_load((FOLDER / "prometheus.yml").read_text())["scrape_configs"]
    asked = job["static_configs"][0]["targets"]
    assert asked == [f"{name}:{options(service)['metrics']}" for name, service in INSTANCES.items()]


def test_every_file_and_volume_that_is_named_exists():
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", ()):
            place = volume.split(":")[0]
            assert place in COMPOSE["volumes"] or (FOLDER / place).is_file()
    assert (FOLDER.parents[1] / INSTANCES["fleet-1"]["build"]["dockerfile"]).is_file()


@pytest.mark.fleet
def test_docker_compose_reads_the_file():
    """It needs no engine for that."""
    tool = ["docker", "compose"]
    if shutil.which("docker") is None or subprocess.run([*tool, "version"], capture_output=True).returncode != 0:
        tool = ["docker-compose"]
    if shutil.which(tool[0]) is None:
        pytest.skip("Docker's compose command is not here")
    words = [*tool, "-f", str(FOLDER / "compose.yaml"), "config"]
    read = yaml.safe_load(subprocess.run(words, capture_output=True, check=True, text=True).stdout)
    assert {*COMPOSE["services"]} == {*read["services"]}


@pytest.fixture
def composed(tmp_path):
    """The services, none of which runs yet."""
    from tests.fleet.composed import Composed, why_not_composed

    if reason := why_not_composed():
        pytest.skip(f"the compose file cannot run as processes here: {reason}")
    found = Composed(FOLDER / "compose.yaml", tmp_path)
    yield found
    found.close()


@pytest.fixture
def agents(tmp_path, monkeypatch):
    """Agents of this machine, whose events are to be sent to the address that the compose file names."""
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "machine"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HEADWAY_FORWARD__KAFKA", "localhost:29092")
    monkeypatch.setenv("HEADWAY_FORWARD__CONTENT", "true")
    return [Program("claude-code", f"session-{number}") for number in range(8)]


def work(agents):
    """Let agents go in circles, and return the events that now wait to be sent."""
    from headway.store.outgoing import next_events
    from headway.store.sessions import SessionStore

    for agent in agents:
        agent.prompt("make it work")
        for _ in range(5):
            agent.step("make", "make: *** No rule to make target 'all'. Stop.", failed=True)
    store = SessionStore()
    events = [decode_event(event) for _, _, event in next_events(store.connection, 1_000)]
    store.close()
    return events


def measured(composed, query):
    """The answer of Prometheus; 0 if it has none yet."""
    address = f"http://localhost:9090/api/v1/query?query={quote(query)}"
    asked = f"import urllib.request; print(urllib.request.urlopen('{address}', timeout=5).read().decode())"
    answer = composed.call("prometheus", sys.executable, "-c", asked)
    results = json.loads(answer.stdout)["data"]["result"] if answer.returncode == 0 else []
    return int(results[0]["value"][1]) if results else 0


READ = """
from tests.fleet.instance import decided; import msgspec
print(msgspec.json.encode(decided("localhost:29092", {enough})).decode())
"""


@pytest.mark.fleet
def test_the_services_run_as_the_file_says(composed, agents):
    """Without Docker's engine: what each container would run, as a process with the same network, names and volumes."""
    from tests.fleet.composed import PROMETHEUS
    from tests.fleet.instance import wait_until

    headway = str(composed.build("fleet-1") / "headway")
    send = lambda: 0 == composed.call("kafka", headway, "forward", "--once").returncode  # noqa: E731
    composed.start_kafka()
    wait_until(composed.is_healthy, "Kafka is healthy")
    composed.start("prometheus", PROMETHEUS)
    for name in INSTANCES:
        composed.start(name, [headway])
    wait_until(lambda: 2 == measured(composed, "sum(up)"), "Prometheus reaches both instances")
    events = work(agents)
    wait_until(send, "the events are sent")
    taken = lambda: measured(composed, "sum(headway_fleet_taken_total)") >= len(events) > 50  # noqa: E731
    wait_until(taken, "all events are processed")
    composed.kill("fleet-1")
    composed.start("fleet-1", [headway])  # as its restart policy says
    events += work(agents)
    wait_until(send, "more events are sent")
    made = {}
    for event in events:
        made.setdefault(event.key, []).append(event)
    right = expected(made)
    answer = composed.call("kafka", sys.executable, "-c", READ.format(enough=sum(map(len, right.values()))))
    found = msgspec.json.decode(answer.stdout, type=dict[str, list[Decided]])
    assert right == found and 8 == len(found)
