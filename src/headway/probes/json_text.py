"""Decodes JSON reports into the shape a probe expects, or says where they differ from it."""

from typing import Annotated, TypeVar

import msgspec

from headway.probes.probe import ProbeError

Shape = TypeVar("Shape")
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
"""A number of things."""


def decoded(data: bytes, shape: type[Shape], what: str) -> Shape:
    """The report in its shape; `what` is what was expected, for the message."""
    data = data.removeprefix(b"\xef\xbb\xbf")  # some tools write a byte order mark
    if not data.strip():
        raise ProbeError(f"empty; expected {what}")
    try:
        return msgspec.json.decode(data, type=shape)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise ProbeError(f"not {what}: {error}") from error
