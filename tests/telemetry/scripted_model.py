"""A model that plays a script, behind the HTTP interfaces of OpenAI: chat completions and responses.

It asks for one tool call in each answer, with the arguments of the script, and ends with a word.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


@contextmanager
def serving(said: list[dict[str, Any]]) -> Iterator[str]:
    """The address of such a model; each request gets the next of the messages that it has to say."""
    answers = iter(said)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = next(answers)
            answer = response(message) if self.path.endswith("/responses") else completion(message)
            sent = json.dumps({**answer, "model": request["model"]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def completion(message: dict[str, Any]) -> dict[str, Any]:
    """A message as an answer of `/chat/completions`."""
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
        }
        for call in message["calls"]
    ]
    said = {"role": "assistant", "content": message["text"], **({"tool_calls": calls} if calls else {})}
    choice = {"index": 0, "message": said, "finish_reason": "tool_calls" if calls else "stop"}
    return {"id": "chat", "object": "chat.completion", "created": 1, "choices": [choice], "usage": USAGE}


def response(message: dict[str, Any]) -> dict[str, Any]:
    """The same as an answer of `/responses`."""
    output: list[dict[str, Any]] = [
        {"type": "function_call", "id": f"fc_{call['id']}", "call_id": call["id"], "name": call["name"],
         "arguments": json.dumps(call["args"]), "status": "completed"}
        for call in message["calls"]
    ]  # fmt: skip
    if not output:
        said = {"type": "output_text", "text": message["text"], "annotations": []}
        output = [{"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [said]}]
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {
        "id": "response", "object": "response", "created_at": 1, "status": "completed", "output": output,
        "parallel_tool_calls": False, "tool_choice": "auto", "tools": [], "usage": {**usage, **details},
    }  # fmt: skip
