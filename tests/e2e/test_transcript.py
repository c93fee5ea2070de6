"""The tutorial shows what the real Claude Code sees."""

import re

import pytest

from tests.e2e.agents import chosen
from tests.e2e.transcript import PAGE, STORIES, as_text, block_of, transcript

pytestmark = pytest.mark.e2e


def without_times(text):
    return re.sub(r"\d+\.\d\ds\b", "…s", text)


@pytest.mark.parametrize("story", STORIES if chosen("claude-code") else [])
def test_the_tutorial_shows_what_the_agent_saw(story):
    """If this fails, run `make pictures`."""
    assert without_times(block_of(PAGE.read_text("utf-8"), story)) == without_times(as_text(transcript(story)))
