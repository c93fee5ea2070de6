"""A FunctionAgent of LlamaIndex."""

from llama_index.core.agent.workflow import FunctionAgent
from tests.hosts.test_llama_index import ask, calls, says, script

from framework_runs import CALLS, COMMANDS, Run, text_of
from headway.hosts.frameworks.llama_index import Headway


def bash(command: str) -> str:
    """Run a command."""
    return text_of(command)


def prepare() -> Run:
    def run(mode: str) -> None:
        model = script(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), says("done"))
        agent = FunctionAgent(name="a", description="Reads.", llm=model, tools=[bash])
        ask(Headway().watch(agent) if mode == "watched" else agent, max_iterations=CALLS + 2)

    return run
