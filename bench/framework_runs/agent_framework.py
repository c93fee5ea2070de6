"""An agent of the Microsoft Agent Framework."""

from agent_framework import Agent, AgentMiddleware, ChatMiddleware, FunctionMiddleware, tool
from tests.hosts.test_agent_framework import Scripted, ask, calls, says

from framework_runs import CALLS, COMMANDS, Run, text_of
from headway.hosts.frameworks.agent_framework import Headway


class Idle:
    """Hands everything on."""

    async def process(self, context, call_next):
        await call_next()


def prepare() -> Run:
    bash = tool(text_of, name="bash")
    idle = [type("Idle", (Idle, kind), {})() for kind in (AgentMiddleware, ChatMiddleware, FunctionMiddleware)]
    hooks = {"idle": idle, "watched": Headway().middleware}

    def run(mode: str) -> None:
        model = Scripted(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), says("done"))
        model.function_invocation_configuration["max_iterations"] = CALLS + 1
        ask(Agent(client=model, name="a", tools=[bash], middleware=hooks[mode]))

    return run
