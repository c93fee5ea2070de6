"""Zip archives whose files are packed with zstd."""

import io
import json
import struct
import tracemalloc
import zipfile

import pytest
import zstandard

from headway.readers import read, reader_for
from headway.sources import Source

ZSTD = 93


def archive(flags=0, **files):
    """An archive of files that are packed with zstd, which zipfile itself cannot write."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        for name, content in files.items():
            written.writestr(name.replace("__", "/"), zstandard.compress(content))
    data = bytearray(out.getvalue())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.find(mark)
        while place >= 0:
            data[place + at : place + at + 4] = struct.pack("<HH", flags, ZSTD)
            place = data.find(mark, place + 4)
    return bytes(data)


def test_members_are_unpacked():
    source = Source(content=archive(a=b"hello", b__c=b"x" * 100_000))
    assert (b"hello", b"x" * 100_000) == (source.member("a").open().read(), source.member("b/c").open().read())
    assert 0 == source.skipped


@pytest.mark.parametrize("flags", [1])
def test_an_encrypted_member_is_counted(flags):
    source = Source(content=archive(flags=flags, a=b"hello"))
    assert b"" == source.member("a").open().read()
    assert "a: it is encrypted" == source.first_fault


def test_a_damaged_member_is_counted():
    whole = archive(a=json.dumps(list(range(1_000))).encode())
    source = Source(content=whole[:60] + b"\xff\xff\xff" + whole[63:])
    assert b"" == source.member("a").open().read()
    assert "damaged" in source.first_fault


def test_a_bomb_inside_an_evaluation_log_is_refused():
    """300 MB of nothing in a few kilobytes, where a sample should be."""
    content = archive(header__json=b"{}", samples__a_epoch_1__json=b"0" * 300_000_000).replace(b"/json", b".json")
    source = Source(content=content)
    assert len(content) < 100_000 and "inspect-log" == reader_for(source).name
    tracemalloc.start()
    assert [] == list(read(source, reader_for(source)))
    assert tracemalloc.get_traced_memory()[1] < 200_000_000
    tracemalloc.stop()
    assert "unfolds to more than" in source.first_fault
