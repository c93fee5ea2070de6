"""AG2

One middleware. A nudge is added to the tool's result, a refused call gets the reason as its result, and a stop is the
agent's last message, with the reason in the `metadata["headway"]` of its response. A conversation is a stream: each
`agent.ask` begins one, and each `reply.ask` is a turn of it. The same `Headway()` may be given to many agents.
"""

from ag2 import Agent, tool

from headway.hosts.frameworks.ag2 import Headway


@tool
def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def agent(config) -> Agent:
    return Agent("lister", config=config, tools=[bash], middleware=[Headway()])


async def run(config, question: str) -> str:
    return (await agent(config).ask(question)).body
