"""An agent of Inspect AI in a task with one sample, its calls approved by a policy."""

from tempfile import TemporaryDirectory

from inspect_ai import Task, eval
from inspect_ai.agent import react
from inspect_ai.approval import ApprovalPolicy, auto_approver
from inspect_ai.dataset import Sample
from inspect_ai.tool import Tool, tool
from tests.hosts.test_inspect_ai import Script, calls, says

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.inspect_ai import Headway


@tool
def bash() -> Tool:
    async def execute(command: str) -> str:
        """Run a command.

        Args:
            command: what to run

        """
        return text_of(command)

    return execute


async def go_on(state) -> bool:
    return True


def prepare() -> Run:
    def run(mode: str) -> None:
        script = Script(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), says("done"))
        headway = Headway()
        idle = {"on_continue": go_on, "approval": [ApprovalPolicy(auto_approver(), "*")]}
        watched = {"on_continue": headway.on_continue, "approval": headway.policies()}
        agent = react(tools=[bash()], **(watched if mode == "watched" else idle))
        with TemporaryDirectory(prefix="headway-bench-") as logs:
            task = Task(dataset=[Sample(input="go")], solver=agent)
            eval(task, model=script.model, display="none", log_dir=logs)

    return run
