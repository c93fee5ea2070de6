"""The token of the service. Anybody who can read its file can see all sessions and give orders."""

import os
import secrets
from pathlib import Path

from headway.store.place import make_private, service_token

MIN_TOKEN_CHARACTERS = 32


class TokenError(Exception):
    """A token that cannot be used; the message says why."""


def own_token() -> str:
    """The token of this user, created at the first use."""
    path = Path(service_token())
    make_private(str(path.parent))
    if not path.exists():
        made = path.with_name(f"{path.name}.{os.getpid()}")
        made.unlink(missing_ok=True)
        descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
        try:
            os.link(made, path)  # fails if another service was faster
        except FileExistsError:
            pass
        finally:
            made.unlink()
    return read_token(path)


def read_token(path: Path) -> str:
    """The token in a file that only its owner can read."""
    try:
        found, token = path.stat(), path.read_text("ascii").strip()
    except (OSError, ValueError) as error:
        raise TokenError(f"{path}: {getattr(error, 'strerror', None) or 'not a token'}") from error
    if os.name != "nt" and (found.st_mode & 0o077 or found.st_uid != os.getuid()):
        raise TokenError(f"{path}: others can read or change it; run `chmod 600 {path}`")
    if len(token) < MIN_TOKEN_CHARACTERS or not token.isprintable() or " " in token:
        raise TokenError(f"{path}: expected at least {MIN_TOKEN_CHARACTERS} characters without spaces")
    return token
