"""Recordings made wrong: in their bytes, in their structure, cut off, glued together, packed and damaged.

Everything follows from the number of a case and from a seed, so a case can be had again by its number.
"""

import copy
import gzip
import io
import json
import random
import sqlite3
import zipfile
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

import zstandard

from headway.readers import UnknownFormatError, reader_for, recordings_in
from headway.sources import Source, UnreadableError
from tests.readers.samples_read import SAMPLES, database_of

LARGEST = 400_000
"""Bytes of the largest file of a folder that is taken."""
WORDS = [
    b"", b"\x00", b"\xff\xfe", b"{", b"}", b"[", b"]", b'"', b"\\", b"\n", b"\r\n", b",", b":", b"null", b"1e999", b"-",
    b"\xed\xa0\x80", b'"\\ud800"', b"[" * 3_000, b'{"a":' * 3_000, b"9" * 500, b" " * 10_000, b"\xef\xbb\xbf", b"[" * 200_000,
]  # fmt: skip


def nest(depth, leaf):
    """A value deep inside lists and objects."""
    for level in range(depth):
        leaf = [leaf] if level % 2 else {"content": leaf}
    return leaf


VALUES = [
    None, True, False, 0, -1, 3.5, 1e308, 2**63, 2**64, 10**40, -(10**40), "", "x", "x" * 50_000, "\ud7ff\u0000\U0001f600", "0x", "1e400",
    "[]", "{", '{"a":', [], {}, [[]], [None], [{}], {"": None}, {"type": "text"}, {"type": []}, {"role": {}}, nest(60, "x"), nest(400, 1),
    [0] * 3_000, "9999-12-31T23:59:59Z", "0001-01-01T00:00:00", "2026-13-45", "1794766248343000000", ["a", 1, None, {"b": []}],
    "\ud83d", "a\udc00b", "\ud83d\ud83d", float("nan"), float("inf"), 10**400, "9" * 400, {"\ud83d": "\ud83d"},
]  # fmt: skip
RAW = {
    "\u0001deep list": b"[" * 900 + b"]" * 900,
    "\u0001deeper": b'{"content":' * 20_000 + b"1" + b"}" * 20_000,
    "\u0001never closed": b"[" * 50_000,
    "\u0001digits": b"9" * 6_000,
    "\u0001fraction": b"0." + b"3" * 6_000,
    "\u0001half a character": b'"\xed\xa0\xbd"',
}
"""What `json` would not write, and what stands for it until everything else is written."""
TWIN = "\u0001twin"
HUGE = (2**31, 2**53, 2**63, 2**64, 2**64 + 3, 10**40, 10**400, -(2**63) - 1, -1, 1e308)
IDS = ("uuid", "id", "spanId", "span_id", "run_id", "messageId", "call_id", "toolCallId")

KINDS = {
    "bytes": ("flip", "cut", "drop", "repeat", "insert", "glue"),
    "structure": ("put", "swap", "lose", "rename", "twice", "raw", "twin", "cycle", "huge"),
}


class Original:
    """A recording as a program wrote it, of which the mutated ones are made."""

    def __init__(self, path, reader, root=None):
        self.path, self.reader = path, reader
        self.root = root
        """The folder that is the recording, where it is one."""
        self.content = _content(path)


@cache
def originals(folder=None):
    """The samples of all readers, and what can be read in a folder besides."""
    found = [
        Original(path, path.relative_to(SAMPLES).parts[0], _root_of(path))
        for path in sorted(SAMPLES.glob("*/**/*"))
        if path.is_file()
    ]
    for source in recordings_in(Path(folder)) if folder else ():
        if source.is_folder or source.path.stat().st_size > LARGEST:
            continue
        with suppress(UnknownFormatError, UnreadableError):
            found.append(Original(source.path, reader_for(source).name))
    return tuple(found)


def _root_of(path):
    top = SAMPLES / path.relative_to(SAMPLES).parts[0]
    inner = path.relative_to(top)
    return top / inner.parts[0] if len(inner.parts) > 1 else None


def _content(path):
    """The bytes of a recording; a database is kept as the text that makes it."""
    if path.suffix != ".sql":
        return path.read_bytes()
    return database_of(path)


class Case:
    """One mutated recording. Readers have equal shares of the cases, however many samples they have."""

    def __init__(self, seed, number, folder=None):
        self.chance = random.Random(f"{seed} {number}")
        known = originals(folder)
        names = sorted({one.reader for one in known})
        reader = names[number % len(names)]
        self.original = self.chance.choice([one for one in known if one.reader == reader])
        self.known = known
        steps = [self._kind() for _ in range(self.chance.randint(1, 5))]
        self.what = f"{self.original.path.name}: {', '.join(steps)}"
        content = self._mutated(steps)
        self.content, self.ending = self._packed(content)

    def _kind(self):
        return self.chance.choice(KINDS["structure" if self.chance.random() < 0.75 else "bytes"])

    def place(self, folder):
        """Put it where its reader looks for it: inside a copy of its folder where the folder is the recording."""
        original = self.original
        if original.root is None:
            target = folder / (original.path.name.replace(".sql", ".db") + self.ending)
            target.write_bytes(self.content)
            return target
        root = folder / original.root.name
        for one in self.known:
            if one.root == original.root:
                target = root / one.path.relative_to(one.root)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(self.content if one is original else one.content)
        return root

    def _packed(self, content):
        how = self.chance.choice(["plain"] * 30 + ["gz", "zst", "gz damaged", "zst damaged"])
        if how == "plain" or self.original.root is not None:
            return content, ""
        squeezed = gzip.compress(content, 1) if how.startswith("gz") else zstandard.compress(content)
        if how.endswith("damaged"):
            middle = len(squeezed) // 2
            squeezed = squeezed[:middle] + bytes([squeezed[middle] ^ 0x5A]) + squeezed[middle + 1 :]
        return squeezed, f".{how.split()[0]}"

    def _mutated(self, steps):
        content = self.original.content
        inside = self.chance.random() < 0.6
        if content.startswith(b"PK\x03\x04") and inside:
            return self._in_a_member(content, steps)
        if content.startswith(b"SQLite") and inside:
            return self._in_a_row(content, steps)
        for kind in steps:
            content = self._changed(kind, content)
        return content

    def _changed(self, kind, content):
        if kind in KINDS["bytes"] or content.startswith((b"PK\x03\x04", b"SQLite")):
            return self._in_bytes(kind if kind in KINDS["bytes"] else self.chance.choice(KINDS["bytes"]), content)
        return self._in_structure(kind, content)

    def _in_bytes(self, kind, content):
        chance = self.chance
        at = chance.randint(0, len(content))
        end = min(len(content), at + chance.randint(1, 300))
        if kind == "flip" and content:
            at = min(at, len(content) - 1)
            return content[:at] + bytes([content[at] ^ chance.randint(1, 255)]) + content[at + 1 :]
        if kind == "cut":
            return content[:at]
        if kind == "drop":
            return content[:at] + content[end:]
        if kind == "repeat":
            return content[:end] + content[at:end] * chance.randint(1, 20) + content[end:]
        if kind == "insert":
            return content[:at] + chance.choice(WORDS) + content[at:]
        return content + chance.choice(self.known).content

    def _in_structure(self, kind, content):
        """One value somewhere in the JSON is exchanged, lost, doubled, renamed or linked in a circle."""
        try:
            documents, lines = [json.loads(content)], False
        except (ValueError, RecursionError):
            documents, lines = _lines(content), True
        whole = [document for document in documents if not isinstance(document, bytes)]
        if not whole:
            return self._in_bytes("insert", content)
        holders = [holder for document in whole for holder in _holders(document)]
        names = self._change(kind, holders) if holders else {}
        written = [document if isinstance(document, bytes) else _dumped(document) for document in documents]
        content = b"\n".join(written) + b"\n" if lines else written[0]
        for marker, raw in (RAW | names).items():
            content = content.replace(json.dumps(marker).encode(), raw)
        return content

    def _change(self, kind, holders):
        chance = self.chance
        holder, key = chance.choice(holders)
        if kind == "put":
            holder[key] = copy.copy(chance.choice(VALUES))
        elif kind == "raw":
            holder[key] = chance.choice(list(RAW))
        elif kind == "swap":
            other, name = chance.choice(holders)
            with suppress(RecursionError):  # of something too deep to be copied
                holder[key] = copy.deepcopy(other[name])
        elif kind == "lose":
            del holder[key]
        elif kind == "rename" and isinstance(holder, dict):
            holder[str(chance.choice(holders)[1])] = holder.pop(key)
        elif kind == "twice" and isinstance(holder, list):
            holder.extend([holder[key]] * chance.randint(1, 30))
        elif kind == "twin" and isinstance(holder, dict):
            holder[TWIN] = copy.copy(chance.choice(VALUES))
            return {TWIN: json.dumps(key).encode()}
        elif kind == "huge":
            _put_huge_numbers(holders, chance)
        elif kind == "cycle":
            _link_in_a_circle(holders, chance)
        return {}

    def _in_a_member(self, content, steps):
        """An archive whose files are wrong rather than the archive itself."""
        source, out = Source(content=content), io.BytesIO()
        chosen = self.chance.choice(source.names)
        with zipfile.ZipFile(out, "w") as archive:
            for name in source.names:
                data = source.member(name).open().read()
                for kind in steps if name == chosen else ():
                    data = self._changed(kind, data)
                archive.writestr(name, data)
        return out.getvalue()

    def _in_a_row(self, content, steps):
        """A database with some values in it that are wrong."""
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(content)
            cells = _cells(connection)
            for kind in steps if cells else ():
                table, column, row = self.chance.choice(cells)
                found = connection.execute(f"SELECT `{column}` FROM {table} WHERE rowid = ?", (row,)).fetchone()
                (value,) = found or (None,)  # an earlier step may have given the row another number
                if isinstance(value, str):
                    wrong = self._changed(kind, value.encode())
                    value = wrong.decode("utf-8", "replace") if self.chance.random() < 0.5 else wrong
                else:
                    value = self.chance.choice([None, -1, 2**60, 1.5, "x", b"\xff"])
                with suppress(sqlite3.Error):  # a constraint of the table
                    connection.execute(f"UPDATE {table} SET `{column}` = ? WHERE rowid = ?", (value, row))
            connection.commit()
            return connection.serialize()


def _cells(connection):
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    cells = []
    for table in tables:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        for (row,) in connection.execute(f"SELECT rowid FROM {table}").fetchall():
            cells += [(table, column, row) for column in columns]
    return cells


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


def _put_huge_numbers(holders, chance):
    """Some of the numbers that are there: counts, codes, times, positions."""
    numbers = [
        (holder, key) for holder, key in holders if isinstance(holder[key], (int, float)) and holder[key] is not True
    ]
    for holder, key in chance.sample(numbers, min(len(numbers), chance.choice((1, 5, 1_000)))):
        holder[key] = chance.choice(HUGE)


def _link_in_a_circle(holders, chance):
    """Records that each name another as the one before: themselves, each other, or all in a ring."""
    records = [
        (holder, key) for holder, key in holders if isinstance(key, str) and ("parent" in key.lower() or key == "cause")
    ]
    named = [(holder, key, next((name for name in IDS if name in holder), None)) for holder, key in records]
    named = [one for one in named if one[2]]
    if not named:
        return
    ring = chance.sample(named, chance.randint(1, len(named)))
    for (holder, key, _), (other, _, id) in zip(ring, [*ring[1:], ring[0]], strict=True):
        holder[key] = other[id]


def _dumped(document):
    try:
        return json.dumps(document).encode()
    except (RecursionError, ValueError):
        return b"{}"
