"""The messages that pages quote are those that an agent gets: a changed word has to change them there, too."""

import re
from pathlib import Path

import pytest

from headway import Monitor
from headway.hosts.hook.host import _SENTENCES

DOCS = Path(__file__).parent.parent.parent / "docs"
PYTEST = "python -m pytest -q test_cart.py | tail -2"


def decided(command, output):
    """The message of each kind of decision about an agent that runs a failing command again and again."""
    monitor, messages = Monitor(), {}
    for number in range(8):
        decision = monitor.called("Bash", {"command": command}, call=str(number))
        if decision.action == "continue":
            decision = monitor.returned(str(number), output=output, failed=True)
        messages.setdefault(str(decision.action), decision.message)
    return messages


def flat(page):
    """A page as one line, without the indentation of its transcripts."""
    return re.sub(r"\s+", " ", (DOCS / page).read_text("utf-8"))


@pytest.mark.parametrize("action", ["nudge", "block", "stop"])
def test_the_tutorial_quotes_what_the_agent_is_told(action):
    message = decided(PYTEST, "FAILED test_cart.py::test_total - assert 3 == 5\n1 failed in 0.56s")[action]
    assert _SENTENCES[action].format(message) in flat("tutorial.md")


def test_the_page_about_the_policy_quotes_what_the_agent_is_told():
    messages = decided("pytest -q", "FAILED test_cart.py::test_total - assert 3 == 5\n1 failed in 0.56s")
    assert f'"{messages["nudge"]}"' in flat("policy.md")
    for action in ("block", "stop"):
        clears = messages[action].partition(" times in a row. ")[2]
        assert f'"{clears}"' in flat("policy.md")
