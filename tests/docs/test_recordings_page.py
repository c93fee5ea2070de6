"""The page about recordings is true."""

import re
from pathlib import Path

from headway.readers import readers

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "recordings.md").read_text()


def test_every_reader_is_on_the_page():
    cells = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    assert readers().keys() - set(re.findall(r"`([\w-]+)`", " ".join(cells))) == set()


def test_the_readme_says_truly_how_many_formats_there_are():
    assert "in [more than forty formats](docs/recordings.md)" in (ROOT / "README.md").read_text()
    assert 40 < len(readers()) < 50
