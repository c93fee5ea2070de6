"""Agno

One hook for `tool_hooks`, of an agent or a team. A nudge is added to the tool's result, and a refused call gets the
reason as its result. A stop ends the run: its `content` is empty then, and the last of its `messages` has the reason. A
conversation is a session, each run is a turn of it, and each agent in it is watched separately. What the model used is
counted at its next tool call. If a tool returns a generator, its result is not compared.
"""

from agno.agent import Agent

from headway.hosts.frameworks.agno import Headway


def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def agent(model) -> Agent:
    return Agent(model=model, tools=[bash], tool_hooks=[Headway()])


def run(model, question: str) -> str:
    reply = agent(model).run(question)
    return reply.content or reply.messages[-1].content
