"""smolagents

`watch` an agent, and those it manages are watched too, each separately. A nudge is added to the step's observations, a
refused call gets the reason as its result, and a stop raises `RunStopped`, an `AgentError` of the framework with the
`decision`. A `CodeAgent` runs its code in one piece: it gets nudges and stops, but no call is refused. Each `run` is a
conversation; with `reset=False` it is a turn of the last one.
"""

from smolagents import ToolCallingAgent, tool

from headway.hosts.frameworks.smolagents import Headway, RunStopped


@tool
def bash(command: str) -> str:
    """Run a command.

    Args:
        command: what to run

    """
    return "a.py b.py"


def agent(model) -> ToolCallingAgent:
    return Headway().watch(ToolCallingAgent(tools=[bash], model=model, max_steps=50))


def run(model, question: str) -> str:
    try:
        return agent(model).run(question)
    except RunStopped as stopped:
        return str(stopped)
