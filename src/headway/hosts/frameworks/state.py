"""A conversation as bytes: what a store or a framework keeps of it."""

import zlib
from typing import Any, Self

import msgspec

from headway.core.decision import Decision

Kept = tuple[int, bytes]
"""What is known of a conversation, and how many events that took."""


class ConversationState(msgspec.Struct, omit_defaults=True):
    """What one process has to tell another about a conversation."""

    monitor: bytes = b""
    stopped: Decision | None = None
    read_up_to: Any = None
    advice: list[str] = []
    refused: list[str] = []
    requests: int = 0
    handoff_at: int = 0
    said: list[int] = []
    would_be_stopped: bool = False
    questions: dict[str, Decision] = {}

    def packed(self) -> bytes:
        """As bytes, compressed."""
        return zlib.compress(msgspec.msgpack.encode(self, enc_hook=_left_out), 1)

    @classmethod
    def unpacked(cls, state: bytes) -> Self:
        """What `packed` gave."""
        return msgspec.msgpack.decode(zlib.decompress(state), type=cls)


def _left_out(value: object) -> None:
    """An adapter may have noted how far it has read in a form that only this process understands."""
    return
