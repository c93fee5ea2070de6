"""Checks who may send requests to the service, how large, and how often.

The service listens on this machine only, but a web page in a browser here can also send requests to 127.0.0.1, and a
domain that resolves to 127.0.0.1 makes them look like same-origin requests. So `Host` and `Origin` must be ours, and
everything that reads or changes data needs the token in a header, which no page can guess and no browser adds by
itself.
"""

import hmac
import time
from collections.abc import Iterable
from http import HTTPStatus
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


class Limit(NamedTuple):
    """The maximum size of a request, and the maximum rate of its kind."""

    bytes: int
    per_second: float
    burst: int


LIMITS = {
    "/hook/": Limit(64_000_000, 5_000, 10_000),
    "/v1/": Limit(16_000_000, 500, 1_000),
    "/api/events": Limit(0, 10, 50),
    "/api/": Limit(64_000, 200, 1_000),
    "/": Limit(0, 200, 1_000),
}
"""By the beginning of the path; the first match applies."""
OPEN = ("/page/", "/healthz")


class RefusedError(Exception):
    """A refused request, with its status and one line that says why."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why

    def response(self) -> Response:
        """The response for the client."""
        return JSONResponse({"error": self.why}, self.status)


class Bucket:
    """A token bucket for requests of one kind, refilled at `per_second`."""

    def __init__(self, limit: Limit) -> None:
        self.limit, self.left, self.at = limit, float(limit.burst), time.monotonic()

    def take(self) -> bool:
        """Whether one more request is allowed."""
        now = time.monotonic()
        self.left = min(self.limit.burst, self.left + (now - self.at) * self.limit.per_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Guard:
    """Wraps the whole application. It passes on only requests with a valid host, origin, size and token."""

    def __init__(self, app: ASGIApp, token: str, hosts: Iterable[str]) -> None:
        self.app, self.token, self.hosts = app, token.encode(), frozenset(hosts)
        self.strangers = Bucket(Limit(0, 20, 100))
        """The limit for requests without the token, so that they do not use up that of others."""
        self.buckets = {beginning: Bucket(limit) for beginning, limit in LIMITS.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                ours = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *ours]
            await send(message)

        try:
            limit = self._check(scope)
            await self.app(scope, _limited(receive, limit), send_guarded)
        except RefusedError as refused:
            await refused.response()(scope, receive, send_guarded)

    def _check(self, scope: Scope) -> Limit:
        headers, path = Headers(scope=scope), scope["path"]
        if headers.get("host", "") not in self.hosts:
            raise RefusedError(HTTPStatus.MISDIRECTED_REQUEST, "this name is not one of the service's")
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] not in self.hosts:
            raise RefusedError(HTTPStatus.FORBIDDEN, "requests from other web pages are refused")
        beginning = next(beginning for beginning in LIMITS if path.startswith(beginning))
        is_known = path == "/" or path.startswith(OPEN) or self._has_token(headers)
        bucket = self.buckets[beginning] if is_known else self.strangers
        if not bucket.take():
            raise RefusedError(HTTPStatus.TOO_MANY_REQUESTS, "too many requests; try again in a second")
        if not is_known:
            raise RefusedError(
                HTTPStatus.UNAUTHORIZED, "the token is missing or wrong; `headway serve --open` sends it"
            )
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            raise RefusedError(HTTPStatus.BAD_REQUEST, "the length of the request is not a number")
        if int(length) > LIMITS[beginning].bytes:
            raise _too_large(LIMITS[beginning])
        return LIMITS[beginning]

    def _has_token(self, headers: Headers) -> bool:
        kind, _, given = headers.get("authorization", "").partition(" ")
        return hmac.compare_digest(given.strip().encode(), self.token) and kind.lower() == "bearer"


def _limited(receive: Receive, limit: Limit) -> Receive:
    """Count the bytes that arrive, whatever length the request announced."""
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > limit.bytes:
            raise _too_large(limit)
        return message

    return counted


def _too_large(limit: Limit) -> RefusedError:
    return RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"larger than {limit.bytes} bytes")
