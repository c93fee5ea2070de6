"""The page about recordings is true."""

import re
from pathlib import Path

from headway.readers import readers

PAGE = (Path(__file__).parent.parent.parent / "docs" / "recordings.md").read_text()


def test_every_reader_is_on_the_page():
    cells = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    assert readers().keys() - set(re.findall(r"`([\w-]+)`", " ".join(cells))) == set()
