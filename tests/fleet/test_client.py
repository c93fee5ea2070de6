"""How `headway fleet` and `headway forward` reach Kafka, and what they say when they cannot."""

import json

import pytest

from headway import SettingsError
from headway.cli import run
from headway.config.settings import Forward
from headway.fleet.client import client_properties


def test_without_a_file_there_is_only_the_address():
    assert {"bootstrap.servers": "a:9092"} == client_properties("a:9092", Forward())


def test_properties_are_read_from_a_file(tmp_path):
    file = tmp_path / "client.properties"
    file.write_text("# ours\n\nsecurity.protocol = SASL_SSL\nsasl.password=a=b\n")
    found = client_properties("a:9092", Forward(properties=str(file)))
    assert {"bootstrap.servers": "a:9092", "security.protocol": "SASL_SSL", "sasl.password": "a=b"} == found


@pytest.mark.parametrize(
    ("text", "told"), [("nonsense", "line 1: expected name=value"), ("a=b\n=c", "line 2"), (None, "cannot be read")]
)
def test_a_mistake_in_the_file_is_named(tmp_path, text, told):
    file = tmp_path / "client.properties"
    if text is not None:
        file.write_text(text)
    with pytest.raises(SettingsError, match=f"forward.properties: .*client.properties.*{told}"):
        client_properties("a:9092", Forward(properties=str(file)))


@pytest.fixture
def nothing_set(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("HEADWAY_FORWARD__KAFKA", raising=False)


@pytest.mark.parametrize("command", ["fleet", "forward"])
def test_without_an_address_the_setting_is_named(nothing_set, command, capsys):
    assert 2 == run([command])
    assert "forward.kafka" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["events", "findings", "decisions", "dead"])
def test_the_schema_of_each_topic_is_printed(what, capsys):
    assert 0 == run(["schema", what])
    schema = json.loads(capsys.readouterr().out)
    assert schema["$defs"]
