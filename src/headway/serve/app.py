"""The addresses of the service; `__init__.py` lists them."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from headway.hosts.abilities import MODES
from headway.hosts.hook.recognise import HOSTS, OTHER_NAMES
from headway.serve import orders
from headway.serve.board import Board, Summary
from headway.serve.guards import Guard, RefusedError
from headway.serve.hook_socket import listen
from headway.serve.judge import Answer, Judge
from headway.store.faults import note_fault

PAGE = Path(__file__).parent / "page"
KEEP_ALIVE = 15.0
"""Seconds after which a stream without news says that it is still there."""
MOST_UNREAD = 1_000
"""Changes that wait for one dashboard; one that does not read is disconnected, and connects again."""


class Service:
    """What all addresses share."""

    def __init__(self, token: str, hosts: set[str], socket: Path | None = None) -> None:
        self.token, self.hosts, self.socket = token, hosts, socket
        self.board = Board()
        self.judge = Judge(self._answered)

    def _answered(self, seconds: float) -> None:
        self.board.wake()

    @asynccontextmanager
    async def running(self, app: Starlette) -> AsyncIterator[None]:
        """While the service runs."""
        self.judge.start()
        await run_in_threadpool(self.board.start)
        server = None if self.socket is None else await listen(self.socket, self.judge)
        try:
            yield
        finally:
            if server is not None and self.socket is not None:
                server.close()
                self.socket.unlink(missing_ok=True)
            await run_in_threadpool(self.judge.stop)
            await run_in_threadpool(self.board.stop)

    def app(self) -> Starlette:
        """The application."""
        routes = [
            Route("/", self.page),
            Route("/healthz", self.health),
            Route("/api/sessions", self.sessions),
            Route("/api/sessions/{id}", self.session),
            Route("/api/sessions/{id}/{order}", self.order, methods=["POST"]),
            Route("/api/events", self.events),
            Route("/hook/{agent}", self.hook, methods=["POST"]),
            Mount("/page", StaticFiles(directory=PAGE)),
        ]
        guard = Middleware(Guard, token=self.token, hosts=self.hosts)
        handlers: Any = {HTTPException: _refused, RefusedError: _refused, Exception: _failed}
        return Starlette(routes=routes, middleware=[guard], lifespan=self.running, exception_handlers=handlers)

    async def health(self, request: Request) -> Response:
        """Whether the service answers."""
        return PlainTextResponse("ok\n")

    async def page(self, request: Request) -> Response:
        """The dashboard."""
        return Response((PAGE / "index.html").read_bytes(), media_type="text/html; charset=utf-8")

    async def sessions(self, request: Request) -> Response:
        """All sessions of late."""
        return _json(self._listed())

    def _listed(self) -> Summary:
        return {"version": 1, "now": time.time(), "sessions": list(self.board.sessions.values())}

    async def session(self, request: Request) -> Response:
        """One session."""
        after = request.query_params.get("after", "0")
        if not after.isdecimal():
            raise RefusedError(HTTPStatus.BAD_REQUEST, "`after` must be the number of a step")
        found = await run_in_threadpool(self.board.detail, request.path_params["id"], min(int(after), 1 << 60))
        if found is None:
            raise _unknown_session()
        return _json(found)

    async def order(self, request: Request) -> Response:
        """A person allows, mutes or stops something."""
        name, session = request.path_params["order"], self.board.overview(request.path_params["id"])
        if session is None:
            raise _unknown_session()
        if name not in orders.ORDERS:
            raise RefusedError(HTTPStatus.NOT_FOUND, f"expected one of {', '.join(orders.ORDERS)}")
        done = await run_in_threadpool(orders.ORDERS[name], session, _object(await request.body()))
        self.board.wake()
        return _json({"done": done})

    async def hook(self, request: Request) -> Response:
        """One event of an agent that has HTTP hooks."""
        agent = OTHER_NAMES.get(request.path_params["agent"], request.path_params["agent"])
        if agent not in HOSTS:
            raise RefusedError(HTTPStatus.NOT_FOUND, f"expected one of {', '.join(HOSTS)}")
        mode = request.query_params.get("mode", "")
        if mode not in ("", *MODES):
            raise RefusedError(HTTPStatus.BAD_REQUEST, f"expected a mode of {', '.join(MODES)}")
        _object(raw := await request.body())
        loop, answered = asyncio.get_running_loop(), asyncio.Event()
        answers: list[Answer] = []

        def reply(answer: Answer) -> None:
            answers.append(answer)
            loop.call_soon_threadsafe(answered.set)

        self.judge.ask(raw, ["--agent", agent, *(["--mode", mode] if mode else [])], "", reply)
        await answered.wait()
        if answers[0].failed:
            raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "the event was not taken in; see `headway doctor`")
        return Response(answers[0].body, media_type="application/json")

    async def events(self, request: Request) -> Response:
        """Changes as they happen."""
        return StreamingResponse(self._changes(), media_type="text/event-stream")

    async def _changes(self) -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        unread: asyncio.Queue[Summary | None] = asyncio.Queue()

        def put(change: Summary) -> None:
            unread.put_nowait(change if unread.qsize() < MOST_UNREAD else None)

        def listener(change: Summary) -> None:
            loop.call_soon_threadsafe(put, change)

        self.board.listeners.add(listener)
        try:
            yield _event("sessions", self._listed())
            while True:
                try:
                    change = await asyncio.wait_for(unread.get(), KEEP_ALIVE)
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                if change is None:
                    return
                yield _event("change", change)
        finally:
            self.board.listeners.discard(listener)


def _event(name: str, data: Summary) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))


def _json(data: Summary) -> Response:
    return Response(msgspec.json.encode(data), media_type="application/json")


def _object(raw: bytes) -> dict[str, Any]:
    """The object in a request; an empty request is an empty one."""
    try:
        data = json.loads(raw or b"{}")
    except (ValueError, RecursionError):
        raise RefusedError(HTTPStatus.BAD_REQUEST, "the request is not JSON") from None
    if not isinstance(data, dict):
        raise RefusedError(HTTPStatus.BAD_REQUEST, "the request is not a JSON object")
    return data


def _unknown_session() -> RefusedError:
    return RefusedError(HTTPStatus.NOT_FOUND, "no such session was active in the last 7 days")


async def _refused(request: Request, error: HTTPException | RefusedError) -> Response:
    if isinstance(error, RefusedError):
        return error.response()
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    note_fault("serve", error)
    return JSONResponse({"error": "Headway itself failed; `headway doctor` shows where"}, 500)
