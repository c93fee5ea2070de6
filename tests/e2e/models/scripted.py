"""What all scripted models share: the server, the script, and the memory of what was asked."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SUMMARIES = ("create a detailed summary of", "CONTEXT CHECKPOINT COMPACTION")
"""What programs say when they ask for a summary."""
BESIDE = 900
"""The number of every answer that is no part of a conversation."""


class Say:
    """The model says something."""

    def __init__(self, text):
        self.text = text


class Call:
    """The model calls a tool."""

    def __init__(self, tool, /, **args):
        self.tool, self.args = tool, args


class Full:
    """With this answer the context is as good as full: the service counts so many tokens."""

    def __init__(self, tokens):
        self.tokens = tokens


class ScriptedModel:
    """A server on a free port of 127.0.0.1 that plays one conversation; use it in a `with` block.

    Requests that offer no tools (titles, summaries, checks) are beside the conversation: they get an answer and do not
    move the script. With `play`, a conversation that opens with a certain text has a script of its own: that of a
    sub-agent, or of a second session.
    """

    def __init__(self, *turns):
        self._lock = threading.Lock()
        self._count = 0
        self.play(turns)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    def play(self, turns, others=()):
        """Take these scripts: the main conversation's, and those of others by the text that opens them."""
        self._scripts = {None: list(turns), **dict(others)}
        self.conversations = {opening: [] for opening in self._scripts}
        """The requests that moved each script, parsed."""

    @property
    def url(self):
        """Where the server listens, without a path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def conversation(self):
        """The requests that moved the script."""
        return self.conversations[None]

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

    @staticmethod
    def tokens(items):
        """How many tokens the service says it was given."""
        return next((item.tokens for item in items if isinstance(item, Full)), 100)

    def _is_for_a_summary(self, request):
        """Whether a request asks for a summary of the conversation. It is no part of it, although it may offer tools."""
        return any(words in json.dumps(self.messages(request)[-1:]) for words in SUMMARIES)

    def next_turn(self, request):
        """The number of this answer, from 0, and what the model says and calls in it."""
        if self._is_for_a_summary(request):
            return BESIDE, [Say("summary")]
        opening = self._opening(request)
        with self._lock:
            number, self._count = self._count, self._count + 1
            place, script = len(self.conversations[opening]), self._scripts[opening]
            self.conversations[opening].append(request)
        return number, script[place] if place < len(script) else [Say("done")]

    def _opening(self, request):
        """Which script a request belongs to: the one whose text stands before the model's first answer."""
        messages = self.messages(request)
        answered = next((k for k, one in enumerate(messages) if _is_answer(one)), len(messages))
        said = json.dumps(messages[:answered], ensure_ascii=False)
        return next((opening for opening in self._scripts if opening and opening in said), None)

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


def _is_answer(message):
    """Whether the model said or called this."""
    calls = ("function_call", "custom_tool_call", "reasoning")
    return message.get("role") in ("assistant", "model") or message.get("type") in calls


def event(data, name=None):
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()
