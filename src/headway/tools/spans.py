"""What a span of an instrumented agent says: the attributes' names, live and recorded.

Three vocabularies name a tool call, a request to a model and an agent at work: OpenTelemetry's GenAI conventions (with
the older ones of Traceloop and of the Vercel AI SDK), and OpenInference. The rest of a trace is not about agents.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from headway.rolling.forgiving import FAULTS, from_json

Kind = Literal["tool", "model", "agent", ""]
Names = tuple[str, ...]

KINDS: dict[str, Kind] = {
    "chat": "model", "generate_content": "model", "text_completion": "model", "completion": "model", "LLM": "model",
    "execute_tool": "tool", "tool": "tool", "TOOL": "tool",
    "invoke_agent": "agent", "invoke_workflow": "agent", "agent": "agent", "workflow": "agent", "AGENT": "agent",
}  # fmt: skip

# The names of GenAI and its relatives, which the reader of recorded traces goes by as well.
TOOL: Names = ("gen_ai.tool.name", "ai.toolCall.name", "traceloop.entity.name")
ARGUMENTS: Names = ("gen_ai.tool.call.arguments", "tool_arguments", "ai.toolCall.args", "traceloop.entity.input")
RESULT: Names = ("gen_ai.tool.call.result", "tool_response", "ai.toolCall.result", "traceloop.entity.output")
CALL: Names = ("gen_ai.tool.call.id", "ai.toolCall.id")
CONVERSATION: Names = ("gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id")
TOKENS_IN: Names = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
TOKENS_OUT: Names = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
# With the names of OpenInference, whose own come before those that Traceloop gives to every kind of span.
_KIND: Names = ("gen_ai.operation.name", "traceloop.span.kind", "openinference.span.kind")
_TOOL: Names = (*TOOL[:2], "tool.name", *TOOL[2:])
_CALL: Names = (*CALL, "tool.id", "tool_call.id")
_ARGUMENTS: Names = (*ARGUMENTS, "input.value")
_SCHEMA = "tool.parameters"
"""Arguments by OpenInference's definition; most of its instrumentations put the tool's JSON schema there."""
_OUTPUT: Names = (*RESULT, "output.value")
"""Here an empty text says something: that there was nothing."""
_TOKENS_IN: Names = (*TOKENS_IN, "llm.token_count.prompt")
_TOKENS_OUT: Names = (*TOKENS_OUT, "llm.token_count.completion")
_COST: Names = ("llm.cost.total", "gen_ai.usage.cost")


_DESCRIBES = frozenset(("type", "anyOf", "allOf", "oneOf", "$ref", "enum", "description"))


class SpanFacts(msgspec.Struct, frozen=True):
    """What one span says about an agent; `kind` is empty for a span that is about something else."""

    kind: Kind = ""
    conversation: str = ""
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
    operation = first(attributes, _KIND)
    named = operation or attributes.get("llm.request.type")
    kind = KINDS.get(named, "") if isinstance(named, str) else ""
    if not kind and first(attributes, TOOL[:2]) and first(attributes, CALL):
        return "tool"
    return kind or ("model" if attributes.get("gen_ai.request.model") and not operation else "")


def span_conversation(attributes: Mapping[str, Any]) -> str:
    """The conversation a span says it belongs to; empty where it does not say."""
    return _text(attributes, CONVERSATION)


def span_facts(attributes: Mapping[str, Any], failed: bool | None = None) -> SpanFacts:
    """Read the attributes of a span that has ended; `failed` is its status, where that says so."""
    attributes = {**attributes}  # the SDK's own mapping takes its time over each look, and `dict` takes more
    kind = span_kind(attributes)
    if kind == "tool":
        return _tool_facts(attributes, failed)
    if kind == "model":
        return SpanFacts(
            kind=kind,
            conversation=span_conversation(attributes),
            tokens_in=_number(attributes, _TOKENS_IN),
            tokens_out=_number(attributes, _TOKENS_OUT),
            cost_usd=float(_number(attributes, _COST)),
        )
    return SpanFacts(kind=kind, conversation=span_conversation(attributes) if kind else "")


def _tool_facts(attributes: Mapping[str, Any], failed: bool | None) -> SpanFacts:
    error = _text(attributes, ("error.type",))
    return SpanFacts(
        kind="tool",
        conversation=span_conversation(attributes),
        tool=_text(attributes, _TOOL),
        call=_text(attributes, _CALL),
        arguments=given_arguments(attributes),
        output=next((attributes[name] for name in _OUTPUT if attributes.get(name) is not None), None),
        failed=True if failed or error else None,
        error=error,
    )


def given_arguments(attributes: Mapping[str, Any]) -> Any:
    """What a tool was called with; a schema of the tool is never taken for that."""
    given = first(attributes, _ARGUMENTS)
    if given is None:
        given = first(attributes, (_SCHEMA,))
        return None if _is_schema(_decoded(given)) else given
    called = _decoded(given) if isinstance(given, (str, dict)) and "kwargs" in given else None
    if isinstance(called, dict) and isinstance(named := called.get("kwargs"), dict):
        return {**named, **({"args": called["args"]} if called.get("args") else {})}  # as Python calls a function
    return given


def _decoded(value: Any) -> Any:
    """The object in a JSON text; anything else as it is."""
    try:
        return from_json(value, object) if isinstance(value, str) else value
    except FAULTS:
        return value


def _is_schema(value: Any) -> bool:
    """Whether this describes parameters: `{"type": "object", "properties": …}`, or a description for each of them."""
    if not isinstance(value, dict):
        return False
    described = value.get("properties", value)
    return isinstance(described, dict) and all(
        isinstance(one, dict) and (not one or not _DESCRIBES.isdisjoint(one)) for one in described.values()
    )


def first(attributes: Mapping[str, Any], names: Names) -> Any:
    """The first of these attributes that says something."""
    for name in names:
        if (found := attributes.get(name)) is not None and found != "":
            return found
    return None


def _text(attributes: Mapping[str, Any], names: Names) -> str:
    found = first(attributes, names)
    return "" if found is None else str(found)


def _number(attributes: Mapping[str, Any], names: Names) -> Any:
    found = first(attributes, names)
    return found if isinstance(found, (int, float)) else 0
