"""Passes one event to `headway serve`; if the service does not run, does what `headway hook` does.

Agents run this file with `python -I -S`, so it is compiled at every event and starts without site-packages. It is short
and imports only built-in modules, or nearly. The fallback imports the rest.

The request is a line `headway 1 ID LENGTH OPTIONS…` and the event. The service answers `+` as soon as it has the event,
then `=LENGTH` or `!LENGTH` on its own line and the answer (`!` means that the agent is to be interrupted). If anything
else happens, this process handles the event itself. The ID ensures that it counts only once.
"""

import sys
import time

CONNECT, ACCEPT, ANSWER = 0.05, 0.05, 2.0
"""Seconds to wait until the service is connected, has the event, and has answered it."""


def read_all() -> bytes:
    """The event, from stdin."""
    parts = []
    while part := posix.read(0, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def ask(raw: bytes, id: str) -> bytes | None:
    """The service's answer; None if there is no usable one."""
    folder = env.get(b"HEADWAY_STATE_DIR") or default_folder()
    if not folder or any(name[:8] == b"HEADWAY_" and b"__" in name for name in env):  # settings of this process
        return None
    if posix.stat(folder).st_uid != posix.getuid():  # another user could answer there
        return None
    service = _socket.socket(_socket.AF_UNIX)
    service.settimeout(CONNECT)
    service.connect(folder + b"/serve.sock")
    service.settimeout(ACCEPT)
    service.sendall(f"headway 1 {id} {len(raw)} {' '.join(sys.argv[1:])}\n".encode() + raw)
    got = service.recv(65536)
    service.settimeout(ANSWER)
    while b"\n" not in got:
        got += more(service)
    head, _, body = got.partition(b"\n")
    while len(body) < int(head[2:]):
        body += more(service)
    if head[:2] == b"+!":
        start_headway()
        from headway.hosts.hook.interrupt import interrupt_parent

        interrupt_parent("codex")
    return body if head[:2] in (b"+=", b"+!") and len(body) == int(head[2:]) else None


def more(service: "_socket.socket") -> bytes:
    """What the service sends next."""
    got = service.recv(1 << 20)
    if not got:
        raise OSError
    return got


def default_folder() -> bytes:
    """The folder that `store/place.py` names."""
    home = env.get(b"HOME", b"")
    if sys.platform == "darwin":
        return home and home + b"/Library/Application Support/headway"
    state = env.get(b"XDG_STATE_HOME") or (home and home + b"/.local/state")
    return state and state + b"/headway"


def start_headway() -> None:
    """Make Headway's own modules importable, which `-I -S` left out, including the user's site-packages."""
    import site

    site.main()
    sys.path.append(__file__.rpartition("/headway/hosts/hook/")[0])


try:
    import _socket
    import posix

    env = posix.environ
except ImportError:  # Windows has no Unix sockets
    start_headway()
    from headway.hosts.hook.run import run

    run(sys.argv[1:])

raw = read_all()
id = f"{posix.getpid():x}.{time.time_ns():x}"
answer = None
try:
    answer = ask(raw, id)
    if answer:
        posix.write(1, answer)
except Exception:  # noqa: S110, whatever it was: this process can do it too
    pass
try:
    if answer is None:
        start_headway()
        from headway.hosts.hook.run import run

        run(sys.argv[1:], raw, id)
finally:  # even a broken installation must not disturb the agent
    posix._exit(0)
