"""A prompt of weakincentives, evaluated with its own bridge for tools."""

from tests.hosts.test_weakincentives import Scripted, evaluate, template
from weakincentives.prompt import ToolResult
from weakincentives.runtime import Session

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.weakincentives import Headway


def bash(params, *, context) -> ToolResult[None]:
    return ToolResult(message=text_of(params.command), value=None)


def prepare() -> Run:
    def run(mode: str) -> None:
        model = Scripted(*([command] for command in COMMANDS), "done")
        headway = Headway() if mode == "watched" else None
        evaluate(headway.watch(model) if headway else model, template(headway, bash), Session())

    return run
