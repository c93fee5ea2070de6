"""An agent of Strands."""

from strands import Agent, tool
from strands.hooks import (
    AfterModelCallEvent,
    AfterToolCallEvent,
    BeforeInvocationEvent,
    BeforeModelCallEvent,
    BeforeToolCallEvent,
    HookProvider,
)
from tests.hosts.test_strands import Scripted, calls

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.strands import Headway

HEARD = (BeforeInvocationEvent, BeforeModelCallEvent, AfterModelCallEvent, BeforeToolCallEvent, AfterToolCallEvent)


def nothing(event: AfterToolCallEvent) -> None:
    pass


class Idle(HookProvider):
    """Hears of the same, and does nothing."""

    def register_hooks(self, registry, **kwargs) -> None:
        for event in HEARD:
            registry.add_callback(event, nothing)


@tool
def bash(command: str) -> str:
    """Run a command."""
    return text_of(command)


def prepare() -> Run:
    hooks = {"idle": Idle, "watched": Headway}

    def run(mode: str) -> None:
        model = Scripted(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), ["done"])
        Agent(model=model, tools=[bash], hooks=[hooks[mode]()], callback_handler=None)("go")

    return run
