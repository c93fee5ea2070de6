"""The Responses API, as Codex speaks it, and Chat Completions, as Qwen Code, Copilot CLI and OpenCode do."""

import json

from tests.e2e.models.scripted import Call, Full, Say, ScriptedModel, event


class OpenAIModel(ScriptedModel):
    """Point the base URL at `url` + "/v1"; the path of the request decides which of the two it answers in."""

    @staticmethod
    def messages(request):
        if "input" in request:
            return request["input"]
        return [message for message in request["messages"] if message["role"] != "system"]

    def answer(self, path, request):
        if "chat/completions" in path:
            form = _completion
        elif path.startswith("/v1/responses"):
            form = _response
        else:
            return {}
        number, items = self.next_turn(request) if list(_offered(request)) else (900, [Say("title")])
        said = [item for item in items if not isinstance(item, Full)]
        return form(request, number, said, self.tokens(items))


def _response(request, number, items, tokens):
    response = {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": request.get("model"),
        "output": [_output(item, number, k, _freeform(request)) for k, item in enumerate(items)],
        "usage": {"input_tokens": tokens, "output_tokens": 20, "total_tokens": tokens + 20},
    }
    if not request.get("stream"):
        return response

    def named(kind, **fields):
        return event({"type": kind, **fields}, kind)

    return [
        named("response.created", response={**response, "status": "in_progress", "output": []}),
        *(named("response.output_item.done", output_index=k, item=item) for k, item in enumerate(response["output"])),
        named("response.completed", response=response),
    ]


def _offered(request):
    """The tools of a request; newer models of Codex get theirs within the input, in namespaces."""
    given = [item for item in request.get("input", ()) if item.get("type") == "additional_tools"]
    for tool in [*request.get("tools", ()), *(tool for item in given for tool in item["tools"])]:
        yield from tool["tools"] if tool["type"] == "namespace" else [tool]


def _freeform(request):
    """Names of the tools that take a text and no arguments, such as `exec`, which runs JavaScript."""
    return {tool["name"] for tool in _offered(request) if tool["type"] == "custom"}


def _output(item, number, k, freeform):
    if isinstance(item, Say):
        content = [{"type": "output_text", "text": item.text, "annotations": []}]
        return {"type": "message", "id": f"msg_{number}_{k}", "role": "assistant", "status": "completed", "content": content}  # fmt: skip
    if item.tool in freeform:
        return {"type": "custom_tool_call", "id": f"ctc_{number}_{k}", "call_id": f"call_{number}_{k}", "name": item.tool, "input": item.args["input"], "status": "completed"}  # fmt: skip
    namespace, _, name = item.tool.rpartition("__") if item.tool.startswith("mcp__") else ("", "", item.tool)
    return {
        "type": "function_call",
        "id": f"fc_{number}_{k}",
        "call_id": f"call_{number}_{k}",
        "name": name,
        **({"namespace": namespace} if namespace else {}),
        "arguments": json.dumps(item.args),
        "status": "completed",
    }


def _completion(request, number, items, tokens):
    text = "".join(item.text for item in items if isinstance(item, Say))
    calls = [
        {
            "index": k,
            "id": f"call_{number}_{k}",
            "type": "function",
            "function": {"name": item.tool, "arguments": json.dumps(item.args)},
        }
        for k, item in enumerate(item for item in items if isinstance(item, Call))
    ]
    message = {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
    finish = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": tokens, "completion_tokens": 20, "total_tokens": tokens + 20}
    document = {"id": f"chatcmpl-{number}", "created": 1, "model": request.get("model"), "usage": usage}
    if not request.get("stream"):
        choice = {"index": 0, "finish_reason": finish, "message": message}
        return {**document, "object": "chat.completion", "choices": [choice]}
    document["object"] = "chat.completion.chunk"
    return [
        event({**document, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
        event({**document, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}),
        b"data: [DONE]\n\n",
    ]
