"""Decode JSON with small faults.

A JavaScript program that cuts a text in the middle of an emoji writes half of it, `\\ud83d`, which others cannot
decode. Some programs write a byte order mark first. Neither is a reason to lose a record.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

from headway.rolling.text import whole_characters

T = TypeVar("T")
FAULTS = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What decoding raises if the data is not valid."""
decoder_of: Callable[[Any], msgspec.json.Decoder[Any]] = cache(msgspec.json.Decoder)
"""Created once for each kind of record, because that takes longer than to read a small recording."""

_MARK = b"\xef\xbb\xbf"


def from_json(json: bytes | str, kind: type[T]) -> T:
    """Decode JSON as `kind`. If that fails and the JSON has one of these faults, try again without them."""
    decode = decoder_of(kind).decode
    try:
        return cast(T, decode(json))
    except FAULTS:
        data = json.encode("utf-8", "replace") if isinstance(json, str) else bytes(json)
        repaired = whole_characters(data.removeprefix(_MARK))
        if repaired == data:
            raise
    return cast(T, decode(repaired))
