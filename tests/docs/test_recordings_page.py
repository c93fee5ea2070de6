"""The page about recordings is true."""

import re
from pathlib import Path

from headway.core import events
from headway.readers import knows, numbered, readers
from headway.sources import Source

PAGE = (Path(__file__).parent.parent.parent / "docs" / "recordings.md").read_text()


def test_every_reader_is_on_the_page():
    cells = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    assert readers().keys() - set(re.findall(r"`([\w-]+)`", " ".join(cells))) == set()


def test_the_reader_on_the_page_works():
    space = {"events": events}
    exec(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1], space)
    source = Source(content=b'{"my_session": "s", "id": "1", "tool": "ls", "output": "a.py"}\n{half')
    reader = space["MyFormat"]()

    assert knows(reader, source.head())
    assert [("s", 1), ("s", 2)] == [(event.run, event.seq) for event in numbered(reader.read(source))]
    assert 1 == source.skipped
