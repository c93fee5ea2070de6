"""Failures of the world around a tool: worth a retry, and not the agent's mistake."""

import re
from functools import lru_cache

from headway.rolling.regex import regex
from headway.tools.error_shapes import REFUSED

_TRANSIENT = regex(
    r"rate.?limit|too many requests|\b429\b|\b50[234]\b|overloaded|temporar(?:y|ily)|try again later|timed? ?out"
    r"|connection (?:refused|reset|aborted|closed)|network is unreachable|could not resolve host|name resolution"
    r"|econn(?:refused|reset|aborted)|etimedout|eai_again|\benotfound\b|socket hang up|network error|early eof"
    r"|recv error|service unavailable|bad gateway|resource busy",
    re.IGNORECASE,
)
_HINTS = (
    "limit", "too many", "429", "502", "503", "504", "overload", "temporar", "again", "time", "connection", "network",
    "resol", "econn", "enotfound", "socket", "early eof", "recv error", "unavailable", "gateway", "busy",
)  # fmt: skip
"""One of these is in every such message. Most errors are of another kind, and looking for words is cheap."""


_OWN_TIMEOUT = regex(r"\b(?:command|process|execution|script|test|tool)\b[^\n]{0,40}\btimed out\b", re.IGNORECASE)
"""A command that takes too long will take too long again."""


@lru_cache(maxsize=64)
def is_refusal(message: str) -> bool:
    """Whether the environment refuses something: a permission, a key, a disk."""
    return REFUSED.search(message) is not None


def is_transient(message: str) -> bool:
    """Whether an error message speaks of the network, a limit or a busy machine."""
    lowered = message.lower()
    if "timed out" in lowered and _OWN_TIMEOUT.search(message):
        return False
    for hint in _HINTS:
        if hint in lowered:
            return _TRANSIENT.search(message) is not None
    return False
