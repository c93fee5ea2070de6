"""What a span of an instrumented agent says, in OpenTelemetry's GenAI words or in OpenInference's.

Both name a tool call, a request to a model and an agent at work; the rest of a trace is not about agents.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

Kind = Literal["tool", "model", "agent", ""]

_KINDS: dict[object, Kind] = {
    "execute_tool": "tool",
    "chat": "model",
    "generate_content": "model",
    "text_completion": "model",
    "invoke_agent": "agent",
    "TOOL": "tool",
    "LLM": "model",
    "AGENT": "agent",
}
_OLD_IN = ("gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
_OLD_OUT = ("gen_ai.usage.completion_tokens", "llm.token_count.completion")


class SpanFacts(msgspec.Struct, frozen=True):
    """What one span says about an agent; `kind` is empty for a span that is about something else."""

    kind: Kind = ""
    conversation: str = ""
    agent: str = ""
    model: str = ""
    tool: str = ""
    call: str = ""
    arguments: Any = None
    """None where they were not recorded, as the output: contents are opt-in."""
    output: Any = None
    failed: bool | None = None
    error: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0


def span_kind(attributes: Mapping[str, Any]) -> Kind:
    """What a span is about; known from its beginning, where the instrumentation follows the conventions."""
    kind = _KINDS.get(attributes.get("gen_ai.operation.name"))
    return kind or _KINDS.get(attributes.get("openinference.span.kind"), "")


def span_conversation(attributes: Mapping[str, Any]) -> str:
    """The conversation a span says it belongs to; empty where it does not say."""
    return _text(attributes, "gen_ai.conversation.id", "session.id")


def span_facts(attributes: Mapping[str, Any], failed: bool | None = None) -> SpanFacts:
    """Read the attributes of a span that has ended; `failed` is its status, where that says so."""
    attributes = dict(attributes)  # the SDK's own mapping takes its time over each look
    kind = span_kind(attributes)
    if not kind:
        return SpanFacts()
    return SpanFacts(
        kind=kind,
        conversation=span_conversation(attributes),
        agent=_text(attributes, "gen_ai.agent.name", "gen_ai.agent.id", "agent.name"),
        model=_text(attributes, "gen_ai.response.model", "gen_ai.request.model", "llm.model_name"),
        tool=_text(attributes, "gen_ai.tool.name", "tool.name"),
        call=_text(attributes, "gen_ai.tool.call.id", "tool.id", "tool_call.id"),
        arguments=_first(attributes, "gen_ai.tool.call.arguments", "tool.parameters", "input.value"),
        output=_first(attributes, "gen_ai.tool.call.result", "output.value"),
        failed=True if failed or attributes.get("error.type") else None,
        error=_text(attributes, "error.type"),
        tokens_in=_number(attributes, "gen_ai.usage.input_tokens", *_OLD_IN),
        tokens_out=_number(attributes, "gen_ai.usage.output_tokens", *_OLD_OUT),
        cost_usd=float(_number(attributes, "llm.cost.total")),
    )


def _first(attributes: Mapping[str, Any], *names: str) -> Any:
    for name in names:
        if (found := attributes.get(name)) is not None:
            return found
    return None


def _text(attributes: Mapping[str, Any], *names: str) -> str:
    found = _first(attributes, *names)
    return "" if found is None else str(found)


def _number(attributes: Mapping[str, Any], *names: str) -> Any:
    found = _first(attributes, *names)
    return found if isinstance(found, (int, float)) else 0
