"""Every scenario in every agent that can play it: what goes in circles is told and held, honest work hears nothing."""

import pytest

from tests.e2e.agents import played_by
from tests.e2e.matrix import keep
from tests.e2e.play import played
from tests.e2e.scenarios import SCENARIOS

pytestmark = pytest.mark.e2e


def _names(one):
    return getattr(one, "label", None) or one.name


@pytest.mark.parametrize("scenario", SCENARIOS, ids=_names)
@pytest.mark.parametrize("agent", played_by(), ids=_names)
def test_what_an_agent_hears(agent, scenario, tmp_path):
    reason = why_not(agent, scenario)
    if reason:
        keep(agent, scenario, f"not run: {reason}")
        pytest.skip(f"{agent.label}, {scenario.name}: {reason}")

    heard, ran, place = played(scenario, agent, tmp_path)
    about = heard[scenario.about]
    keep(agent, scenario, str(about))

    left = [ran for ran, run in zip(ran, scenario.runs, strict=True) if ran.left_running and not run.interrupted]
    assert [] == left, "an interrupted agent may leave the command that it ran"
    assert not list(place.home.rglob("faults.log"))
    silent = [one for opening, one in heard.items() if opening != scenario.about]
    assert [] == [str(one) for one in silent if one.told or one.refused], "only the one that loops hears anything"
    if scenario.told is None:
        assert "silent" == str(about)
        return
    assert scenario.told + agent.told_late == min(about.told + about.refused), str(about)
    assert not about.refused or agent.told_late or min(about.told) < min(about.refused), "told before refused"
    over = about.ended is not None or about.last in about.refused
    assert scenario.held == over, str(about)
    assert scenario.held or [scenario.told + agent.told_late] == about.told, str(about)


def why_not(agent, scenario):
    """What keeps an agent from playing a scenario; empty if nothing does."""
    return next((agent.cannot[need] for need in scenario.needs if need in agent.cannot), "")
