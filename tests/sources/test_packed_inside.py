"""Databases and archives inside compressed files: the ones are read, the others refused with what to do."""

import gzip
import sqlite3
import tracemalloc
import zlib
from contextlib import closing

import pytest
import zstandard

from headway.core import events
from headway.readers import read, reader_for
from headway.sources import Source, UnreadableError, source
from tests.readers.samples_read import SAMPLES

PACKINGS = [(".db.gz", gzip.compress), (".db.zst", zstandard.ZstdCompressor(write_checksum=True).compress)]


@pytest.fixture(scope="module")
def database():
    """The bytes of a database that OpenCode wrote, as it leaves it: with a log beside it."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript((SAMPLES / "opencode" / "database.sql").read_text())
        content = connection.serialize()
    return content[:18] + b"\x02\x02" + content[20:]


def calls(source):
    return [event.call for event in read(source) if isinstance(event, events.ToolReturned)]


@pytest.mark.parametrize(("ending", "pack"), PACKINGS)
def test_a_compressed_database_is_read(tmp_path, database, ending, pack):
    path = tmp_path / f"opencode{ending}"
    path.write_bytes(pack(database))
    assert 4 == len(calls(Source(path)))
    assert calls(Source(content=database)) == calls(Source(path)) == calls(Source(content=pack(database)))
    assert [path] == [*tmp_path.iterdir()]


@pytest.mark.parametrize(("ending", "pack"), PACKINGS)
def test_a_damaged_one_says_so(tmp_path, database, ending, pack):
    path = tmp_path / f"opencode{ending}"
    packed = pack(database)
    path.write_bytes(packed[:-1] + bytes([packed[-1] ^ 1]))
    with pytest.raises(UnreadableError, match="the compressed file is damaged"):
        reader_for(Source(path))
    found = Source(path)
    assert [] == [*read(found, reader_for(found, "opencode"))]
    assert "the compressed file is damaged" in found.first_fault


def test_one_that_unfolds_without_end_is_refused(database):
    packer = zlib.compressobj(9, wbits=31)
    bomb = packer.compress(database) + b"".join(packer.compress(bytes(1 << 20)) for _ in range(100)) + packer.flush()
    tracemalloc.start()
    with pytest.raises(UnreadableError, match="expands to more than 250 times its size"):
        reader_for(Source(content=bomb))
    assert tracemalloc.get_traced_memory()[1] < 150_000_000
    tracemalloc.stop()


def test_one_that_is_too_large_for_memory_has_to_be_unpacked_first(monkeypatch, database):
    monkeypatch.setattr(source, "LARGEST", len(database) - 1)
    with pytest.raises(UnreadableError, match=r"a compressed database of more than 0 MB; unpack it first \(gunzip"):
        reader_for(Source(content=gzip.compress(database)))
    monkeypatch.setattr(source, "LARGEST", len(database))
    assert "opencode" == reader_for(Source(content=gzip.compress(database))).name


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_an_archive_has_to_be_unpacked_first(pack):
    packed = Source(content=pack((SAMPLES / "inspect-log" / "two-samples.eval").read_bytes()))
    with pytest.raises(
        UnreadableError, match=r"an archive inside a compressed file; unpack it first \(gunzip, unzstd\)"
    ):
        reader_for(packed)
