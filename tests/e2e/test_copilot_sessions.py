"""What only Copilot CLI does: of a call that was denied nothing is heard again."""

import json

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Say
from tests.e2e.place import Place

pytestmark = pytest.mark.e2e
copilot = pytest.mark.parametrize("agent", chosen("copilot"), ids=lambda agent: agent.name)

FAILING = "echo 'FAILED tests/test_x.py::test_a - assert 1 == 2'; echo '1 failed, 2 passed in 0.1s'; exit 1"


@copilot
def test_a_denied_change_is_no_change(agent, tmp_path):
    """The same test fails again and again, and what would change something in between never runs."""
    rounds = [[agent.shell("sed -i s/new/old/ notes.txt")], [agent.shell("./check")]] * 6
    with agent.model(*rounds, [Say("I see.")]) as model:
        place = Place(tmp_path, model.url)
        agent.prepare(place)
        (place.project / "notes.txt").write_text("nothing new here\n")
        (place.project / "check").write_text(f"#!/bin/sh\n{FAILING}\n")
        (place.project / "check").chmod(0o755)
        assert 0 == place.run("headway", "install", agent.name, "--mode", "enforce").exit_code
        place.run(*agent.command(), "--deny-tool", "shell(sed)")

    assert "nothing new here\n" == (place.project / "notes.txt").read_text()
    told = [
        number for number, request in enumerate(model.conversation) if "3 times" in json.dumps(model.messages(request))
    ]
    assert told and told[0] <= 7, "after the third equal failure, or one round later"
