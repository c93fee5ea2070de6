"""The table of scenarios in the page about hooks is of the scenarios and agents that there are."""

from pathlib import Path

from tests.e2e.agents import AGENTS, CodexCatalogue
from tests.e2e.matrix import BEGIN, END
from tests.e2e.scenarios import SCENARIOS

PAGE = (Path(__file__).parent.parent.parent / "docs" / "hooks.md").read_text("utf-8")


def test_the_page_has_a_row_for_each_scenario_and_a_column_for_each_agent_that_was_run():
    head, _, *rows = PAGE.split(BEGIN)[1].split(END)[0].strip().splitlines()

    labels = {agent.label for agent in (*AGENTS.values(), CodexCatalogue())}
    assert {"claude-code", "codex"} < {cell.strip() for cell in head.split("|")[2:-1]} <= labels
    assert [f"**{one.name}**: {one.story}" for one in SCENARIOS] == [row.split("|")[1].strip() for row in rows]


def test_nothing_on_the_page_is_told_that_is_honest():
    rows = PAGE.split(BEGIN)[1].split(END)[0].strip().splitlines()[2:]
    honest = [row for scenario, row in zip(SCENARIOS, rows, strict=True) if scenario.told is None]
    cells = [cell.strip() for row in honest for cell in row.split("|")[2:-1]]
    assert {"silent"} == {cell for cell in cells if not cell.startswith("not run")}
