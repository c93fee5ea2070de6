"""What all scripted models share: the server, the script, and the memory of what was asked."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Say:
    """The model says something."""

    def __init__(self, text):
        self.text = text


class Call:
    """The model calls a tool."""

    def __init__(self, tool, /, **args):
        self.tool, self.args = tool, args


class ScriptedModel:
    """A server on a free port of 127.0.0.1 that plays one conversation; use it in a `with` block.

    Requests that offer no tools (titles, summaries, checks) are beside the conversation: they get an answer and do not
    move the script.
    """

    def __init__(self, *turns):
        self._turns = list(turns)
        self._lock = threading.Lock()
        self.conversation = []
        """The requests that moved the script, parsed."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self):
        """Where the server listens, without a path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def asked(self):
        """The requests of the conversation as readable text: search in them for what the model was told."""
        return [json.dumps(request, ensure_ascii=False) for request in self.conversation]

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def next_turn(self, request):
        """The number of this turn, from 0, and what the model says and calls in it."""
        with self._lock:
            number = len(self.conversation)
            self.conversation.append(request)
        return number, self._turns[number] if number < len(self._turns) else [Say("done")]

    @staticmethod
    def messages(request):
        """The conversation in a request: what was said and what tools gave, without the agent's standing orders."""
        raise NotImplementedError

    def answer(self, path, request):
        """A JSON document, or a list of server-sent events as bytes. Each wire format has its own."""
        raise NotImplementedError


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ScriptedModel

    def do_GET(self):
        self._send(b'{"object": "list", "data": [], "models": []}', "application/json")

    def do_HEAD(self):
        self._send(b"", "application/json")

    def do_POST(self):
        answer = self.model.answer(self.path, json.loads(self._body() or b"{}"))
        if isinstance(answer, list):
            self._send(b"".join(answer), "text/event-stream")
        else:
            self._send(json.dumps(answer).encode(), "application/json")

    def _send(self, body, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _body(self):
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def log_message(self, *_):
        """The terminal belongs to the tests."""


def event(data, name=None):
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()
