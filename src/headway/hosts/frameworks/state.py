"""The state of a conversation as bytes, for a store or a framework."""

import zlib
from typing import Any, Self

import msgspec

from headway.core.decision import Decision

Kept = tuple[int, bytes]
"""The number of processed events, and the state of the conversation."""


class ConversationState(msgspec.Struct, omit_defaults=True):
    """What another process needs to continue a conversation."""

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
        """Decode what `packed` returned."""
        return msgspec.msgpack.decode(zlib.decompress(state), type=cls)


def _left_out(value: object) -> None:
    """Leave out a position that has no serialised form, because only this process can use it."""
    return
