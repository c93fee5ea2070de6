"""A service in this process, on a port of its own, and somebody who asks it."""

import asyncio
import json
import socket
import threading
from http.client import HTTPConnection
from pathlib import Path

import uvicorn

from headway.serve.app import Service
from headway.serve.run import Place, config_for

TOKEN = "a-token-that-is-long-enough-for-tests"


class Answer:
    """What came back."""

    def __init__(self, response):
        self.status, self.headers, self.content = response.status, dict(response.headers), response.read()

    def json(self):
        return json.loads(self.content)


class Running:
    """The service while a test runs; requests have the token unless they say otherwise."""

    def __init__(self, state: Path, port: int = 0) -> None:
        state.mkdir(mode=0o700, exist_ok=True)
        self.listening = socket.create_server(("127.0.0.1", port))
        self.host = f"127.0.0.1:{self.listening.getsockname()[1]}"
        self.service = Service(TOKEN, {self.host}, state / "serve.sock")
        self.server = uvicorn.Server(config_for(self.service, Place()))
        self.thread = threading.Thread(target=self._run)
        self.is_started = threading.Event()

    def _run(self):
        async def run():
            running = asyncio.create_task(self.server.serve(sockets=[self.listening]))
            while not (self.server.started or running.done()):
                await asyncio.sleep(0.005)
            self.is_started.set()
            await running

        asyncio.run(run())

    def __enter__(self):
        self.thread.start()
        assert self.is_started.wait(120)
        return self

    def __exit__(self, *_):
        self.server.should_exit = True
        self.thread.join()
        self.listening.close()

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str | None) -> Answer:
        given: dict[str, str | None] = {"host": self.host, "authorization": f"Bearer {TOKEN}"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = HTTPConnection(self.host, timeout=120)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            if method == "POST":
                given = {"content-length": str(len(body))} | given
            for name, value in given.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(body)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def get(self, path: str, **headers: str | None) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, data=None, **headers: str | None) -> Answer:
        return self.ask("POST", path, b"" if data is None else json.dumps(data).encode(), **headers)
