"""The terminal pictures show what the commands really print. (`make e2e` compares the run of Claude Code.)"""

import html
import re

import pytest

from tests.docs.pictures import COMMAND, PLACE, printed
from tests.e2e.programs import PINS
from tests.e2e.transcript import PAGE, block_of


def words(svg):
    """The text of a picture; rich keeps every run of characters in an element of its own."""
    found = re.findall(r"<text [^>]*>(.*?)</text>", (PLACE / svg).read_text("utf-8"), re.DOTALL)
    return html.unescape(" ".join(found)).split()


def test_the_picture_of_a_scan_shows_what_a_scan_prints():
    """If this fails, run `make pictures`."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", printed(COMMAND))
    assert words("scan.svg")[: len(f"$ {COMMAND}".split())] == f"$ {COMMAND}".split()
    assert words("scan.svg")[len(f"$ {COMMAND}".split()) :] == plain.split()


def test_the_animation_shows_the_transcript_of_the_tutorial():
    """If this fails, run `make pictures`."""
    seconds = re.compile(r"\d+\.\d\ds")
    shown = seconds.sub("…", " ".join(words("caught.svg")))
    assert shown.endswith(seconds.sub("…", " ".join(block_of(PAGE.read_text("utf-8"), "followed").split())))


def test_the_tutorial_names_the_version_that_was_run():
    assert f"Claude Code {PINS['@anthropic-ai/claude-code']}" in PAGE.read_text("utf-8")


@pytest.mark.parametrize("name", ["scan.svg", "caught.svg", "headway.svg"])
def test_a_picture_loads_nothing_from_elsewhere(name):
    addresses = set(re.findall(r"https?://[\w./-]+", (PLACE / name).read_text("utf-8")))
    assert addresses <= {"http://www.w3.org/2000/svg", "https://www.textualize.io"}, "the last stands in a comment"
