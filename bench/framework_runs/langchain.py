"""An agent of LangChain."""

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from tests.hosts.test_langchain import calls, script

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.langchain import Headway


class Idle(AgentMiddleware):
    """Hands everything on."""

    def wrap_model_call(self, request, handler):
        return handler(request)

    def wrap_tool_call(self, request, handler):
        return handler(request)


def prepare() -> Run:
    bash = tool("bash", description="Run a command.")(text_of)
    hooks = {"idle": Idle, "watched": Headway}

    def run(mode: str) -> None:
        model = script(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), AIMessage("done"))
        app = create_agent(model, [bash], middleware=[hooks[mode]()])
        app.invoke({"messages": [("user", "go")]}, {"recursion_limit": 10_000})

    return run
