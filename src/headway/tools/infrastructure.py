"""Failures of the world around a tool: worth a retry, and not the agent's mistake."""

import re

from headway.rolling.regex import regex

_TRANSIENT = regex(
    r"rate.?limit|too many requests|\b429\b|\b50[234]\b|overloaded|temporar(?:y|ily)|try again later|timed? ?out"
    r"|connection (?:refused|reset|aborted|closed)|network is unreachable|could not resolve host|name resolution"
    r"|econn(?:refused|reset|aborted)|etimedout|eai_again|service unavailable|bad gateway|resource busy",
    re.IGNORECASE,
)


def is_transient(message: str) -> bool:
    """Whether an error message speaks of the network, a limit or a busy machine."""
    return _TRANSIENT.search(message) is not None
