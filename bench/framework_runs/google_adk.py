"""An agent of Google ADK."""

from google.adk.agents import LlmAgent
from google.adk.plugins.base_plugin import BasePlugin
from tests.hosts.test_google_adk import ask, calls, says, script

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.google_adk import Headway


def bash(command: str) -> dict:
    """Run a command."""
    return {"output": text_of(command)}


def prepare() -> Run:
    hooks = {"idle": lambda: BasePlugin(name="idle"), "watched": Headway}

    def run(mode: str) -> None:
        model = script(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), says("done"))
        ask(LlmAgent(name="a", model=model, tools=[bash]), hooks[mode]())

    return run
