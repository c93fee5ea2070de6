"""Starts and stops the service: one for each state folder."""

import asyncio
import contextlib
import json
import os
import socket
import sqlite3
import sys
from collections.abc import Callable, Coroutine, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, TextIO
from urllib.parse import urlsplit

import uvicorn

from headway.serve.app import Service
from headway.serve.token import own_token, read_token
from headway.store.errors import is_damage
from headway.store.faults import note_fault
from headway.store.place import make_private, service_record, service_socket
from headway.store.sessions import SessionStore

LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_CONNECTIONS = 512
LONGEST_SOCKET = 100
"""Maximum bytes of a unix socket's path; the limit is 104 on macOS and 108 on Linux."""


class StartError(Exception):
    """The service cannot be started; the message says why and what to do."""


class RunningError(StartError):
    """A service of this state folder is running."""

    def __init__(self, url: str) -> None:
        super().__init__(f"the service is running already: {url or 'it is just starting'}")
        self.url = url


class Place(NamedTuple):
    """Where the service listens."""

    bind: str = "127.0.0.1"
    port: int = 4319
    token_file: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    upstream: str | None = None
    """The endpoint that findings are sent to."""
    names: tuple[str, ...] = ()
    """Other host names of the service."""

    def arguments(self) -> tuple[str, ...]:
        """The same as options of `headway serve`, with absolute paths."""
        files = {"--token-file": self.token_file, "--tls-cert": self.certificate, "--tls-key": self.key}
        options = [word for name, path in files.items() if path is not None for word in (name, str(path.absolute()))]
        options += ["--upstream", self.upstream] if self.upstream else []
        options += [word for name in self.names for word in ("--name", name)]
        return ("--bind", self.bind, "--port", str(self.port), *options)

    @property
    def is_here(self) -> bool:
        """Whether only this machine can connect."""
        return self.bind in LOOPBACK

    def check(self) -> None:
        """Refuse other machines without TLS and a token of their own."""
        if not self.is_here and None in (self.token_file, self.certificate, self.key):
            raise StartError(f"--bind {self.bind} needs --token-file, --tls-cert and --tls-key")
        if (self.certificate is None) != (self.key is None):
            raise StartError("--tls-cert and --tls-key belong together")
        if self.upstream and not _is_address(self.upstream):
            raise StartError(f"--upstream {self.upstream}: expected http://… or https://…")
        for path in (self.certificate, self.key):
            if path is not None and not path.is_file():
                raise StartError(f"{path}: no such file")


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and " " not in url
    except ValueError:  # an invalid port or address
        return False


def serve(place: Place, ready: Callable[[str, str], None]) -> None:
    """Run until a signal arrives. `ready` gets the address and the token as soon as requests are answered."""
    place.check()
    token = own_token() if place.token_file is None else read_token(place.token_file)
    make_private(str(Path(service_record()).parent))
    with _only_one() as record, _listening(place) as listening:
        _migrate()
        port = listening.getsockname()[1]
        scheme = "http" if place.certificate is None else "https"
        url = f"{scheme}://{_written(place.bind)}:{port}"
        service = Service(token, _names(place, port), socket_path(), place.upstream or "")
        server = uvicorn.Server(config_for(service, place))

        def started() -> None:
            _write(record, json.dumps({"url": url, "pid": os.getpid(), "version": version("headway-agents")}))
            ready(url, token)

        _run(_serve(server, listening, started))


def _run(serving: Coroutine[Any, Any, None]) -> None:
    """Run until it ends, with uvloop if it is installed, because that is faster."""
    try:
        import uvloop
    except ImportError:  # Windows has none
        asyncio.run(serving)
    else:
        uvloop.run(serving)


async def _serve(server: uvicorn.Server, listening: socket.socket, ready: Callable[[], None]) -> None:
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while not (server.started or running.done()):
        await asyncio.sleep(0.01)
    if server.started:
        ready()
    await running


def config_for(service: Service, place: Place) -> uvicorn.Config:
    """The configuration of the web server."""
    return uvicorn.Config(
        service.app(),
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
        timeout_keep_alive=75,
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=64_000,
        ssl_certfile=place.certificate,
        ssl_keyfile=place.key,
    )


def socket_path() -> Path | None:
    """The path of the socket for hooks; None if the platform has none, or the path would be too long."""
    path = service_socket()
    return Path(path) if hasattr(socket, "AF_UNIX") and len(os.fsencode(path)) <= LONGEST_SOCKET else None


def _names(place: Place, port: int) -> set[str]:
    """The allowed values of `Host`."""
    names = {*LOOPBACK, place.bind} if place.is_here else {place.bind, socket.getfqdn(), socket.gethostname()}
    return {f"{_written(name)}:{port}" for name in (*names, *place.names)}


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@contextlib.contextmanager
def _listening(place: Place) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in place.bind else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((place.bind, place.port))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise StartError(f"{place.bind}:{place.port}: {why}; choose another port with --port") from error
        listening.listen(512)
        yield listening


@contextlib.contextmanager
def _only_one() -> Iterator[TextIO]:
    """Hold the lock of this state folder's service. The system releases the lock of a killed service."""
    descriptor = os.open(service_record(), os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+", encoding="utf-8") as record:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(record, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise RunningError(_running(record.read())) from None
        _write(record, "")
        yield record


def _write(record: TextIO, text: str) -> None:
    record.seek(0)
    record.truncate()
    record.write(text)
    record.flush()


def _running(record: str) -> str:
    try:
        return str(json.loads(record)["url"])
    except (ValueError, KeyError, TypeError):
        return ""


def _migrate() -> None:
    """Update the tables of the database. A damaged one is moved aside, as in a hook."""
    store = SessionStore()
    try:
        store.prepare()
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        note_fault("the database was moved aside", error)
        store.put_aside()
    finally:
        store.close()
