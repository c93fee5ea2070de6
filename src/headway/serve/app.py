"""Handles the HTTP requests of the service; `__init__.py` lists the addresses."""

import asyncio
import json
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from headway.hosts.abilities import MODES
from headway.hosts.hook.recognise import FRAMEWORKS, HOSTS, OTHER_NAMES, host_called
from headway.reports.page import packaged
from headway.reports.scan_html import GROUPS
from headway.rolling.text import whole_characters
from headway.serve import orders
from headway.serve.board import Board, Summary
from headway.serve.framework_events import check_event, check_settings
from headway.serve.guards import Guard, RefusedError
from headway.serve.history import history
from headway.serve.hook_socket import listen
from headway.serve.judge import Answer, Judge
from headway.serve.loops import loops_in
from headway.serve.metrics import Latency, metrics
from headway.serve.notifier import notify_for_ever
from headway.serve.otlp import BINARY, read_spans
from headway.serve.telemetry import Telemetry
from headway.serve.upstream import Upstream
from headway.store.faults import note_fault
from headway.store.overview import SessionOverview

PAGE = Path(__file__).parent / "page"
KEEP_ALIVE_SECONDS = 15.0
HISTORY_CACHE_SECONDS = 300.0
COLOURS = {kind: group for group, kinds in GROUPS.items() for kind in kinds}
LONGEST_NUMBER = 18
"""Maximum digits of a step number: the database stores 63 bits."""
MOST_UNREAD = 1_000
"""Maximum number of changes that wait for one dashboard. One that does not read is disconnected and connects again."""


class Service:
    """The state that all addresses share."""

    def __init__(self, token: str, hosts: set[str], socket: Path | None = None, upstream: str = "") -> None:
        self.token, self.hosts, self.socket = token, hosts, socket
        self.board = Board()
        self.latency = Latency()
        self.spans = Telemetry()
        self.upstream = Upstream(upstream) if upstream else None
        self.judge = Judge(self.latency.note)
        self._reading = asyncio.Lock()
        self._history: Summary = {}
        self._history_at = -HISTORY_CACHE_SECONDS

    @asynccontextmanager
    async def running(self, app: Starlette) -> AsyncIterator[None]:
        """Start the threads and the socket of the service, and stop them at the end."""
        self.judge.start()
        self.board.start()
        if self.upstream is not None:
            self.upstream.start()
        server = None if self.socket is None else await listen(self.socket, self.judge)
        notifying = asyncio.create_task(notify_for_ever())
        try:
            yield
        finally:
            notifying.cancel()
            if server is not None and self.socket is not None:
                server.close()
                self.socket.unlink(missing_ok=True)
            await run_in_threadpool(self.judge.stop)
            await run_in_threadpool(self.board.stop)
            if self.upstream is not None:
                await run_in_threadpool(self.upstream.stop)

    def app(self) -> Starlette:
        """The application."""
        routes = [
            Route("/", self.page),
            Route("/healthz", self.health),
            Route("/api/sessions", self.sessions),
            Route("/api/sessions/{id}", self.session),
            Route("/api/sessions/{id}/{order}", self.order, methods=["POST"]),
            Route("/api/events", self.events),
            Route("/api/loops", self.loops),
            Route("/api/history", self.history),
            Route("/page/shared.css", self.style),
            Route("/metrics", self.metrics),
            Route("/v1/{signal}", self.telemetry, methods=["POST"]),
            Route("/hook/{agent}", self.hook, methods=["POST"]),
            Mount("/page", StaticFiles(directory=PAGE)),
        ]
        guard = Middleware(Guard, token=self.token, hosts=self.hosts)
        handlers: Any = {HTTPException: _refused, RefusedError: _refused, sqlite3.Error: _unreadable}
        handlers |= {ClientDisconnect: _gone, Exception: _failed}
        return Starlette(routes=routes, middleware=[guard], lifespan=self.running, exception_handlers=handlers)

    async def health(self, request: Request) -> Response:
        """Answer that the service is running."""
        return PlainTextResponse("ok\n")

    async def metrics(self, request: Request) -> Response:
        """Figures for Prometheus."""
        await run_in_threadpool(self.board.look)
        text = metrics(self.board.sessions, self.board.overviews(), self.latency)
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    async def page(self, request: Request) -> Response:
        """The dashboard."""
        return Response((PAGE / "index.html").read_bytes(), media_type="text/html; charset=utf-8")

    async def style(self, request: Request) -> Response:
        """The styles that the dashboard shares with the page of a scan."""
        return Response(packaged("page.css", "parts.css"), media_type="text/css")

    async def loops(self, request: Request) -> Response:
        """The loops in the projects of the sessions."""
        projects = sorted({Path(one["cwd"]) for one in self.board.sessions.values() if one["cwd"]})
        return _json({"loops": await run_in_threadpool(loops_in, projects)})

    async def history(self, request: Request) -> Response:
        """A summary of the recordings of the last weeks, cached for some minutes."""
        async with self._reading:
            if time.monotonic() - self._history_at > HISTORY_CACHE_SECONDS:
                self._history, self._history_at = await run_in_threadpool(history), time.monotonic()
        return _json(self._history)

    async def sessions(self, request: Request) -> Response:
        """All recent sessions."""
        return _json(await self._listed())

    async def _listed(self) -> Summary:
        await run_in_threadpool(self.board.look)
        listed = list(self.board.sessions.values())
        return {"version": 1, "now": time.time(), "kinds": COLOURS, "sessions": listed}

    async def session(self, request: Request) -> Response:
        """One session."""
        after = request.query_params.get("after", "0")
        if not after.isdecimal() or len(after) > LONGEST_NUMBER:
            raise RefusedError(HTTPStatus.BAD_REQUEST, "`after` must be the number of a step")
        await run_in_threadpool(self.board.look)
        found = await run_in_threadpool(self.board.detail, request.path_params["id"], int(after))
        if found is None:
            raise _unknown_session()
        return _json(found)

    async def order(self, request: Request) -> Response:
        """Allow, mute or stop something for a person."""
        name, session = request.path_params["order"], await self._overview(request.path_params["id"])
        if session is None:
            raise _unknown_session()
        if name not in orders.ORDERS:
            raise RefusedError(HTTPStatus.NOT_FOUND, f"expected one of {', '.join(orders.ORDERS)}")
        done = await run_in_threadpool(orders.ORDERS[name], session, _object(await request.body()))
        self.board.wake()
        return _json({"done": done})

    async def _overview(self, id: str) -> SessionOverview | None:
        await run_in_threadpool(self.board.look)
        return self.board.overview(id)

    async def hook(self, request: Request) -> Response:
        """One event of an agent that has HTTP hooks."""
        agent = OTHER_NAMES.get(request.path_params["agent"], request.path_params["agent"])
        if agent not in HOSTS and agent not in FRAMEWORKS:
            raise RefusedError(HTTPStatus.NOT_FOUND, f"expected one of {', '.join((*HOSTS, *FRAMEWORKS))}")
        mode = request.query_params.get("mode", "")
        if mode not in ("", *MODES):
            raise RefusedError(HTTPStatus.BAD_REQUEST, f"expected a mode of {', '.join(MODES)}")
        event = _object(raw := await request.body())
        if agent in FRAMEWORKS:
            check_event(event, host_called(agent).moments)
            check_settings(event.get("settings"))
        arguments = ["--agent", agent, *(["--mode", mode] if mode else [])]
        answer: Answer = await _told(lambda reply: self.judge.ask(raw, arguments, "", reply))
        if answer.failed:
            raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "the event was not processed; see `headway doctor`")
        return Response(answer.body, media_type="application/json")

    async def telemetry(self, request: Request) -> Response:
        """Spans or log records of an OpenTelemetry exporter."""
        signal, headers = request.path_params["signal"], request.headers
        if signal not in ("traces", "logs"):
            raise RefusedError(HTTPStatus.NOT_FOUND, "expected /v1/traces or /v1/logs")
        kind, packing = headers.get("content-type", "").partition(";")[0].strip(), headers.get("content-encoding", "")
        spans = await run_in_threadpool(read_spans, await request.body(), kind, packing, signal)
        error: BaseException | None = await _told(
            lambda done: self.judge.do(lambda store: self.spans.take_in(store, spans), done)
        )
        if error is not None:
            if not isinstance(error, sqlite3.Error):
                note_fault("telemetry", error)
            raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "not processed; send it again")
        return Response(b"" if kind == BINARY else b"{}", media_type=kind)

    async def events(self, request: Request) -> Response:
        """Stream changes as they happen."""
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
            yield _event("sessions", await self._listed())
            while True:
                try:
                    change = await asyncio.wait_for(unread.get(), KEEP_ALIVE_SECONDS)
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                if change is None:
                    return
                yield _event("change", change)
        finally:
            self.board.listeners.discard(listener)


async def _told(ask: Callable[[Callable[[Any], None]], None]) -> Any:
    """The answer of another thread; `ask` gets a function to call with the answer."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Any] = loop.create_future()

    def settle(told: Any) -> None:
        if not answer.done():  # the client may have gone
            answer.set_result(told)

    def reply(told: Any) -> None:
        loop.call_soon_threadsafe(settle, told)

    ask(reply)
    return await answer


def _event(name: str, data: Summary) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))


def _json(data: Summary) -> Response:
    return Response(msgspec.json.encode(data), media_type="application/json")


def _object(raw: bytes) -> dict[str, Any]:
    """The JSON object in a request; an empty request is an empty object."""
    try:
        data = json.loads(whole_characters(raw) or b"{}")
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


async def _unreadable(request: Request, error: sqlite3.Error) -> Response:
    why = f"the database of live sessions cannot be used now: {error}"
    return JSONResponse({"error": why}, HTTPStatus.SERVICE_UNAVAILABLE)


async def _gone(request: Request, error: Exception) -> Response:
    """The client has gone before its request was complete: no fault, and the answer is not read."""
    return Response(status_code=HTTPStatus.BAD_REQUEST)


async def _failed(request: Request, error: Exception) -> Response:
    note_fault("serve", error)
    return JSONResponse({"error": "Headway itself failed; `headway doctor` shows where"}, 500)
