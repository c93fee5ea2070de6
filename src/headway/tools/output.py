"""A tool's output as text, whatever a host hands on."""

import msgspec

from headway.tools.outcome import hits_in


def as_text(output: object) -> str:
    """Text as it is, bytes decoded, plain data as JSON, anything else as it describes itself."""
    if isinstance(output, str):
        return output
    if isinstance(output, (bytes, bytearray)):
        return bytes(output).decode("utf-8", "replace")
    if output is None:
        return ""
    try:
        return msgspec.json.encode(output, enc_hook=repr).decode()
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
        return repr(output)
    except Exception:
        return f"<{type(output).__name__}>"
