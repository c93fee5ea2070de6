"""A team of AutoGen with one agent."""

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import FunctionalTermination, TextMentionTermination
from autogen_agentchat.teams import RoundRobinGroupChat
from tests.hosts.test_autogen import Scripted, ask, calls

from framework_runs import CALLS, COMMANDS, Run, text_of
from headway.hosts.frameworks.autogen import Headway


async def bash(command: str) -> str:
    """Run a command."""
    return text_of(command)


def never(messages) -> bool:
    return False


def prepare() -> Run:
    def run(mode: str) -> None:
        model = Scripted(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)))
        agent = AssistantAgent("a", model, tools=[bash], max_tool_iterations=CALLS + 1)
        ends = Headway() if mode == "watched" else FunctionalTermination(never)
        if mode == "watched":
            ends.watch(agent)
        ask(RoundRobinGroupChat([agent], termination_condition=ends | TextMentionTermination("TERMINATE")))

    return run
