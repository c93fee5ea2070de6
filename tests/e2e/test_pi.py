"""What only pi's extension does: it keeps the agent from ending its turn with a false claim."""

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Say
from tests.e2e.place import Place
from tests.e2e.scenarios import FILES, TEST

pytestmark = pytest.mark.e2e
NOT_CHOSEN = pytest.param(None, marks=pytest.mark.skip(reason="pi is not among AGENTS"))


@pytest.mark.parametrize("agent", chosen("pi") or [NOT_CHOSEN])
def test_a_false_claim_is_answered_once(agent, tmp_path):
    with agent.model([agent.shell(TEST.command)], [Say("All tests pass now.")], [Say("All tests pass.")]) as model:
        place = Place(tmp_path, model.url)
        agent.prepare(place)
        for name, content in FILES.items():
            (place.project / name).write_text(content)
        place.run("headway", "install", agent.name)
        ran = place.run(*agent.command())

    assert 0 == ran.exit_code and 3 == len(model.asked)
    assert [False, False, True] == ["your final message reports success" in request for request in model.asked]
