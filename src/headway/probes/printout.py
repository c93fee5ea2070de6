"""Stores the beginning and the end of a command's output. Summaries are at the end."""

from collections import deque


class Printout:
    """Stores at most `most` bytes (and one more piece) of an output of any length."""

    def __init__(self, most: int) -> None:
        self._room = most // 4
        self._head: list[bytes] = []
        self._tail: deque[bytes] = deque()
        self._most_tail = most - self._room
        self._in_tail = 0
        self._left_out = 0

    def add(self, piece: bytes) -> None:
        """Add the next piece of the output."""
        if self._room:
            self._head.append(piece[: self._room])
            piece = piece[self._room :]
            self._room -= len(self._head[-1])
        if piece:
            self._tail.append(piece)
            self._in_tail += len(piece)
        while self._in_tail > self._most_tail:
            self._left_out += len(self._tail[0])
            self._in_tail -= len(self._tail.popleft())

    @property
    def clipped(self) -> bool:
        """Whether something was left out."""
        return self._left_out > 0

    def text(self) -> bytes:
        """The stored output, with a line that says where something was left out."""
        mark = f"\n[... {self._left_out} bytes left out ...]\n".encode() if self.clipped else b""
        return b"".join(self._head) + mark + b"".join(self._tail)
