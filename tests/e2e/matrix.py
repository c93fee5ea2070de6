"""The table of what each agent heard in each scenario.

    python -m tests.e2e.matrix                    # print it
    python -m tests.e2e.matrix docs/hooks.md      # and put it into a page, between two comments there

It shows the latest result of each test: agents that were not run this time keep what an earlier run found.
"""

import json
import sys
from pathlib import Path

from tests.e2e.programs import FOLDER
from tests.e2e.scenarios import SCENARIOS

KEPT = FOLDER / "matrix"
BEGIN, END = "<!-- matrix begins: made by `make e2e` -->", "<!-- matrix ends -->"


def keep(agent, scenario, cell):
    """Note what came of one test."""
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / f"{agent.label}.{scenario.name}.json"
    file.write_text(json.dumps({"agent": agent.label, "scenario": scenario.name, "cell": cell}))


def table():
    """Scenarios down, agents across."""
    cells = {(one["agent"], one["scenario"]): one["cell"] for one in map(_read, sorted(KEPT.glob("*.json")))}
    agents = sorted({agent for agent, _ in cells})
    rows = [["scenario", *agents], ["---"] * (len(agents) + 1)]
    for scenario in SCENARIOS:
        found = [cells.get((agent, scenario.name), "not run") for agent in agents]
        rows.append([f"**{scenario.name}**: {scenario.story}", *found])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _read(file):
    return json.loads(file.read_text())


def paste(page, text):
    """Put the table between the comments of a page."""
    old = page.read_text("utf-8")
    before, rest = old.split(BEGIN)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{rest.split(END)[1]}", "utf-8")


def main(pages):
    text = table()
    (FOLDER / "matrix.md").write_text(text)
    sys.stdout.write(text)
    for page in pages:
        paste(Path(page), text)


if __name__ == "__main__":
    main(sys.argv[1:])
