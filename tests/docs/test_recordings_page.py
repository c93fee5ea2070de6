"""The page about recordings is true."""

import re
from pathlib import Path

from headway.readers import readers
from headway.scaffold.clone import FORMAT_ROW, reader_as_written
from headway.scaffold.names import checked

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "recordings.md").read_text()


def test_every_reader_is_on_the_page():
    cells = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    assert readers().keys() - set(re.findall(r"`([\w-]+)`", " ".join(cells))) == set()


def to_fill_in(page):
    """The readers whose rows on a page are not filled in, or only in part."""
    _, _, *hints, _ = (cell.strip() for cell in FORMAT_ROW.split("|"))
    rows = [line for line in page.splitlines() if any(f"| {hint} |" in line for hint in hints)]
    return [checked(row.split("`")[1].replace("-", "_")) for row in rows]


def test_a_row_that_is_not_filled_in_is_found():
    """Mostly there is none on the page, and the test below would then also pass if it did not know them any more."""
    name = checked("made_up")
    row = FORMAT_ROW.format(name)
    half = row.replace(FORMAT_ROW.split("|")[2], " its logs ")
    assert half != row and [name, name] == to_fill_in(f"{PAGE}\n{row}{half}")[-2:]


def test_every_reader_that_was_worked_on_has_a_row_of_its_own():
    """`headway new reader` writes a row to fill in. It may stay only as long as nobody has changed the reader."""
    for name in to_fill_in(PAGE):
        code = (ROOT / "src" / "headway" / "readers" / f"{name.module}.py").read_text()
        assert code == reader_as_written(name), f"say in docs/recordings.md what {name.dashed} reads, and where it is"


def test_the_readme_says_truly_how_many_formats_there_are():
    assert "in [more than forty formats](docs/recordings.md)" in (ROOT / "README.md").read_text()
    assert 40 < len(readers()) < 50
