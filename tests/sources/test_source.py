import gzip
import io
import sqlite3
import tracemalloc
import zipfile
from contextlib import closing

import msgspec
import pytest
import zstandard

from headway.readers import UnknownFormatError, read, reader_for
from headway.sources import Source, UnreadableError, packed, seconds, sources_in

LINES = b'{"a": 1}\n{"a": 2}\n'


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(("ending", "pack"), [("", bytes), (".gz", gzip.compress), (".zst", zstandard.compress)])
def test_compressed_or_not_the_records_are_the_same(tmp_path, ending, pack):
    path = tmp_path / f"a.jsonl{ending}"
    path.write_bytes(pack(LINES))
    (source,) = sources_in(tmp_path)
    assert [{"a": 1}, {"a": 2}] == list(source.records())
    assert {"a": 1} == source.head().first


def test_frames_of_zstd_are_read_on(tmp_path):
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(zstandard.compress(LINES) + zstandard.compress(LINES))
    assert 4 == len(list(Source(path).records()))


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".zst", zstandard.compress)])
def test_a_small_file_that_unfolds_into_something_endless_is_refused(tmp_path, monkeypatch, ending, pack):
    monkeypatch.setattr(packed, "ALWAYS", 4_000_000)
    path = tmp_path / f"bomb.jsonl{ending}"
    path.write_bytes(pack(b'{"a": 1}\n' * 2_000_000))
    source = Source(path)
    read = len(list(source.records()))
    assert 10_000 < read < 1_900_000
    assert (1, "expands to more than 250 times its size") == (source.skipped, source.first_fault[-39:])


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress])
def test_bytes_from_elsewhere_tell_by_themselves_whether_they_are_compressed(pack):
    source = Source(content=pack(LINES))
    assert [{"a": 1}, {"a": 2}] == list(source.records())
    assert {"a": 1} == source.head().first
    ahead, records = source.twice(dict, dict)
    assert list(ahead) == list(records)


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".zst", zstandard.compress)])
def test_of_a_compressed_file_that_breaks_off_the_beginning_is_read(tmp_path, ending, pack):
    path = tmp_path / f"a.jsonl{ending}"
    packed_lines = pack(b"".join(b'{"a": "%d"}\n' % (n * 7919**3) for n in range(60_000)))
    path.write_bytes(packed_lines[: len(packed_lines) * 9 // 10])
    source = Source(path)
    assert {"a": "0"} == source.head().first
    assert 10_000 < len(list(source.records())) < 60_000
    assert 0 < source.skipped < 3


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_a_file_that_only_pretends_to_be_compressed_is_counted(tmp_path, ending):
    path = tmp_path / f"a.jsonl{ending}"
    path.write_bytes(LINES)
    source = Source(path)
    assert [] == list(source.records())
    assert ({}, 1) == (source.head().first, source.skipped)
    assert source.head().fault.startswith("the compressed file is damaged: ")


def test_a_missing_library_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    (tmp_path / "a.jsonl.zst").write_bytes(b"x")
    with pytest.raises(UnreadableError, match=r"a\.jsonl\.zst.*pip install 'headway-agents\[zstd\]'"):
        list(Source(tmp_path / "a.jsonl.zst").records())


def test_a_line_that_is_too_long_is_never_held(tmp_path, monkeypatch):
    monkeypatch.setattr(packed, "LONGEST", 2_000_000)
    path = tmp_path / "long.jsonl"
    path.write_bytes(LINES + b'{"a": "' + b"x" * 30_000_000 + b'"}\n' + LINES)
    source = Source(path)
    tracemalloc.start()
    assert [1, 2, 1, 2] == [record["a"] for record in source.records()]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (1, "line 3: longer") == (source.skipped, source.first_fault[:14])
    assert peak < 8_000_000


@pytest.mark.parametrize("length", [4, 5, 6, 9, 10, 11, 12])
def test_only_what_is_too_long_is_left_out(monkeypatch, length):
    content = [b"one\n", b"x" * 9 + b"\r\n", b"y" * 9 + b"\n", b"z" * 4 + b"\n", b"last!"]
    monkeypatch.setattr(packed, "LONGEST", length)
    source = Source(content=b" \n".join(content))
    kept = [line for line in content if len(line) <= length]
    assert kept == list(source.lines())
    assert len(content) - len(kept) == source.skipped


def test_a_document_that_is_none_is_counted():
    source = Source(content=b'{"half": ')
    assert (None, 1) == (source.document(dict), source.skipped)


def test_members_of_a_zip_and_of_a_folder(tmp_path):
    members = {"header.json": '{"v": 1}', "samples/a.json": '{"v": 2}'}
    for name, content in members.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    for source in (Source(tmp_path), Source(content=zipped(members))):
        assert tuple(members) == source.names == source.head().names
        assert [{"v": 1}, {"v": 2}] == [source.member(name).document(dict) for name in source.names]


def test_a_bomb_in_a_zip_and_a_broken_zip_are_refused(monkeypatch):
    monkeypatch.setattr(packed, "ALWAYS", 1_000_000)
    source = Source(content=zipped({"a.json": b" " * 50_000_000}))
    assert (None, 1) == (source.member("a.json").document(dict), source.skipped)
    broken = Source(content=zipped({"a.json": b"{}"})[:40])
    assert ((), 1) == (broken.names, broken.skipped)
    assert "b.json" in (missing := Source(content=zipped({"a.json": b"{}"}))).member("b.json").name
    assert 1 == missing.skipped


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "a #1?.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE message (data TEXT)")
    connection.execute("INSERT INTO message VALUES ('one')")
    connection.commit()
    yield path, connection
    connection.close()


def rows(source):
    with source.database() as database:
        return list(database.rows("SELECT data FROM message"))


def test_a_database_in_use_is_read_with_what_its_log_holds(database):
    path, writer = database
    assert ("message",) == Source(path).head().names
    writer.execute("INSERT INTO message VALUES ('two')")
    writer.commit()
    assert [("one",), ("two",)] == rows(Source(path))


def test_a_database_at_rest_is_left_untouched(database):
    path, writer = database
    writer.close()
    before = {file.name: file.stat().st_mtime_ns for file in path.parent.iterdir()}
    assert [("one",)] == rows(Source(path)) == rows(Source(content=path.read_bytes()))
    with Source(path).database() as database, pytest.raises(sqlite3.OperationalError):
        list(database.rows("INSERT INTO message VALUES ('three')"))
    assert before == {file.name: file.stat().st_mtime_ns for file in path.parent.iterdir()}


@pytest.mark.parametrize("in_file", [True, False])
def test_a_database_that_is_damaged_with_bytes_that_are_no_text(tmp_path, in_file):
    """SQLite complains in those bytes, which its module for Python cannot turn into the text of an error."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t (a)")
        content = connection.serialize().replace(b"CREATE TABLE", b"CREATE T\xf3BLE")
    (tmp_path / "a.db").write_bytes(content)
    source = Source(tmp_path / "a.db") if in_file else Source(content=content)
    assert ((), "it is damaged") == (source.head().names, source.first_fault)
    assert [] == [*read(source, reader_for(source, "opencode"))]
    with pytest.raises(UnknownFormatError):
        reader_for(source)


def test_a_broken_database_has_no_tables():
    source = Source(content=b"SQLite format 3\0" + b"\xff" * 5_000)
    assert ((), 1) == (source.names, source.skipped)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-11-15T17:41:53.630Z", 1794764513.63),
        ("2026-11-15T18:41:53.630+01:00", 1794764513.63),
        ("2026-11-15T17:41:53.630000", 1794764513.63),
        ("2026-11-15 17:41:53", 1794764513.0),
        (1794764513.63, 1794764513.63),
        (1794764513630, 1794764513.63),
        (1794764513630000, 1794764513.63),
        (1794764513630000000, 1794764513.63),
        ("noon", None), ("", None), (None, None), (True, None), (-1, None), (float("nan"), None), (10**400, None), ([], None),
    ],
)  # fmt: skip
def test_times_in_seconds(written, meant):
    assert meant == (pytest.approx(seconds(written)) if meant else seconds(written))


class _Part(msgspec.Struct):
    id: int = 0


class _Whole(_Part):
    text: str = ""


@pytest.mark.parametrize("small", [0, 10_000])
@pytest.mark.parametrize("broken", [b"", b'{"id": 9, "text": 9}\n', b"{\n"])
def test_records_are_gone_through_twice_and_counted_once(monkeypatch, small, broken):
    """However they are gone through, which depends on the size, a record that cannot be read still shows ahead."""
    monkeypatch.setattr("headway.sources.source.SMALL", small)
    source = Source(content=b'{"id": 1, "text": "a"}\n\n' + broken + b'{"id": 2}\n')
    ahead, records = source.twice(_Whole, _Part)
    assert ([1, 9, 2] if b"9" in broken else [1, 2]) == [part.id for part in ahead]
    assert 0 == source.skipped
    seen = [(source.line, record) for record in records]
    assert [(1, _Whole(1, "a")), (4 if broken else 3, _Whole(2))] == seen
    assert (bool(broken), "line 3: "[: 8 * bool(broken)]) == (source.skipped, source.first_fault[:8])


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_large_and_packed_records_are_not_kept_between(tmp_path, monkeypatch, pack):
    monkeypatch.setattr("headway.sources.source.SMALL", 1_000)
    path = tmp_path / ("a.jsonl" if pack is bytes else "a.jsonl.gz")
    path.write_bytes(pack(b'{"id": 1, "text": "a"}\n' * 100))
    ahead, records = Source(path).twice(_Whole, _Part)
    assert ([_Part(1)] * 100, [_Whole(1, "a")] * 100) == (list(ahead), list(records))
