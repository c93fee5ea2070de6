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
    for opening, other in heard.items():
        assert opening == scenario.about or (other.refused, other.ended) == ([], None), f"{opening}: {other}"
        assert opening == scenario.about or set(other.told) <= scenario.also_told, f"{opening}: {other}"
    assert is_right(agent, scenario, about), str(about)


def is_right(agent, scenario, about):
    """Whether an agent heard what it should: nothing, one nudge, or a nudge and then refusals up to the end."""
    if scenario.told is None:
        return "silent" == str(about)
    first = scenario.told + agent.told_late.get(scenario.name, 0)
    if not scenario.held:
        return f"told {first}" == str(about)
    may_be_refused_instead = scenario.about or not agent.can_be_ended  # a sub-agent too
    is_held = about.ended is not None or (may_be_refused_instead and about.last in about.refused)
    return [first] == (about.told + about.refused)[:1] and is_held


def why_not(agent, scenario):
    """What keeps an agent from playing a scenario; empty if nothing does."""
    return next((agent.cannot[need] for need in scenario.needs if need in agent.cannot), "")
