"""The compose file agrees with the commands and with Prometheus' configuration."""

from pathlib import Path

import yaml

from headway.cli.fleet import command

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
