"""A long JSON document with its long texts cut short, so that what it is made of fits into a few kilobytes.

Some programs write a long text in front of everything that their format is recognised by: a patch of 900 kB, say.
"""

import re
from io import BufferedReader, BytesIO

KEPT = 500
"""Bytes that are kept of each text."""
FARTHEST = 64 * 1024 * 1024
"""Bytes of a document that are gone through."""
_CHUNK = 1 << 18
_TEXT = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
"""Everything up to the quote that ends a text, or up to half an escape."""


def outline(file: BufferedReader | BytesIO, size: int) -> bytes:
    """The beginning of a JSON document, at most about so many bytes of it, with long texts cut short."""
    kept = bytearray()
    is_text, text = False, b""
    gone_through, rest = 0, b""
    while len(kept) < size and gone_through < FARTHEST and (piece := file.read(_CHUNK)):
        gone_through += len(piece)
        piece, place = rest + piece, 0
        rest = b""
        while place < len(piece) and len(kept) < size:
            if not is_text:
                end = piece.find(b'"', place)
                end = len(piece) if end < 0 else end + 1
                kept += piece[place:end]
                is_text, text, place = piece[end - 1 : end] == b'"', b"", end
                continue
            found = _TEXT.match(piece, place)
            end = found.end() if found else place
            text += piece[place : min(end, place + KEPT + 1)] if len(text) <= KEPT else b""
            if piece[end : end + 1] == b"\\":  # the escape goes on in the next piece
                rest = piece[end:]
                break
            place = end
            if place < len(piece):
                kept += _shortened(text) + b'"'
                is_text, place = False, place + 1
    return bytes(kept)


def _shortened(text: bytes) -> bytes:
    """The beginning of a text, without half a character or half an escape at its end."""
    if len(text) <= KEPT:
        return text
    start = text[:KEPT]
    if (escape := start.rfind(b"\\", KEPT - 6)) >= 0:
        start = start[: escape - (len(start[:escape]) - len(start[:escape].rstrip(b"\\"))) % 2]
    return start.decode("utf-8", "ignore").encode()
