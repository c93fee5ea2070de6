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


@pytest.mark.slow
def test_a_bomb_inside_an_evaluation_log_is_refused():
    """300 MB of nothing in a few kilobytes, where a sample should be."""
    content = archive(header__json=b"{}", samples__a_epoch_1__json=b"0" * 300_000_000).replace(b"/json", b".json")
    source = Source(content=content)
    assert len(content) < 100_000 and "inspect-log" == reader_for(source).name
    tracemalloc.start()
    assert [] == list(read(source, reader_for(source)))
    assert tracemalloc.get_traced_memory()[1] < 200_000_000
    tracemalloc.stop()
    assert "expands to more than" in source.first_fault


class Counting(Source):
    """Counts how often it is opened."""

    times = 0

    def open(self, *arguments):
        self.times += 1
        return super().open(*arguments)


def evaluation(samples):
    said = {"messages": [{"role": "user", "content": "go", "source": "input"}]}
    files = {f"samples/{number}_epoch_1.json": {"id": number, "epoch": 1, **said} for number in range(samples)}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        for name, content in {"header.json": {}, **files}.items():
            written.writestr(name, json.dumps(content))
    return Counting(content=out.getvalue())


def test_the_directory_of_an_evaluation_log_is_read_once_for_all_samples():
    few, many = evaluation(1), evaluation(300)
    assert (1, 300) == tuple(len({event.run for event in read(source)}) for source in (few, many))
    assert few.times == many.times


def test_files_that_overlap_are_read_no_further_than_the_archive_is_large():
    """A directory may name the same bytes a thousand times."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        written.writestr("0", b"x" * 10_000)
        info = written.infolist()[0]
        for number in range(1, 500):
            again = zipfile.ZipInfo(str(number))
            again.header_offset, again.CRC = info.header_offset, info.CRC
            again.compress_size, again.file_size = info.compress_size, info.file_size
            written.filelist.append(again)
            written.NameToInfo[again.filename] = again
        written._didModify = True
    source = Source(content=out.getvalue())
    assert 500 == len(source.names) and len(list(source.members(lambda name: True))) < 10
    assert source.skipped > 490


def test_of_two_files_with_one_name_the_later_counts():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        written.writestr("a", b"old")
        with pytest.warns(UserWarning, match="Duplicate"):
            written.writestr("a", b"new")
    assert [b"new"] == [member.open().read() for member in Source(content=out.getvalue()).members(lambda name: True)]
