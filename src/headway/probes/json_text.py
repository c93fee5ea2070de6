"""Decodes JSON reports into the type that a probe expects."""

from typing import Annotated, TypeVar

import msgspec

from headway.probes.probe import ProbeError

Shape = TypeVar("Shape")
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]


def decoded(data: bytes, shape: type[Shape], what: str) -> Shape:
    """The report as this type. If it does not fit, the error says where; `what` names the expected report."""
    data = data.removeprefix(b"\xef\xbb\xbf")  # some tools write a byte order mark
    if not data.strip():
        raise ProbeError(f"empty; expected {what}")
    try:
        return msgspec.json.decode(data, type=shape)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise ProbeError(f"not {what}: {error}") from error
