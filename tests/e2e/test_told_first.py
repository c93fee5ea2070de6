"""Nobody is refused before being told: in the real programs, with a command that fails."""

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import Say
from tests.e2e.test_live import watched

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("agent", chosen(), ids=lambda agent: agent.name)
def test_the_model_hears_a_nudge_before_its_first_refusal(agent, tmp_path):
    fails = [agent.shell("cat missing.txt")]
    model, _, _ = watched(agent, tmp_path, *[fails] * 7, [Say("I give up.")])

    told = [number for number, request in enumerate(model.asked) if "Headway: " in request and "3 times" in request]
    refused = [number for number, request in enumerate(model.asked) if "Headway refused" in request]
    assert told and refused and told[0] < refused[0]
