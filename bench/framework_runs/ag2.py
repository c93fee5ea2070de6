"""An agent of AG2."""

from ag2 import Agent, tool
from ag2.middleware import BaseMiddleware
from tests.hosts.test_ag2 import Scripted, ask, calls

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.ag2 import Headway


class Idle(BaseMiddleware):
    """Hands everything on."""

    async def on_turn(self, call_next, event, context):
        return await call_next(event, context)

    async def on_llm_call(self, call_next, events, context):
        return await call_next(events, context)

    async def on_tool_execution(self, call_next, event, context):
        return await call_next(event, context)


def prepare() -> Run:
    bash = tool(text_of, name="bash", sync_to_thread=False)
    hooks = {"idle": lambda: Idle, "watched": Headway}

    def run(mode: str) -> None:
        model = Scripted(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), "done")
        ask(Agent("a", config=model, tools=[bash], middleware=[hooks[mode]()]))

    return run
