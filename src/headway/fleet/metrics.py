"""The counters of an instance over HTTP, for Prometheus."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from headway.fleet.counts import Counts


def serve_metrics(counts: Counts, port: int) -> int:
    """Answer `/metrics` in the background for as long as the process runs, and return the port."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = counts.text().encode() if self.path == "/metrics" else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Prometheus asks every few seconds: nothing is logged."""

    server = ThreadingHTTPServer(("", port), Answer)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port
