"""One name for one program: in recordings, in traces and in hooks."""

import pytest

from headway import Monitor
from headway.core import events
from headway.hosts.hook.recognise import HOSTS
from headway.readers import readers
from headway.sources import Source
from headway.study.scan import ScanOptions, scan, scanned
from headway.tools import program_name
from tests.readers.samples_read import SAMPLES

COPILOT = [Source(SAMPLES / "copilot-cli/events.jsonl"), Source(SAMPLES / "otel-genai/copilot.jsonl")]


@pytest.mark.parametrize("source", COPILOT, ids=["its own recording", "its telemetry"])
def test_copilot_is_called_the_same_in_its_recordings_and_its_telemetry(source):
    assert {"copilot-cli"} == {report.agent for report in scan(source)}
    for wanted in ("copilot*", "copilot", "github-copilot"):
        assert 1 == len(list(scanned(source, ScanOptions(agents=(wanted,)))))


@pytest.mark.parametrize("host", HOSTS)
def test_a_hook_calls_a_program_what_its_recordings_call_it(host):
    monitor = Monitor()
    monitor.feed(events.RunStarted(program=host))
    assert monitor.session.program in {*readers(), "cursor", "kilo", "pi", "cline"}  # of these there is no reader yet


def test_a_program_nobody_knows_keeps_its_name():
    assert "My-Agent" == program_name("My-Agent")
