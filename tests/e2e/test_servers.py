"""Each program runs offline, against its scripted model, to the end."""

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Say
from tests.e2e.place import Place

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("agent", chosen(), ids=lambda agent: agent.name)
def test_the_program_plays_its_script(agent, tmp_path):
    with agent.model([agent.shell("printf '%s-%s' tick tock")], [Say("That is all.")]) as model:
        place = Place(tmp_path, model.url)
        agent.prepare(place)
        ran = place.run(*agent.command())

    assert 0 == ran.exit_code, ran.stderr
    assert "That is all." in ran.stdout
    assert 2 == len(model.conversation)
    assert "tick-tock" not in model.asked[0] and "tick-tock" in model.asked[1]
    assert [] == ran.left_running
