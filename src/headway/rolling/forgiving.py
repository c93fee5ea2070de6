"""Decode JSON with small faults.

A program in JavaScript that cuts a text in the middle of an emoji writes half of it, `\\ud83d`, which others refuse to
read. Some put a byte order mark in front. Neither is worth losing what a record says.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

from headway.rolling.text import whole_characters

T = TypeVar("T")
FAULTS = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What decoding something raises that is not what it should be."""
decoder_of: Callable[[Any], msgspec.json.Decoder[Any]] = cache(msgspec.json.Decoder)
"""Made once for each kind of record: small recordings are read in less time than that takes."""

_MARK = b"\xef\xbb\xbf"


def from_json(json: bytes | str, kind: type[T]) -> T:
    """What JSON says, decoded as `kind`; where that fails, once more without such faults, if there are any."""
    decode = decoder_of(kind).decode
    try:
        return cast(T, decode(json))
    except FAULTS:
        data = json.encode("utf-8", "replace") if isinstance(json, str) else bytes(json)
        repaired = whole_characters(data.removeprefix(_MARK))
        if repaired == data:
            raise
    return cast(T, decode(repaired))
