"""AutoGen

A termination condition for the team; combine it with others as usual (`headway | MaxMessageTermination(99)`). Agents
that you pass to `watch` get a nudge with the tool's result, or a refusal instead of one; the others are only stopped,
between their turns. A stop is the team's `stop_reason`. Each agent of the team is watched separately, and each run is a
turn. An agent that runs without a team gets nudges and refusals, but only its own limit (`max_tool_iterations`) ends
it. Save `await headway.save_state()` with the team's own state, and give it to `load_state` where the team is loaded.
"""

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.teams import RoundRobinGroupChat

from headway.hosts.frameworks.autogen import Headway


async def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def team(model) -> RoundRobinGroupChat:
    headway = Headway()
    lister = headway.watch(AssistantAgent("lister", model, tools=[bash], max_tool_iterations=10))
    return RoundRobinGroupChat([lister], termination_condition=headway)


async def run(model, question: str) -> str:
    result = await team(model).run(task=question)
    return result.stop_reason
