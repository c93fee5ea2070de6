"""PydanticAI

One capability. A nudge follows the tool's result in the model's next input and stays in the history, a refused call
gets the reason as its result, and a stop raises `RunStopped`, an `AgentRunError` of the framework with the
`decision`. A conversation is PydanticAI's own: runs that share a `message_history` or a `conversation_id` are turns
of it.
"""

from pydantic_ai import Agent

from headway.hosts.frameworks.pydantic_ai import Headway, RunStopped


def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def agent(model) -> Agent:
    return Agent(model, name="lister", tools=[bash], capabilities=[Headway()])


def run(model, question: str) -> str:
    try:
        return agent(model).run_sync(question).output
    except RunStopped as stopped:
        return str(stopped)
