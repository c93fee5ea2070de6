"""Spans of an agent, its model and its tool."""

import json

from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.opentelemetry import HeadwaySpanProcessor

AGENT = {"gen_ai.operation.name": "invoke_agent"}
MODEL = {"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 10}
CALL = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bash"}


def prepare() -> Run:
    def run(mode: str) -> None:
        provider = TracerProvider()
        provider.add_span_processor(HeadwaySpanProcessor() if mode == "watched" else SpanProcessor())
        tracer = provider.get_tracer("bench")
        with tracer.start_as_current_span("agent", attributes=AGENT):
            for command in COMMANDS:
                tracer.start_span("chat", attributes=MODEL).end()
                with tracer.start_as_current_span("tool", attributes=CALL) as span:
                    span.set_attribute("gen_ai.tool.call.arguments", json.dumps({"command": command}))
                    span.set_attribute("gen_ai.tool.call.result", text_of(command))

    return run
