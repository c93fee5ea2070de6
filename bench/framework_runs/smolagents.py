"""A ToolCallingAgent of smolagents."""

from smolagents import ToolCallingAgent, tool
from tests.hosts.test_smolagents import Scripted, calls, quiet, says

from framework_runs import CALLS, COMMANDS, Run
from headway.hosts.frameworks.smolagents import Headway


@tool
def bash(command: str) -> str:
    """Run a command.

    Args:
        command: what to run

    """
    from framework_runs import text_of

    return text_of(command)


def prepare() -> Run:
    def run(mode: str) -> None:
        model = Scripted(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), says("done"))
        agent = quiet(ToolCallingAgent([bash], model, max_steps=CALLS + 1))
        (Headway().watch(agent) if mode == "watched" else agent).run("go")

    return run
