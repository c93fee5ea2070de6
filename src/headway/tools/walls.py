"""What blocks a call, if it is something around it that other calls meet as well.

A wall has a name, as the end of a sentence: two failures with the same name have one cause, whatever was called. That
there is none of what was asked for is an answer, and no wall.
"""

import re
from functools import lru_cache

from headway.rolling.lazy import regex

_HINTS = (
    "refused", "failed to connect", "docker daemon", "not found", "no module named", "no space", "enospc", "denied",
    "not permitted", "read-only", "in use", "already allocated",
)  # fmt: skip
"""Every such message contains one of these. Most errors are of another kind, and searching for words is fast."""
_NO_CONNECTION = regex(r"connection refused|\beconnrefused\b|failed to connect to", re.IGNORECASE)
_ADDRESS = regex(
    r"//(?:[^/\s@]+@)?(?P<site>[\w.-]+(?::\d+)?)"
    r"|\b(?:host=)?[\"']?(?P<host>localhost|\d+(?:\.\d+){3}|[\w-]+(?:\.[\w-]+)+)[\"']?(?: [(\[][\d.:]+[)\]])?"
    r"(?:,? port[ =]|:| )(?P<port>\d{2,5})\b"
)
_TAKEN = regex(
    r"\b(?:address|port\b[^\n]{0,40}) (?:is )?already (?:in use|allocated)|\bport \d+ is in use", re.IGNORECASE
)
_PORT = regex(r"(?:\bport |:)(\d{2,5})\b", re.IGNORECASE)
_NO_PROGRAM = regex(
    r"command not found: (?P<a>[\w.+-]+)|(?P<b>[\w.+-]+): command not found\b(?!:)"
    r"|\bsh: (?:line )?(?:\d+: )?(?P<c>[\w.+-]+): not found\b|no module named [\"']?(?P<d>\w+)",
    re.IGNORECASE,
)
_NO_SPACE = regex(r"no space left on device|\bENOSPC\b", re.IGNORECASE)
_NOT_ALLOWED = regex(r"permission denied|operation not permitted|read-only file system", re.IGNORECASE)
_FOLDER = regex(r"(?<![\w.])/[\w.@+-]+(?:/[\w.@+-]+)?")
"""The beginning of a path: where a permission ends, it ends for the files beside it too."""


@lru_cache(maxsize=64)
def wall(message: str, asked: str) -> str:
    """What refuses a call that failed with this message; empty if it is not known, or not around the call."""
    lowered = message.lower()
    if not any(hint in lowered for hint in _HINTS):
        return ""
    if _NO_SPACE.search(message):
        return "no space is left on the disk"
    if "docker daemon" in lowered:
        return "the Docker daemon does not answer"
    if _NO_CONNECTION.search(message):
        address = _address(f"{asked} {message}")
        return f"{address} refuses connections" if address else ""
    if _TAKEN.search(message):
        port = _PORT.search(message)
        return f"port {port[1]} is taken" if port else ""
    if _NOT_ALLOWED.search(message):
        folder = _FOLDER.search(message)
        return f"permission is denied in {folder[0]}" if folder else ""
    missing = _NO_PROGRAM.search(message)
    return f"`{next(filter(None, missing.groups()))}` is not there" if missing else ""


def _address(text: str) -> str:
    """The first address with a port in a text, or else the first site."""
    found = [one["site"] or f"{one['host']}:{one['port']}" for one in _ADDRESS.finditer(text)]
    address = next((one for one in found if ":" in one), found[0] if found else "")
    return address.replace("127.0.0.1", "localhost")
