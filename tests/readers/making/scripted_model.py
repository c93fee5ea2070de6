"""A model behind an address on this machine that answers as a script says, for recordings of agents that need one."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer


def serve(name, answer_to):
    """Answer in the background with the messages that `answer_to` gives for the messages sent; the address."""

    class Model(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            body = json.dumps(_completion(name, answer_to(asked["messages"]))).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1"


def _completion(name, message):
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {
        "id": "r",
        "object": "chat.completion",
        "created": 1,
        "model": name,
        "usage": usage,
        "choices": [choice],
    }
