"""The names of a span's attributes, in the vocabularies that instrumentations of agents use.

OpenTelemetry's GenAI conventions, the older ones of Traceloop and of the Vercel AI SDK, and OpenInference each name a
tool call, a request to a model and an agent at work. The rest of a trace is not about agents.
"""

from collections.abc import Mapping
from typing import Any, Literal

Kind = Literal["tool", "model", "agent", ""]
Names = tuple[str, ...]

OPENINFERENCE = "openinference.span.kind"
VERCEL = "ai.operationId"
KINDS: dict[str, Kind] = {
    "chat": "model", "generate_content": "model", "text_completion": "model", "completion": "model", "LLM": "model",
    "execute_tool": "tool", "tool": "tool", "TOOL": "tool",
    "invoke_agent": "agent", "invoke_workflow": "agent", "agent": "agent", "workflow": "agent", "AGENT": "agent",
}  # fmt: skip

TOOL: Names = ("gen_ai.tool.name", "ai.toolCall.name", "traceloop.entity.name")
ARGUMENTS: Names = (
    "gen_ai.tool.call.arguments", "tool_arguments", "ai.toolCall.args", "traceloop.entity.input",
    "gcp.vertex.agent.tool_call_args",
)  # fmt: skip
RESULT: Names = (
    "gen_ai.tool.call.result", "tool_response", "ai.toolCall.result", "traceloop.entity.output",
    "gcp.vertex.agent.tool_response",
)  # fmt: skip
CALL: Names = ("gen_ai.tool.call.id", "ai.toolCall.id")
CONVERSATION: Names = ("gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id")
TOKENS_IN: Names = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
TOKENS_OUT: Names = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
REDACTED = "__REDACTED__"
"""OpenInference's placeholder for hidden content."""
MESSAGES = {
    "gen_ai.system.message": "system", "gen_ai.user.message": "user", "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool", "gen_ai.choice": "assistant",
}  # fmt: skip
"""Events with one message each, and the role of its author."""
_KIND: Names = ("traceloop.span.kind", OPENINFERENCE)


def span_kind(attributes: Mapping[str, Any]) -> Kind:
    """The kind of a span; known from its beginning if the instrumentation follows the conventions."""
    operation = attributes.get("gen_ai.operation.name") or first(attributes, _KIND)
    named = operation or attributes.get("llm.request.type")
    kind = KINDS.get(named, "") if isinstance(named, str) else ""
    if not kind and first(attributes, TOOL[:2]) and first(attributes, CALL):
        return "tool"
    return kind or ("model" if attributes.get("gen_ai.request.model") and not operation else "")


def span_conversation(attributes: Mapping[str, Any]) -> str:
    """The conversation that a span names; empty if it names none."""
    found = first(attributes, CONVERSATION)
    return "" if found is None else str(found)


def is_hidden(attributes: Mapping[str, Any], name: str) -> bool:
    """Whether an attribute only says that content was left out; the same words everywhere would look like a loop."""
    return attributes[name] == REDACTED or (name.startswith("gcp.") and attributes[name] == "{}")


def first(attributes: Mapping[str, Any], names: Names) -> Any:
    """The first of these attributes with a value."""
    for name in names:
        if (found := attributes.get(name)) is not None and found != "":
            return found
    return None


def first_text(attributes: Mapping[str, Any], names: Names) -> str:
    """The first of these attributes with a value, if that is a text."""
    for name in names:
        if (found := attributes.get(name)) is not None and found != "":
            return found if isinstance(found, str) else ""
    return ""
