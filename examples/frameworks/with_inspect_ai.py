"""Inspect AI

For agents made with `react`. A nudge is a user message before the next request, a refused call gets the reason as
the error of its result, and a stop ends the agent's loop: the sample's output says why, with the reason in
`output.metadata["headway"]`, and is scored like any other. The policies are needed for refusals only; they replace
the task's own, so name those: `headway.policies(*yours)`. Each run of an agent in a sample is a conversation.
"""

from inspect_ai import Task
from inspect_ai.agent import react
from inspect_ai.dataset import Sample
from inspect_ai.tool import Tool, tool

from headway.hosts.frameworks.inspect_ai import Headway

headway = Headway()


@tool
def bash() -> Tool:
    async def execute(command: str) -> str:
        """Run a command.

        Args:
            command: what to run

        """
        return "a.py b.py"

    return execute


def task() -> Task:
    agent = react(tools=[bash()], on_continue=headway.on_continue, approval=headway.policies())
    return Task(dataset=[Sample(input="go")], solver=agent)
