"""A long JSON document with its long texts and long values cut short: its structure in a few kilobytes.

Some programs write a lot before the part that identifies their format: a patch of 900 kB, or a list of files.
"""

import re
from io import BufferedReader, BytesIO

KEPT = 500
"""Bytes that are kept of each text."""
KEPT_VALUE = 16_000
"""Bytes that are kept of each value of the document: after that, its other items are left out."""
FARTHEST = 64 * 1024 * 1024
"""Bytes of a document that are gone through."""
MOST_TOKENS = 2_000_000
"""Brackets and texts that are gone through, which takes a second or two."""
_CHUNK = 1 << 18
_TEXT = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
"""Everything up to the quote that ends a text, or up to half an escape."""
_BEFORE_TOKEN = re.compile(rb'[^"{}\[\],]*+')
_BEFORE_BRACKET = re.compile(rb'[^"{}\[\]]*+')
_CLOSING = {ord("{"): ord("}"), ord("["): ord("]")}


def outline(file: BufferedReader | BytesIO, size: int) -> bytes:
    """The beginning of a JSON document, at most about so many bytes of it, with long texts and values cut short."""
    kept = _Outline(size)
    gone_through, rest = 0, b""
    while not kept.is_full and gone_through < FARTHEST and (piece := file.read(_CHUNK)):
        gone_through += len(piece)
        rest = kept.take(rest + piece)
    return bytes(kept.data)


class _Outline:
    """The outline of a document that is read piece by piece."""

    def __init__(self, size: int) -> None:
        self.data = bytearray()
        self._size = size
        self._tokens = 0
        self._open = bytearray()
        """The closing brackets of everything that is open."""
        self._is_text = self._leaves_out = False
        self._text = b""
        self._value_start = 0
        """Where the present value of the document begins in what is kept."""

    @property
    def is_full(self) -> bool:
        return len(self.data) >= self._size or self._tokens > MOST_TOKENS

    def take(self, piece: bytes) -> bytes:
        """Read a piece; returns the part that has to be read again together with the next piece."""
        place = 0
        while place < len(piece) and not self.is_full:
            if not self._is_text:
                place = self._take_token(piece, place)
                continue
            found = _TEXT.match(piece, place)
            end = found.end() if found else place
            if len(self._text) <= KEPT and not self._leaves_out:
                self._text += piece[place : min(end, place + KEPT + 1)]
            if piece[end : end + 1] == b"\\":  # the escape goes on in the next piece
                return piece[end:]
            place = end
            if place < len(piece):
                self._end_text()
                place += 1
        return b""

    def _end_text(self) -> None:
        if not self._leaves_out:
            self.data += _shortened(self._text) + b'"'
        self._is_text, self._text = False, b""

    def _take_token(self, piece: bytes, place: int) -> int:
        """Read everything up to and including the next bracket, quote or comma."""
        found = (_BEFORE_BRACKET if self._leaves_out else _BEFORE_TOKEN).match(piece, place)
        end = found.end() + 1 if found else place + 1
        self._tokens += 1
        if not self._leaves_out:
            self.data += piece[place : end - 1]
        if end > len(piece):
            return end
        token = piece[end - 1]
        if token == ord(",") and len(self._open) > 1 and len(self.data) - self._value_start > KEPT_VALUE:
            self.data += self._open[:0:-1]  # closed here, what is left of the value is left out
            self._leaves_out = True
            return end
        if not self._leaves_out:
            self.data.append(token)
        self._follow(token)
        return end

    def _follow(self, token: int) -> None:
        if token == ord('"'):
            self._is_text = True
        elif token in _CLOSING:
            self._open.append(_CLOSING[token])
        elif token != ord(","):
            del self._open[-1:]
            self._leaves_out = self._leaves_out and len(self._open) > 1
        elif len(self._open) == 1:
            self._value_start = len(self.data)


def _shortened(text: bytes) -> bytes:
    """The beginning of a text, without half a character or half an escape at its end."""
    if len(text) <= KEPT:
        return text
    start = text[:KEPT]
    if (escape := start.rfind(b"\\", KEPT - 6)) >= 0:
        start = start[: escape - (len(start[:escape]) - len(start[:escape].rstrip(b"\\"))) % 2]
    return start.decode("utf-8", "ignore").encode()
