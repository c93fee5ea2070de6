"""Microsoft Agent Framework

Middleware for as many agents as you like. A nudge is added to the function's result, a refused call gets the reason as
its result, and a stop is the agent's last message, with the reason in `additional_properties["headway"]` of the
response. A session is a conversation; without one, each run is. An agent that is a tool of another is watched
separately.
"""

from agent_framework import Agent, tool

from headway.hosts.frameworks.agent_framework import Headway

headway = Headway()


@tool
def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def agent(client) -> Agent:
    return Agent(client=client, name="lister", tools=[bash], middleware=headway.middleware)


async def run(client, question: str) -> str:
    return (await agent(client).run(question)).text
