"""Strands Agents

One provider of hooks. A nudge is added to the tool's result, a refused call is cancelled with the reason, and a
stop is the agent's last message, with the reason in `result.state["headway"]`. An agent is a conversation, and each
call of it a turn; one `Headway()` may be given to many agents, also to those that are tools of others or nodes of a
graph.
"""

from strands import Agent, tool

from headway.hosts.frameworks.strands import Headway


@tool
def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def agent(model) -> Agent:
    return Agent(model=model, tools=[bash], hooks=[Headway()], callback_handler=None)


def run(model, question: str) -> str:
    return str(agent(model)(question)).strip()
