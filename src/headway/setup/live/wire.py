"""Writes the answers of a scripted model in the formats of three services: one tool call, or one word."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

WORD = "Done."
_CHOICES = {"model_choice": "flash", "next_speaker": "user", "reasoning": WORD, "complexity_reasoning": WORD}
"""What Gemini CLI asks a smaller model for, as JSON, before and after an answer."""
_USAGE = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}


class ScriptedCall(NamedTuple):
    """A tool and its arguments."""

    tool: str
    arguments: Mapping[str, Any]


def is_talk(request: Mapping[str, Any]) -> bool:
    """Whether a request belongs to the conversation. Titles, summaries and model choices do not."""
    return bool(request.get("tools")) and not _asks_for_json(request)


def _asks_for_json(request: Mapping[str, Any]) -> bool:
    settings = request.get("generationConfig")
    return isinstance(settings, dict) and bool({"responseMimeType", "responseJsonSchema"} & settings.keys())


def answer(path: str, request: Mapping[str, Any], call: ScriptedCall | None) -> tuple[bytes, str]:
    """The body and content type for a request: the call, or a word if there is none."""
    streams = bool(request.get("stream")) or "streamGenerateContent" in path
    if "count_tokens" in path or "countTokens" in path:
        return _json({"input_tokens": 1, "totalTokens": 1})
    if "enerateContent" in path:
        word = json.dumps({**_CHOICES, "complexity_score": 1}) if _asks_for_json(request) else WORD
        events: list[Mapping[str, Any] | str] = [_gemini(call, word)]
    elif path.startswith("/v1/messages"):
        events = _messages(call) if streams else [_message(call)]
    elif "/responses" in path:
        events = _responses(call) if streams else [_response(call)]
    else:
        events = _chunks(call) if streams else [_completion(call)]
    return (b"".join(map(_event, events)), "text/event-stream") if streams else _json(events[0])


def _json(document: Any) -> tuple[bytes, str]:
    return json.dumps(document).encode(), "application/json"


def _event(document: Mapping[str, Any] | str) -> bytes:
    """A server-sent event. Some services name it by its type."""
    if isinstance(document, str):
        return f"data: {document}\n\n".encode()
    name = f"event: {document['type']}\n" if "type" in document else ""
    return f"{name}data: {json.dumps(document)}\n\n".encode()


def _gemini(call: ScriptedCall | None, word: str) -> dict[str, Any]:
    part = {"text": word} if call is None else {"functionCall": {"name": call.tool, "args": call.arguments}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": {"totalTokenCount": 2}, "modelVersion": "scripted"}


def _message(call: ScriptedCall | None) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": WORD}
    if call is not None:
        block = {"type": "tool_use", "id": "toolu_1", "name": call.tool, "input": call.arguments}
    reason = "end_turn" if call is None else "tool_use"
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "stop_sequence": None}
    return {**head, "content": [block], "stop_reason": reason, "usage": {"input_tokens": 1, "output_tokens": 1}}


def _messages(call: ScriptedCall | None) -> list[Mapping[str, Any] | str]:
    message = _message(call)
    (block,) = message["content"]
    if call is None:
        start, delta = {**block, "text": ""}, {"type": "text_delta", "text": WORD}
    else:
        start = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call.arguments)}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


def _response(call: ScriptedCall | None) -> dict[str, Any]:
    said = {"type": "output_text", "text": WORD, "annotations": []}
    item: dict[str, Any] = {"type": "message", "id": "msg_1", "role": "assistant", "content": [said]}
    if call is not None:
        item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": call.tool}
        item["arguments"] = json.dumps(call.arguments)
    item["status"] = "completed"
    head = {"id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": "scripted"}
    return {**head, "output": [item], "usage": _USAGE}


def _responses(call: ScriptedCall | None) -> list[Mapping[str, Any] | str]:
    response = _response(call)
    return [
        {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": response["output"][0]},
        {"type": "response.completed", "response": response},
    ]


def _spoken(call: ScriptedCall | None) -> tuple[dict[str, Any], str]:
    if call is None:
        return {"role": "assistant", "content": WORD}, "stop"
    function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
    calls = [{"index": 0, "id": "call_1", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls"


def _completion(call: ScriptedCall | None) -> dict[str, Any]:
    message, reason = _spoken(call)
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "scripted"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {**head, "usage": usage, "choices": [{"index": 0, "message": message, "finish_reason": reason}]}


def _chunks(call: ScriptedCall | None) -> list[Mapping[str, Any] | str]:
    message, reason = _spoken(call)
    head = {**_completion(call), "object": "chat.completion.chunk"}
    first = {"index": 0, "delta": message, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": reason}
    return [{**head, "choices": [first]}, {**head, "choices": [last]}, "[DONE]"]
