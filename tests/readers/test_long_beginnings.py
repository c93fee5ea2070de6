"""A recording is recognised even if its first value is longer than what is looked at."""

import json

import pytest

from headway.readers import reader_for
from headway.sources import Source

LONG = "line\n" * 40_000

BEGINNINGS = {
    "openai-chat": [{"role": "system", "content": LONG}, {"role": "user", "content": "hi"}],
    "swe-agent": {"environment": "e", "trajectory": [{"action": "ls", "observation": LONG, "state": {}}]},
    "langsmith": {"id": "1", "trace_id": "t", "dotted_order": "d", "inputs": {"a": LONG}, "run_type": "llm"},
    "openai-responses": {"id": "r", "object": "response", "instructions": LONG, "output": []},
    "mini-swe-agent": {"trajectory_format": "mini-swe-agent-1.1", "messages": [{"role": "system", "content": LONG}]},
    "atif": {"schema_version": "ATIF-v1.8", "agent": {"name": "a", "extra": {"prompt": LONG}}, "steps": []},
    "inspect-log": {"version": 2, "status": "success", "eval": {"eval_id": "e", "model_args": {"x": LONG}}},
    "langfuse": {"id": "1", "traceId": "t", "type": "GENERATION", "input": LONG},
    "otel-genai": {"spanId": "1", "traceId": "t", "attributes": {"gen_ai.operation.name": "chat", "x": LONG}},
    "anthropic-messages": {"messages": [{"role": "assistant", "content": [{"type": "thinking", "thinking": LONG}]}]},
}


@pytest.mark.parametrize("name", BEGINNINGS)
def test_it_is_recognised(name):
    for content in (json.dumps(BEGINNINGS[name]), json.dumps(BEGINNINGS[name], indent=1)):
        assert name == reader_for(Source(content=content.encode())).name


@pytest.mark.parametrize("name", BEGINNINGS)
def test_it_is_recognised_behind_a_text_of_a_megabyte(name):
    """By what it is made of, and not by how far one looks."""
    value = BEGINNINGS[name]
    first = value[0] if isinstance(value, list) else value
    content = [{"x": LONG * 5, **first}, *value[1:]] if isinstance(value, list) else {"x": LONG * 5, **first}
    assert name == reader_for(Source(content=json.dumps(content).encode())).name
