"""Who may ask the service, how much, and how often.

The service listens on this machine only, but so does every web page that a browser here shows: a page may send requests
to 127.0.0.1, and a name that its owner lets point there makes them look like its own. So `Host` and `Origin` must be
ours, and everything that tells or changes something needs the token in a header, which no page can guess and no browser
adds by itself.
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
    """How large a request may be, and how many of its kind may come."""

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
"""By the beginning of the path; the first that fits."""
OPEN = ("/page/", "/healthz")


class RefusedError(Exception):
    """A request that is not answered; the status and one line that says why."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why

    def response(self) -> Response:
        """What the client gets."""
        return JSONResponse({"error": self.why}, self.status)


class Bucket:
    """Counts requests of one kind; `per_second` of them come back with time."""

    def __init__(self, limit: Limit) -> None:
        self.limit, self.left, self.at = limit, float(limit.burst), time.monotonic()

    def take(self) -> bool:
        """Whether one more may come."""
        now = time.monotonic()
        self.left = min(self.limit.burst, self.left + (now - self.at) * self.limit.per_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Guard:
    """Stands before the whole application. What it lets through has a right name, origin, size and token."""

    def __init__(self, app: ASGIApp, token: str, hosts: Iterable[str]) -> None:
        self.app, self.token, self.hosts = app, token.encode(), frozenset(hosts)
        self.strangers = Bucket(Limit(0, 20, 100))
        """Requests without the token; they do not use up what others have."""
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
            raise RefusedError(HTTPStatus.UNAUTHORIZED, "the token is missing or wrong; `headway serve --open` has it")
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
    """Count what comes, whatever length was told before."""
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
