"""docs/loop.md is true."""

import re
import tomllib
from pathlib import Path

from headway import Settings
from headway.cli.forget import command as forget
from headway.cli.loop import command
from headway.loop.agents import FORMS, completed

PAGE = (Path(__file__).parent.parent.parent / "docs" / "loop.md").read_text()


def test_the_agent_forms_match_the_page():
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|$", PAGE, re.MULTILINE))
    assert set(FORMS) == set(rows)
    assert rows == {name: " ".join(completed((name,))) for name in FORMS}


def test_every_option_of_the_page_exists():
    """Agents' own options stand in the table of forms and in the paragraph below it; git has options, too."""
    ours = PAGE.replace(PAGE[PAGE.index("| you write") : PAGE.index("The agent and what it left")], "")
    ours = re.sub(r"`git [^`]*`|^git .*$", "", ours, flags=re.MULTILINE)
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", ours))
    parameters = (*command.params, *forget.params)
    known = {option for parameter in parameters for option in (*parameter.opts, *parameter.secondary_opts)}
    assert set() == named - known
    assert {"--until", "--for", "--budget-usd", "--then", "--resume", "--branch", "--rollback", "--transcript"} <= named


def test_the_settings_of_the_page_are_valid():
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    settings = Settings.of(tomllib.loads(block))
    assert (10, 1800, "make test") == (settings.loop.max_rounds, settings.loop.round_timeout, settings.loop.test)
