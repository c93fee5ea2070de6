"""An agent of PydanticAI."""

import asyncio

from pydantic_ai import Agent, Tool
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.usage import UsageLimits
from tests.hosts.test_pydantic_ai import calls, says, script

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.pydantic_ai import Headway


class Idle(AbstractCapability):
    """Hands everything on."""

    async def before_run(self, ctx):
        pass

    async def before_model_request(self, ctx, request_context):
        return request_context

    async def after_model_request(self, ctx, *, request_context, response):
        return response

    async def wrap_tool_execute(self, ctx, *, call, tool_def, args, handler):
        return await handler(args)


def prepare() -> Run:
    bash = Tool(text_of, name="bash")
    hooks = {"idle": Idle, "watched": Headway}

    def run(mode: str) -> None:
        model = script(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), says("done"))
        agent = Agent(model, tools=[bash], capabilities=[hooks[mode]()])
        asyncio.run(agent.run("go", usage_limits=UsageLimits(request_limit=None)))

    return run
