"""Short stable fingerprints of texts.

Python's own `hash` is salted per process, so two processes would disagree about the same event.
"""

try:
    from _blake2 import blake2b  # the same, without loading OpenSSL as hashlib does
except ImportError:
    from hashlib import blake2b

_EMPTY = blake2b(digest_size=8)


def digest(text: str | bytes) -> int:
    """Fingerprint a text of any size in one pass (64 bits)."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    made = _EMPTY.copy()  # quicker than a new one
    made.update(data)
    return int.from_bytes(made.digest(), "big")
