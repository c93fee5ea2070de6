import random

import pytest
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from headway.shapes import wire
from headway.shapes.wire import Fields, WireError


def test_it_reads_what_googles_library_writes():
    stamp = Fields(Timestamp(seconds=-5, nanos=250).SerializeToString())
    assert (-5, 250, 0) == (stamp.number(1), stamp.number(2), stamp.number(3))
    struct = Struct()
    struct.update({"a": "ü", "b": 1.5})
    entries = {entry.text(1): entry.message(2) for entry in Fields(struct.SerializeToString()).messages(1)}
    assert ("ü", 1.5) == (entries["a"].text(3), entries["b"].double(2))
    assert 3 in entries["a"] and 3 not in entries["b"]


def test_a_field_of_another_kind_counts_as_missing():
    number = Fields(b"\x08\x05")
    assert (b"", "", [], 0.0) == (number.bytes(1), number.text(1), number.texts(1), number.double(1))
    text = Fields(b"\x0a\x01x")
    assert (0, "x", ["x"]) == (text.number(1), text.text(1), text.texts(1))


@pytest.mark.parametrize(
    "data", [b"\x80", b"\x0a\x05x", b"\x0b", b"\x09\x00", b"\x08" + b"\x80" * 12, b"\x0a\xff\xff\xff\x7f"]
)
def test_what_is_no_message_is_refused(data):
    with pytest.raises(WireError):
        Fields(data)


def test_any_bytes_are_read_or_refused():
    numbers = random.Random(1)
    for _ in range(3_000):
        data = numbers.randbytes(numbers.randrange(40))
        try:
            fields = Fields(data)
        except WireError:
            continue
        assert all(isinstance(fields.text(number), str) for number in fields.numbers())


def test_a_message_of_endless_fields_is_refused(monkeypatch):
    monkeypatch.setattr(wire, "MOST", 100)
    with pytest.raises(WireError, match="more than 100 fields"):
        Fields(b"\x08\x01" * 101)
    assert 1 == Fields(b"\x08\x01" * 100).number(1)
