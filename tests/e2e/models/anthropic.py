"""The Messages API, as Claude Code speaks it."""

import json

from tests.e2e.models.scripted import Call, Full, Say, ScriptedModel, event


class AnthropicModel(ScriptedModel):
    """Point `ANTHROPIC_BASE_URL` at its `url`."""

    @staticmethod
    def messages(request):
        return request["messages"]

    def answer(self, path, request):
        if "count_tokens" in path:
            return {"input_tokens": 10}
        if "/v1/messages" not in path:
            return {}
        number, items = self.next_turn(request) if request.get("tools") else (900, [Say("title")])
        blocks = [_block(item, f"toolu_{number}_{k}") for k, item in enumerate(items) if not isinstance(item, Full)]
        message = {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model", "scripted"),
            "content": blocks,
            "stop_reason": "tool_use" if any(isinstance(item, Call) for item in items) else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": self.tokens(items), "output_tokens": 20},
        }
        return _streamed(message) if request.get("stream") else message


def _block(item, call):
    if isinstance(item, Say):
        return {"type": "text", "text": item.text}
    return {"type": "tool_use", "id": call, "name": item.tool, "input": item.args}


def _streamed(message):
    def named(kind, **fields):
        return event({"type": kind, **fields}, kind)

    events = [named("message_start", message={**message, "content": [], "stop_reason": None})]
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            arguments = json.dumps(block["input"])
            start, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": arguments}
        events += [
            named("content_block_start", index=index, content_block=start),
            named("content_block_delta", index=index, delta=delta),
            named("content_block_stop", index=index),
        ]
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [*events, named("message_delta", delta=ending, usage={"output_tokens": 20}), named("message_stop")]
