"""An Agent of Haystack."""

from haystack.components.agents import Agent
from haystack.tools import tool
from tests.hosts.test_haystack import Scripted, ask, calls, says

from framework_runs import CALLS, COMMANDS, Run, text_of
from headway.hosts.frameworks.haystack import Headway


class Idle:
    """A hook at the same points, which does nothing."""

    def run(self, state) -> None:
        pass

    def hooks(self):
        return {"before_llm": [self], "before_tool": [self]}


@tool
def bash(command: str) -> str:
    """Run a command."""
    return text_of(command)


def prepare() -> Run:
    hooks = {"idle": Idle, "watched": Headway}

    def run(mode: str) -> None:
        model = Scripted(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), says("done"))
        ask(Agent(chat_generator=model, tools=[bash], hooks=hooks[mode]().hooks(), max_agent_steps=CALLS + 1))

    return run
