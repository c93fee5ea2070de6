"""A tool's output as text, whatever a host hands on."""

import msgspec

from headway.tools.envelope import has_only_an_address
from headway.tools.outcome import hits_in


class NotDescribedError(ValueError):
    """An object says nothing about itself but its type and address."""


def as_text(output: object) -> str:
    """Text as it is, bytes decoded, plain data as JSON, anything else as it describes itself.

    A result with an object that does not describe itself (a generator, for example) is marked as not recorded.
    """
    if isinstance(output, str):
        return output
    if isinstance(output, (bytes, bytearray)):
        return bytes(output).decode("utf-8", "replace")
    if output is None:
        return ""
    try:
        return msgspec.json.encode(output, enc_hook=_described).decode()
    except NotDescribedError:
        return f"<{type(output).__name__} not recorded>"
    except Exception:  # a foreign object may do anything when it is looked at
        return _as_repr(output)


def hits_given(output: object) -> int | None:
    """How many things a search found, where the output is data that tells."""
    try:
        return None if isinstance(output, (str, bytes)) else hits_in(output)
    except Exception:
        return None


def _as_repr(output: object) -> str:
    try:
        return _described(output)
    except Exception:
        return f"<{type(output).__name__} not recorded>"


def _described(value: object) -> str:
    """What an object says about itself. One that only tells its address says nothing that could be compared."""
    text = repr(value)
    if has_only_an_address(text):
        raise NotDescribedError
    return text
