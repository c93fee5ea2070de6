"""Words for tests of readers: what a sample holds, and what was read from it."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

from headway.core import events
from headway.readers import read, reader_for, recordings_in
from headway.sources import Source

SAMPLES = Path(__file__).parent / "samples"


def database_of(path):
    """The bytes of a database that is kept as the text that makes it."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(path.read_text())
        return connection.serialize()


def sources():
    """Every sample with the name of its reader."""
    for folder in sorted(SAMPLES.glob("*/")):
        for source in recordings_in(folder):
            yield folder.name, source
        for path in sorted(folder.glob("*.sql")):
            yield folder.name, Source(content=database_of(path), name=str(path))


def files(pattern):
    """Samples that are files of their own; settings stand beside a recording and are none."""
    return sorted(path for path in SAMPLES.glob(pattern) if not path.name.endswith(".settings.json"))


def raw(name):
    """A sample as plain data, read by nobody but json: a document, or a list of the values on its lines."""
    content = (SAMPLES / name).read_text()
    try:
        return json.loads(content)
    except json.JSONDecodeError:
        return [json.loads(line) for line in content.splitlines()]


def taken(name):
    """A sample, read whole by the reader that recognises it."""
    path = SAMPLES / name
    source = Source(content=database_of(path)) if path.suffix == ".sql" else Source(path)
    stream = list(read(source))
    assert 0 == source.skipped, source.first_fault
    return stream


def of(content, reader=None):
    """Events of something written in the test, and what was skipped."""
    if not isinstance(content, bytes):
        content = json.dumps(content).encode()
    source = Source(content=content)
    return list(read(source, reader_for(source, reader))), source


def lines(*records):
    """Records as JSONL."""
    return b"\n".join(json.dumps(record).encode() for record in records)


def only(stream, *kinds):
    """Events of these kinds."""
    return [event for event in stream if isinstance(event, kinds)]


def counts(stream):
    """How many there are of the kinds that tests count."""
    found = Counter(type(event) for event in stream)
    names = (events.ToolCalled, events.ToolReturned, events.UserSpoke, events.AgentSpoke)
    return tuple(found[name] for name in names)


def spent(stream):
    """Tokens in, tokens out and dollars, summed."""
    used = only(stream, events.Used)
    return sum(e.tokens_in for e in used), sum(e.tokens_out for e in used), round(sum(e.cost_usd for e in used), 6)
