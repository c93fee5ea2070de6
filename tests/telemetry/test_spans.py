"""What real instrumentations emit, live and in `scan`: loops are found, and honest runs are left alone."""

import tomllib
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider

from headway.hosts.frameworks.opentelemetry import HeadwaySpanProcessor
from tests.telemetry.replayed import emit, scanned

INSTRUMENTATIONS = tomllib.loads((Path(__file__).parent / "instrumentations.toml").read_text())


@pytest.fixture(autouse=True)
def _switched_on(monkeypatch):
    monkeypatch.delenv("OTEL_SDK_DISABLED", raising=False)


def live(name, run):
    told = []
    provider = TracerProvider()
    provider.add_span_processor(HeadwaySpanProcessor(on_decision=told.append))
    emit(provider, name, run)
    return [str(decision.action) for decision in told]


@pytest.mark.parametrize("watch", [live, scanned])
@pytest.mark.parametrize("name", INSTRUMENTATIONS)
def test_a_loop_is_found(name, watch):
    assert "nudge" in watch(name, "loop")


@pytest.mark.parametrize("watch", [live, scanned])
@pytest.mark.parametrize("name", INSTRUMENTATIONS)
def test_honest_work_is_left_alone(name, watch):
    assert [] == watch(name, "honest")
