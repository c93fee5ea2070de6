"""A scripted model: a local server that asks for one command and then answers with one word.

It is also the program's proxy for everything else, and refuses all such requests. So the program cannot reach anything
but the model.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from headway.setup.live.wire import ScriptedCall, answer, is_talk

_LARGEST = 64_000_000


class ScriptedModel:
    """Listens on a free port of 127.0.0.1 inside a `with` block."""

    def __init__(self, call: ScriptedCall) -> None:
        self.call = call
        self.asked = 0
        """Number of requests that offered tools. The first is answered with the call, the others with a word."""
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        """Its address, without a path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "ScriptedModel":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def next_call(self, request: dict[str, Any]) -> ScriptedCall | None:
        """The call, if this is the first request of the conversation. Titles and summaries come without tools."""
        with self._lock:
            self.asked += is_talk(request)
            return self.call if is_talk(request) and self.asked == 1 else None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ScriptedModel

    def do_GET(self) -> None:
        """Answer lists of models and the like with an empty list."""
        self._send(b'{"object": "list", "data": [], "models": []}', "application/json")

    def do_HEAD(self) -> None:
        """Answer that the server is there."""
        self._send(b"", "application/json")

    def do_POST(self) -> None:
        """Answer one request to the model."""
        try:
            request = json.loads(self._body() or b"{}")
        except ValueError:
            request = {}
        request = request if isinstance(request, dict) else {}
        self._send(*answer(self.path, request, self.model.next_call(request)))

    def _send(self, body: bytes, kind: str) -> None:
        if self.path.startswith(("http://", "https://")):  # asked as a proxy
            self.send_error(403)
            return
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(min(_LARGEST, int(self.headers.get("content-length") or 0)))
        body = b""
        while (size := int(self.rfile.readline(), 16)) and len(body) < _LARGEST:
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing, because the terminal belongs to the doctor."""
