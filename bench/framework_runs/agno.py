"""An agent of Agno."""

from agno.agent import Agent
from tests.hosts.test_agno import Scripted, calls

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.agno import Headway


def bash(command: str) -> str:
    """Run a command."""
    return text_of(command)


def idle(function_name, function_call, arguments, run_context=None):
    return function_call(**arguments)


def prepare() -> Run:
    hooks = {"idle": lambda: idle, "watched": Headway}

    def run(mode: str) -> None:
        model = Scripted(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), "done")
        Agent(model=model, tools=[bash], tool_hooks=[hooks[mode]()]).run("go")

    return run
