"""Protocol buffers as they are on the wire: numbered fields, read without knowing what they mean."""

from struct import unpack

_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5
_DOUBLE = 8
MOST = 200_000
"""Fields of one message that are read."""
_LONGEST = 10
"""Bytes of the longest number."""


class WireError(ValueError):
    """Bytes that are no message."""


class Fields:
    """The fields of one message: numbers, and bytes that are a text or another message."""

    def __init__(self, data: bytes) -> None:
        self._values: dict[int, list[int | bytes]] = {}
        at = count = 0
        while at < len(data):
            key, at = _number(data, at)
            count += 1
            if count > MOST:
                raise WireError(f"it has more than {MOST:,} fields")
            kind = key & 7
            if kind == _VARINT:
                value, at = _number(data, at)
                self._values.setdefault(key >> 3, []).append(value)
                continue
            size, at = _number(data, at) if kind == _BYTES else ({_EIGHT: 8, _FOUR: 4}.get(kind, -1), at)
            if size < 0 or at + size > len(data):
                raise WireError("it is not a protocol buffer, or it is damaged")
            self._values.setdefault(key >> 3, []).append(data[at : at + size])
            at += size

    def __contains__(self, number: int) -> bool:
        return number in self._values

    def numbers(self) -> list[int]:
        """Which fields are there."""
        return list(self._values)

    def message(self, number: int) -> "Fields":
        """The message in a field; of several, the last. Without one, a message without fields."""
        return Fields(self.bytes(number))

    def messages(self, number: int) -> "list[Fields]":
        """All messages in a field."""
        return [Fields(value) for value in self.raw(number)]

    def raw(self, number: int) -> "list[bytes]":
        """All values of a field as bytes."""
        return [value for value in self._values.get(number, ()) if isinstance(value, bytes)]

    def bytes(self, number: int) -> bytes:
        """The bytes of a field, or none."""
        value = self._values.get(number, [b""])[-1]
        return value if isinstance(value, bytes) else b""

    def text(self, number: int) -> str:
        """The text of a field, or an empty one."""
        return self.bytes(number).decode("utf-8", "replace")

    def texts(self, number: int) -> list[str]:
        """All texts of a field."""
        return [value.decode("utf-8", "replace") for value in self.raw(number)]

    def number(self, number: int) -> int:
        """The number in a field, with its sign; 0 if there is none."""
        value = self._values.get(number, [0])[-1]
        if not isinstance(value, int):
            return 0
        return value - (1 << 64) if value >> 63 else value

    def double(self, number: int) -> float:
        """The floating-point number in a field; 0 if there is none."""
        raw = self.bytes(number)
        return float(unpack("<d", raw)[0]) if len(raw) == _DOUBLE else 0.0


def _number(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(_LONGEST):
        if at + place >= len(data):
            break
        byte = data[at + place]
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return value & (1 << 64) - 1, at + place + 1
    raise WireError("it is not a protocol buffer, or it is damaged")
