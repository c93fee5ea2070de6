"""Decisions in the telemetry itself, read with the SDK's own in-memory exporters."""

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from headway.hosts.frameworks.opentelemetry import HeadwaySpanProcessor
from tests.telemetry.replayed import emit


@pytest.fixture(autouse=True)
def _switched_on(monkeypatch):
    monkeypatch.delenv("OTEL_SDK_DISABLED", raising=False)


@pytest.fixture
def replayed():
    exported, metrics, provider = InMemorySpanExporter(), InMemoryMetricReader(), TracerProvider()
    told = []
    watch = HeadwaySpanProcessor(
        on_decision=told.append, tracer_provider=provider, meter_provider=MeterProvider([metrics])
    )
    provider.add_span_processor(watch)
    provider.add_span_processor(SimpleSpanProcessor(exported))

    def replay(name, run="loop"):
        emit(provider, name, run)
        return told, exported.get_finished_spans(), metrics.get_metrics_data()

    return replay


def written(spans):
    return [span for span in spans if "headway.action" in span.attributes]


def counted(data, name):
    (scope,) = data.resource_metrics[0].scope_metrics
    (metric,) = [metric for metric in scope.metrics if metric.name == name]
    return {tuple(point.attributes.values()): point.value for point in metric.data.data_points}


def test_decisions_are_events_and_attributes_of_the_agents_span(replayed):
    told, spans, _ = replayed("pydantic-ai")
    (agent,) = written(spans)
    assert "invoke_agent agent" == agent.name
    assert ("stop", "exact_cycle") == (agent.attributes["headway.action"], agent.attributes["headway.reason"])
    decided = [event.attributes for event in agent.events if event.name == "headway.decision"]
    assert [str(one.action) for one in told] == [one["headway.action"] for one in decided]
    assert [one.message for one in told] == [one["headway.message"] for one in decided]
    found = [event.attributes for event in agent.events if event.name == "headway.finding"]
    assert [finding.detector for one in told for finding in one.findings] == [one["headway.detector"] for one in found]
    assert all({"headway.severity", "headway.confidence", "headway.message"} <= one.keys() for one in found)


def test_where_no_span_is_open_a_decision_has_a_span_of_its_own_in_the_same_trace(replayed):
    told, spans, _ = replayed("traceloop-openai")
    own = written(spans)
    assert {"headway.decision"} == {span.name for span in own} and len(told) == len(own) > 0
    by_id = {span.context.span_id: span for span in spans}
    for span in own:
        assert by_id[span.parent.span_id].context.trace_id == span.context.trace_id
        assert "openai.chat" == by_id[span.parent.span_id].name


def test_decisions_and_findings_are_counted(replayed):
    told, _, data = replayed("strands")
    actions = [str(one.action) for one in told]
    assert {(action, "exact_cycle"): actions.count(action) for action in actions} == counted(data, "headway.decisions")
    assert sum(len(one.findings) for one in told) == sum(counted(data, "headway.findings").values())


def test_an_honest_run_leaves_nothing_in_the_telemetry(replayed):
    told, spans, data = replayed("pydantic-ai", "honest")
    assert [] == told == written(spans)
    assert not any(event.name.startswith("headway.") for span in spans for event in span.events)
    assert data is None


def test_a_decision_about_what_a_program_told_by_itself_is_counted(caplog):
    metrics, told = InMemoryMetricReader(), []
    watch = HeadwaySpanProcessor(on_decision=told.append, meter_provider=MeterProvider([metrics]), max_tokens=10)
    watch.conversation("one").used(100, 10)
    assert ["stop"] == [str(one.action) for one in told] and [] == caplog.messages
    assert {("stop", "spend"): 1} == counted(metrics.get_metrics_data(), "headway.decisions")


def test_tokens_of_spans_cost_their_list_price():
    told, provider = [], TracerProvider()
    provider.add_span_processor(HeadwaySpanProcessor(on_decision=told.append, max_cost_usd=0.01))
    used = {"gen_ai.usage.input_tokens": 10_000, "gen_ai.usage.output_tokens": 10_000}
    named = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o", **used}
    provider.get_tracer("test").start_span("chat", attributes=named).end()
    assert ["spend"] == [one.reason for one in told]
