"""The page about installing is true."""

import re
from pathlib import Path

from headway.setup import agents

PAGE = (Path(__file__).parent.parent.parent / "docs" / "install.md").read_text()


def test_the_page_names_the_files_of_every_agent(home):
    table = PAGE.split("\n## What is changed\n")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| ([A-Za-z][\w ]+?) \| (.*`.*`.*) \|$", table, re.MULTILINE))
    for agent in agents().values():
        told = rows[agent.title]
        user = agent.user_file().relative_to(home).as_posix()
        project = agent.project_file(Path("project")).relative_to("project").as_posix()
        assert f"`~/{user}`" in told
        assert f"`{project}`" in told or (agent.name == "codex" and "`.codex/…`" in told)
    assert set(rows) - {"agent"} == {agent.title for agent in agents().values()}


def test_the_page_names_every_agent_that_can_be_installed():
    (names,) = re.findall(r"^headway install claude-code +# or (.*)$", PAGE, re.MULTILINE)
    assert sorted(agents()) == sorted(["claude-code", *names.split(", ")])
