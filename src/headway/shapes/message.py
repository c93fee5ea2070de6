"""One message of a conversation, in any of the shapes that providers and frameworks write.

They differ in names, hardly in content: OpenAI puts calls beside the content, Anthropic, Gemini and OpenTelemetry put
them into it as blocks, LangChain wraps the whole once or twice, Inspect has the function's name where OpenAI has
an object. Reading them all in one place costs nothing, because no name means two things.
"""

from typing import Any

import msgspec

from headway.core.events import whole_prompt
from headway.shapes.values import Record, decoded, fields, items, number, text
from headway.tools.envelope import plain_text

_ROLES = {
    "user": "user", "human": "user", "assistant": "agent", "ai": "agent", "model": "agent", "AIMessageChunk": "agent",
    "tool": "tool", "function": "tool", "system": "system", "developer": "system",
}  # fmt: skip
_LANGCHAIN = {
    "HumanMessage": "user", "AIMessage": "agent", "AIMessageChunk": "agent", "ToolMessage": "tool",
    "SystemMessage": "system", "FunctionMessage": "tool",
}  # fmt: skip
_SAYS = {"content", "parts", "tool_calls", "function_call"}
_CALLS = {"tool_use", "server_tool_use", "mcp_tool_use", "tool_call"}
_ANTHROPIC = {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result"}
_TEXTS = {"text", "input_text", "output_text"}
_TOKENS_IN = ("prompt_tokens", "promptTokenCount", "prompt_token_count")
"""The whole prompt, including cached tokens; Anthropic's `input_tokens` does not include them."""
_TOKENS_OUT = ("completion_tokens", "output_tokens", "candidatesTokenCount", "candidates_token_count")
_CACHED = (
    "cache_read_input_tokens", "cached_tokens", "cachedContentTokenCount", "cached_content_token_count",
    "cache_read_tokens", "cached_input_tokens",
)  # fmt: skip
_WRITTEN = ("cache_creation_input_tokens", "cache_write_tokens")
_DETAILS = ("prompt_tokens_details", "input_tokens_details", "input_token_details")
_CACHED_DETAILS = ("cached_tokens", "cache_read")
_WRITTEN_DETAILS = ("cache_creation", "cache_creation_tokens", "cache_write_tokens")
_PLAIN_USAGE = {"input_tokens", "output_tokens"}
"""The only counts of most models."""
_RESPONSES = {"functionResponse", "function_response", "toolResult"}
_RESULTS = {"tool_result", "tool_call_response", "mcp_tool_result"}


class CallRequest(msgspec.Struct, gc=False):
    """A requested tool call."""

    id: str
    tool: str
    args: Record


class Result(msgspec.Struct, gc=False):
    """The result of a tool; the id of the call or the tool's name may be missing."""

    call: str
    tool: str
    output: str
    failed: bool | None = None


class Message(msgspec.Struct, gc=False):
    """The content of one message."""

    role: str
    """user, agent, tool, system, or empty where unknown."""
    texts: list[str] = []
    calls: list[CallRequest] = []
    results: list[Result] = []


def read_message(raw: Record) -> Message:
    """Read a message."""
    raw, role = _unwrapped(raw)
    message = Message(role)
    content = raw.get("content")
    if content is None:
        content = raw.get("parts")
    if role == "tool" and not (isinstance(content, list) and _has_results(content)):
        message.results.append(_result(raw, raw.get("tool_call_id"), content))
        return message
    if isinstance(content, str):
        if content:
            message.texts.append(content)
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, dict):
                _read_block(block, message)
            elif isinstance(block, str) and block:
                message.texts.append(block)
    if beside := raw.get("tool_calls"):
        _add_calls(items(beside), message)
    elif isinstance(beside := raw.get("function_call"), dict):
        message.calls.append(read_call(beside))
    return message


def _add_calls(beside: list[Any], message: Message) -> None:
    """Calls beside the content, whose blocks LangChain repeats there."""
    known = {call.id for call in message.calls if call.id} if message.calls else ()
    for item in beside:
        call = read_call(fields(item))
        if call.id not in known:
            message.calls.append(call)


def is_message(value: object) -> bool:
    """Whether this is a message at all: a role that is known, and something said (or cut off before it)."""
    if not isinstance(value, dict):
        return False
    raw, role = _unwrapped(value)
    return role != "" and (not _SAYS.isdisjoint(raw) or raw.keys() == {"role"})


def is_block_message(raw: Record) -> bool:
    """Whether calls, results or thoughts are blocks in the content, as Anthropic writes them."""
    return any(text(fields(block).get("type")) in _ANTHROPIC for block in items(raw.get("content")))


def read_call(raw: Record) -> CallRequest:
    """A call in any shape."""
    inner = raw.get("function") or raw.get("custom")
    body = inner if isinstance(inner, dict) else raw
    given = body.get("arguments")
    if given is None:
        given = body.get("args")
        if given is None:
            given = body.get("input")
    name = text(body.get("name")) or text(inner) or text(raw.get("name"))
    return CallRequest(text(raw.get("id")) or text(raw.get("call_id")), name, arguments_of(given))


def arguments_of(value: object) -> Record:
    """The arguments of a call: an object, or the JSON text of one; anything else under the name `input`."""
    found = value if isinstance(value, dict) else decoded(value)
    if isinstance(found, dict):
        return found
    return {} if value is None or value == "" else {"input": value}


def output_of(value: object) -> str:
    """What a tool answered, as text."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, dict) and len(value) == 1 and isinstance(said := value.get("output"), str) and said:
        return said  # most results of Gemini's tools; searching an object for texts takes longer
    return plain_text(value) or _as_json(value)


def _as_json(value: object) -> str:
    try:
        return "" if value in ([], {}, "") else msgspec.json.encode(value).decode()
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return ""


def _unwrapped(raw: Record) -> tuple[Record, str]:
    """The message itself and its role, without LangChain's wrappers."""
    role = raw.get("role")
    if isinstance(role, str) and role in _ROLES:
        return raw, _ROLES[role]
    inner = raw.get("kwargs") or raw.get("data")
    if isinstance(inner, dict):
        names = raw.get("id")
        kind = names[-1] if isinstance(names, list) and names else raw.get("type")
        found = _LANGCHAIN.get(kind) or _ROLES.get(kind) if isinstance(kind, str) else None
        if found:
            return inner, found
    return raw, _ROLES.get(text(raw.get("type")), "") if not isinstance(role, str) else ""


def _has_results(content: list[Any]) -> bool:
    """Whether the content of a tool's message is made of blocks that are results themselves."""
    blocks = [block for block in content if isinstance(block, dict)]
    return any(text(block.get("type")) in _RESULTS or _RESPONSES & block.keys() for block in blocks)


def _read_block(block: Record, message: Message) -> None:
    kind = block.get("type", "")
    if not isinstance(kind, str):
        kind = ""
    if kind in _TEXTS or (not kind and block.get("text")):
        said = block.get("text") if kind != "text" or "text" in block else block.get("content")
        if isinstance(said, str) and said and not block.get("thought"):
            message.texts.append(said)
    elif kind in _CALLS:
        message.calls.append(read_call(block))
    elif kind in _RESULTS or kind.endswith("_tool_result"):
        answer = block.get("content")
        if answer is None:
            answer = block.get("response", block.get("result"))
        message.results.append(_result(block, block.get("tool_use_id") or block.get("id"), answer))
    elif isinstance(call := block.get("functionCall") or block.get("function_call"), dict):
        message.calls.append(read_call(call))
    elif isinstance(answer := block.get("functionResponse") or block.get("function_response"), dict):
        message.results.append(_function_response(answer))
    elif isinstance(call := block.get("toolUse"), dict):  # Amazon Bedrock, and Strands with every model
        message.calls.append(read_call({"id": call.get("toolUseId"), **call}))
    elif isinstance(answer := block.get("toolResult"), dict):
        message.results.append(_result(answer, answer.get("toolUseId"), answer.get("content")))


def result_in(raw: Record) -> Result:
    """The result in a tool's message."""
    found = read_message({**raw, "role": "tool"}).results
    return found[0] if found else Result(text(raw.get("tool_call_id")), "", "")


def _result(raw: Record, call: object, answer: object) -> Result:
    """A result. Inspect leaves the content of a failed call empty and writes the error beside it."""
    tool = text(raw.get("name")) or text(raw.get("function"))
    output = answer if isinstance(answer, str) else output_of(answer)
    return Result(text(call), tool, output or output_of(raw.get("error")), _failed(raw))


def _failed(raw: Record) -> bool | None:
    if "is_error" in raw and isinstance(raw["is_error"], bool):
        return raw["is_error"]
    if raw.get("error"):
        return True
    status = raw.get("status")
    return True if status == "error" else False if status == "success" else None


def _function_response(raw: Record) -> Result:
    response = raw.get("response")
    failed = True if isinstance(response, dict) and response.get("error") else None
    return Result(text(raw.get("id")), text(raw.get("name")), output_of(response), failed)


def usage_of(usage: Any) -> tuple[int, int]:
    """Tokens in and out, as any provider names them. Cached tokens are included once."""
    usage = fields(usage)
    if usage.keys() <= _PLAIN_USAGE:
        return number(usage.get("input_tokens")), number(usage.get("output_tokens"))
    if not any(usage.values()):
        return 0, 0
    thoughts = number(usage.get("thoughtsTokenCount") or usage.get("thoughts_token_count"))
    cached = number(usage.get("cache_creation_input_tokens")) + number(usage.get("cache_read_input_tokens"))
    prompt = _count(usage, _TOKENS_IN)
    if prompt < cached or not prompt:  # a prompt cannot be smaller than the part of it that was cached
        prompt = (prompt or number(usage.get("input_tokens"))) + cached
    return whole_prompt(prompt, *cached_of(usage)), _count(usage, _TOKENS_OUT) + thoughts


def cached_of(usage: Any) -> tuple[int, int]:
    """Tokens of the prompt that were read from a cache and written to one, as any provider names them."""
    usage = fields(usage)
    details = next((fields(usage[name]) for name in _DETAILS if usage.get(name)), {})
    read = _count(usage, _CACHED) or _count(details, _CACHED_DETAILS)
    return read, _count(usage, _WRITTEN) or _count(details, _WRITTEN_DETAILS)


def _count(usage: Record, names: tuple[str, ...]) -> int:
    for name in names:
        if found := usage.get(name):
            return number(found)
    return 0
