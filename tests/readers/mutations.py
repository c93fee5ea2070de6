"""Recordings made wrong: in their bytes, in their structure, cut off, glued together, packed and damaged."""

import copy
import gzip
import io
import json
import sqlite3
import zipfile
from contextlib import closing, suppress
from pathlib import Path

import zstandard
from hypothesis import strategies as st

from tests.readers.samples_read import SAMPLES

WORDS = [
    b"", b"\x00", b"\xff\xfe", b"{", b"}", b"[", b"]", b'"', b"\\", b"\n", b"\r\n", b",", b":", b"null", b"1e999", b"-",
    b"\xed\xa0\x80", b'"\\ud800"', b"[" * 3_000, b'{"a":' * 3_000, b"9" * 500, b" " * 10_000,
]  # fmt: skip


def nest(depth, leaf):
    """A value deep inside lists and objects."""
    for level in range(depth):
        leaf = [leaf] if level % 2 else {"content": leaf}
    return leaf


VALUES = [
    None, True, False, 0, -1, 3.5, 1e308, 2**63, 10**40, -(10**40), "", "x", "x" * 50_000, "\ud7ff\u0000\U0001f600", "0x", "1e400",
    "[]", "{", '{"a":', [], {}, [[]], [None], [{}], {"": None}, {"type": "text"}, {"type": []}, {"role": {}}, nest(60, "x"), nest(400, 1),
    [0] * 3_000, "9999-12-31T23:59:59Z", "0001-01-01T00:00:00", "2026-13-45", "1794766248343000000", ["a", 1, None, {"b": []}],
]  # fmt: skip

FILES = sorted(path for path in SAMPLES.glob("*/**/*") if path.is_file())


def _content(path):
    """The bytes of a sample; a database is kept as the text that makes it."""
    if path.suffix != ".sql":
        return path.read_bytes()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(path.read_text())
        return connection.serialize()


CONTENT = {path: _content(path) for path in FILES}

_places = st.integers(0, 2**31)
_steps = st.tuples(
    st.sampled_from(
        ["flip", "cut", "drop", "repeat", "insert", "glue"] + ["put", "swap", "lose", "rename", "twice"] * 3
    ),
    _places,
    _places,
)
_packing = st.sampled_from(["plain"] * 30 + ["gz", "zst", "gz damaged", "zst damaged"])
cases = st.tuples(st.sampled_from(FILES), st.lists(_steps, min_size=1, max_size=5), _packing)
"""Which file, what is done to it, and how it is packed afterwards."""


def mutated(path, steps):
    """The bytes of a sample after some mishaps."""
    content = CONTENT[path]
    if content[:4] == b"PK\x03\x04" and steps[0][1] % 3:
        return _in_a_member(content, steps)
    if content.startswith(b"SQLite") and steps[0][1] % 3:
        return _in_a_row(content, steps)
    for kind, place, choice in steps:
        content = (_in_bytes if kind in _BYTES else _in_structure)(kind, content, place, choice)
    return content


def packed(content, how):
    """The same, compressed, and perhaps damaged after that; with the ending of its name."""
    if how == "plain":
        return content, ""
    squeezed = gzip.compress(content, 1) if how.startswith("gz") else zstandard.compress(content)
    if how.endswith("damaged"):
        middle = len(squeezed) // 2
        squeezed = squeezed[:middle] + bytes([squeezed[middle] ^ 0x5A]) + squeezed[middle + 1 :]
    return squeezed, f".{how.split()[0]}"


_BYTES = {"flip", "cut", "drop", "repeat", "insert", "glue"}


def _in_bytes(kind, content, place, choice):
    at = place % (len(content) + 1)
    end = min(len(content), at + 1 + choice % 300)
    if kind == "flip" and content:
        at = min(at, len(content) - 1)
        return content[:at] + bytes([content[at] ^ (1 + choice % 255)]) + content[at + 1 :]
    if kind == "cut":
        return content[:at]
    if kind == "drop":
        return content[:at] + content[end:]
    if kind == "repeat":
        return content[:end] + content[at:end] * (1 + choice % 20) + content[end:]
    if kind == "insert":
        return content[:at] + WORDS[choice % len(WORDS)] + content[at:]
    return content + CONTENT[FILES[choice % len(FILES)]]


def _in_structure(kind, content, place, choice):
    """One value somewhere in the JSON is exchanged, lost, doubled or renamed."""
    try:
        documents, lines = [json.loads(content)], False
    except (ValueError, RecursionError):
        documents, lines = _lines(content), True
    whole = [document for document in documents if not isinstance(document, bytes)]
    if not whole:
        return _in_bytes("insert", content, place, choice)
    holders = [holder for document in whole for holder in _holders(document)]
    if holders:
        _change(kind, holders, place, choice)
    written = [document if isinstance(document, bytes) else _dumped(document) for document in documents]
    return b"\n".join(written) + b"\n" if lines else written[0]


def _lines(content):
    found = []
    for line in content.splitlines()[:400]:
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError):
            found.append(line)
    return found


def _holders(document):
    """Every (container, key) in a document."""
    waiting, found = [document], []
    while waiting and len(found) < 20_000:
        value = waiting.pop()
        pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in pairs:
            found.append((value, key))
            if isinstance(inner, (dict, list)):
                waiting.append(inner)
    return found


def _change(kind, holders, place, choice):
    holder, key = holders[place % len(holders)]
    if kind == "put":
        holder[key] = copy.copy(VALUES[choice % len(VALUES)])
    elif kind == "swap":
        other, name = holders[choice % len(holders)]
        with suppress(RecursionError):  # of something too deep to be copied
            holder[key] = copy.deepcopy(other[name])
    elif kind == "lose":
        del holder[key]
    elif kind == "rename" and isinstance(holder, dict):
        other, name = holders[choice % len(holders)]
        holder[str(name)] = holder.pop(key)
    elif kind == "twice" and isinstance(holder, list):
        holder.extend([holder[key]] * (1 + choice % 30))


def _dumped(document):
    try:
        return json.dumps(document).encode()
    except (RecursionError, ValueError):
        return b"{}"


def _in_a_member(content, steps):
    """An archive whose files are wrong rather than the archive itself."""
    from headway.sources import Source

    source, out = Source(content=content), io.BytesIO()
    chosen = steps[0][2] % len(source.names)
    with zipfile.ZipFile(out, "w") as archive:
        for number, name in enumerate(source.names):
            data = source.member(name).open().read()
            for kind, place, choice in steps if number == chosen else ():
                data = (_in_bytes if kind in _BYTES else _in_structure)(kind, data, place, choice)
            archive.writestr(name, data)
    return out.getvalue()


def _in_a_row(content, steps):
    """A database with one value in it that is wrong."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(content)
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        cells = []
        for table in tables:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            for (row,) in connection.execute(f"SELECT rowid FROM {table}").fetchall():
                cells += [(table, column, row) for column in columns]
        for kind, place, choice in steps if cells else ():
            table, column, row = cells[place % len(cells)]
            (value,) = connection.execute(f"SELECT `{column}` FROM {table} WHERE rowid = ?", (row,)).fetchone()
            if isinstance(value, str):
                wrong = (_in_bytes if kind in _BYTES else _in_structure)(kind, value.encode(), place // 7, choice)
                value = wrong.decode("utf-8", "replace") if choice % 2 else wrong
            else:
                value = [None, -1, 2**60, 1.5, "x", b"\xff"][choice % 6]
            with suppress(sqlite3.Error):  # a constraint of the table
                connection.execute(f"UPDATE {table} SET `{column}` = ? WHERE rowid = ?", (value, row))
        connection.commit()
        return connection.serialize()


def placed(path, content, folder):
    """A mutated file where its reader looks for it: inside a copy of its folder where the folder is the recording."""
    top = SAMPLES / path.relative_to(SAMPLES).parts[0]
    inner = path.relative_to(top)
    if len(inner.parts) < 2:
        target = Path(folder) / path.name.replace(".sql", ".db")
        target.write_bytes(content)
        return target
    root = Path(folder) / inner.parts[0]
    for file in FILES:
        if file.is_relative_to(top / inner.parts[0]):
            target = root / file.relative_to(top / inner.parts[0])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if file == path else CONTENT[file])
    return root
