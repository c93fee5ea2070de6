"""A database from a stranger is read no further than its size explains, and nothing in it is run."""

import resource
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from headway.readers import read, reader_for
from headway.sources import Source, database
from headway.sources.packed import DamagedError

MESSAGE = '{"role":"user","time":{"created":1794785501694}}'
PART = '{"type":"text","text":"hello"}'
TABLES = {
    "project": "CREATE TABLE project (id)",
    "session": "CREATE TABLE session (id, parent_id, directory)",
    "message": "CREATE TABLE message (id, session_id, time_created, data)",
    "part": "CREATE TABLE part (id, message_id, data)",
}


def made(path, *statements, **tables):
    """A database with OpenCode's tables, some of them made differently."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in [*(TABLES | tables).values(), *statements]:
            connection.execute(statement) if isinstance(statement, str) else connection.executemany(*statement)
        connection.commit()
    return path


def taken(path):
    source = Source(path)
    return list(read(source, reader_for(source, "opencode"))), source


def test_a_computed_column_unfolds_to_nothing(tmp_path):
    """A file of 20 KB took 5.1 GB."""
    rows = ("INSERT INTO message VALUES (?, 's', 1)", [(str(number),) for number in range(50)])
    computed = "ALTER TABLE message ADD COLUMN data AS (hex(zeroblob(400000000)))"
    path = made(tmp_path / "a.db", rows, computed, message="CREATE TABLE message (id, session_id, time_created)")
    assert path.stat().st_size < 25_000
    code = "import sys; from headway.cli import main; main(['scan', sys.argv[1]])"
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (500_000_000, 500_000_000))  # noqa: E731
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, preexec_fn=limit, check=False)
    assert 2 == done.returncode
    assert "recognised as opencode, but 1 of its records could not be read" in done.stderr.decode()
    assert "the column data of its table message is computed" in done.stderr.decode()


@pytest.mark.parametrize("stored", ["VIRTUAL", "STORED"])
@pytest.mark.parametrize("column", ["id", "data"])
def test_no_computed_column_is_read(tmp_path, column, stored):
    others = [name for name in ("id", "message_id", "data") if name != column]
    table = f"CREATE TABLE part ({', '.join(others)}, {column} AS ('x') {stored})"
    _, source = taken(made(tmp_path / "a.db", part=table))
    assert f"the database cannot be read: the column {column} of its table part is computed" == source.first_fault


def test_a_long_default_does_not_multiply(tmp_path):
    """Rows that were there before a column was added hold nothing of it; each would be read as a megabyte."""
    rows = ("INSERT INTO message VALUES (?, 's', 1)", [(number,) for number in range(5_000)])
    added = f"ALTER TABLE message ADD COLUMN data DEFAULT '{'x' * 1_000_000}'"
    _, source = taken(
        made(tmp_path / "a.db", rows, added, message="CREATE TABLE message (id, session_id, time_created)")
    )
    assert source.first_fault.endswith("the column data of its table message is computed")


@pytest.mark.slow
def test_rows_that_are_all_joined_to_all_are_given_up(tmp_path):
    messages = ("INSERT INTO message VALUES ('m', 's', ?, ?)", [(number, MESSAGE) for number in range(2_000)])
    parts = ("INSERT INTO part VALUES (?, 'm', ?)", [(number, PART) for number in range(2_000)])
    stream, source = taken(made(tmp_path / "a.db", messages, parts))
    assert [] == stream and "far more" in source.first_fault


def test_long_values_that_are_read_again_and_again_are_given_up(tmp_path):
    """One part of a megabyte in each of a hundred messages with the same id."""
    messages = ("INSERT INTO message VALUES ('m', 's', ?, ?)", [(number, MESSAGE) for number in range(100)])
    part = '{"type":"text","text":"%s"}' % ("x" * 1_000_000)
    _, source = taken(made(tmp_path / "a.db", messages, ("INSERT INTO part VALUES (1, 'm', ?)", [(part,)])))
    assert "the database cannot be read: it expands to far more than its size" == source.first_fault


def test_no_value_is_longer_than_the_file(tmp_path):
    path = made(tmp_path / "a.db")
    with Source(path).database() as database, pytest.raises(sqlite3.DataError, match="too big"):
        list(database.rows("SELECT hex(zeroblob(1000000))"))


@pytest.mark.slow
def test_work_is_limited(tmp_path):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with Source(made(tmp_path / "a.db")).database() as database, pytest.raises(DamagedError, match="more work"):
        list(database.rows(endless))


def test_views_and_virtual_tables_are_no_tables(tmp_path):
    view = "CREATE VIEW message AS SELECT 1 AS id, 2 AS session_id, 3 AS time_created, 4 AS data"
    virtual = "CREATE VIRTUAL TABLE part USING fts5(id, message_id, data)"
    names = Source(made(tmp_path / "a.db", message=view, part=virtual)).names
    assert {"project", "session"} <= set(names) and not {"message", "part"} & set(names)


def test_what_the_schema_asks_for_is_not_trusted(tmp_path):
    path = made(tmp_path / "a.db")
    with Source(path).database() as database:
        assert [(0,)] == list(database.rows("PRAGMA trusted_schema"))
        assert [(1,)] == list(database.rows("PRAGMA query_only"))
    with Source(content=path.read_bytes()).database() as database:
        assert [(0,)] == list(database.rows("PRAGMA trusted_schema"))


def test_a_row_that_is_no_text_costs_only_itself(tmp_path):
    messages = ("INSERT INTO message VALUES (?, 's', ?, ?)", [("m1", 1, MESSAGE), ("m2", 2, MESSAGE)])
    parts = ("INSERT INTO part VALUES (?, ?, ?)", [(1, "m1", PART), (2, "m2", PART)])
    spoil = "UPDATE part SET data = CAST(x'ff' AS TEXT) WHERE id = 1"
    stream, source = taken(made(tmp_path / "a.db", messages, parts, spoil))
    assert 1 == source.skipped and ["hello"] == [event.text for event in stream if hasattr(event, "text")]


def test_a_row_that_only_the_index_lists_is_damage(tmp_path):
    """The index keeps the row that is deleted while the schema does not name it. It was None, and unpacked."""
    row = "INSERT INTO message VALUES ('m', 's', 1, '{}')"
    path = made(tmp_path / "a.db", row, "CREATE INDEX by_session ON message (session_id, time_created, id)")
    with closing(sqlite3.connect(path)) as connection:
        kept = connection.execute("SELECT * FROM sqlite_master WHERE name = 'by_session'").fetchone()
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_master WHERE name = 'by_session'")
        connection.commit()
        connection.execute("PRAGMA writable_schema = RESET")
        connection.execute("DELETE FROM message")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", kept)
        connection.commit()
    events, source = taken(path)
    assert [] == events
    assert "the database cannot be read: its row 1 is listed, but cannot be found" == source.first_fault


@pytest.fixture
def in_use(tmp_path):
    """A folder with a database that a program has open, with its log and the index of it."""
    folder = tmp_path / "in-use"
    folder.mkdir()
    path = made(folder / "a.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("INSERT INTO project VALUES ('new')")
        connection.commit()
        yield folder


def copied(folder, *names):
    target = folder.with_name("copied")
    target.mkdir()
    for name in names:
        shutil.copy(folder / name, target)
    return target


def state(folder):
    return {file.name: (file.stat().st_mtime_ns, file.read_bytes()) for file in folder.iterdir()}


def projects(folder):
    with Source(Path(folder) / "a.db").database() as opened:
        return list(opened.rows("SELECT id FROM project"))


def test_the_log_of_a_database_in_use_is_read(in_use):
    before = state(in_use)
    assert {"a.db", "a.db-wal", "a.db-shm"} == before.keys()
    code = "import sys; from tests.sources.test_database import projects; print(projects(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, in_use], capture_output=True, text=True, check=True)
    assert "[('new',)]\n" == done.stdout
    assert before == state(in_use)


@pytest.mark.parametrize("left", [("a.db", "a.db-wal"), ("a.db", "a.db-wal", "a.db-shm")])
def test_a_log_that_was_left_over_is_read_and_nothing_is_written_beside_it(in_use, left, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    folder = copied(in_use, *left)
    before = state(folder)
    assert [("new",)] == projects(folder)
    assert before == state(folder)
    assert [] == [*(tmp_path / "temporary").iterdir()]


def test_a_large_database_with_a_log_is_not_copied(in_use, monkeypatch):
    folder = copied(in_use, "a.db", "a.db-wal")
    monkeypatch.setattr(database, "LARGEST_COPY", (folder / "a.db").stat().st_size)
    with pytest.raises(DamagedError, match="with a left-over log"):
        projects(folder)
