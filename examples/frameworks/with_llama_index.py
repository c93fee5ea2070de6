"""LlamaIndex

`watch` an agent, or an `AgentWorkflow` with all its agents, each separately. A nudge is added to the tool's result, a
refused call gets the reason as an error result, and a stop is the agent's last answer. A `Context` is a
conversation: runs that are given the same one are turns of it.
"""

from llama_index.core.agent.workflow import FunctionAgent

from headway.hosts.frameworks.llama_index import Headway


def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def agent(llm) -> FunctionAgent:
    return Headway().watch(FunctionAgent(name="lister", description="Lists files.", llm=llm, tools=[bash]))


async def run(llm, question: str) -> str:
    return str(await agent(llm).run(question))
