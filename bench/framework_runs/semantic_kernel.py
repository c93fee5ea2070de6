"""Functions that a model calls in Semantic Kernel."""

import asyncio

from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.function_choice_behavior import FunctionChoiceBehavior
from semantic_kernel.connectors.ai.prompt_execution_settings import PromptExecutionSettings
from semantic_kernel.contents import ChatHistory
from semantic_kernel.functions import kernel_function
from tests.hosts.test_semantic_kernel import DONE, calls, scripted

from framework_runs import CALLS, COMMANDS, Run, text_of
from headway.hosts.frameworks.semantic_kernel import Headway


class Shell:
    """A plugin with one function."""

    @kernel_function
    def bash(self, command: str) -> str:
        """Run a command."""
        return text_of(command)


async def idle(context, next):
    await next(context)


def prepare() -> Run:
    filters = {"idle": lambda: idle, "watched": Headway}

    def run(mode: str) -> None:
        kernel, history = Kernel(), ChatHistory()
        kernel.add_plugin(Shell(), "shell")
        kernel.add_filter("auto_function_invocation", filters[mode]())
        history.add_user_message("go")
        choice = FunctionChoiceBehavior.Auto()
        choice.maximum_auto_invoke_attempts = CALLS + 1
        model = scripted(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), DONE)
        settings = PromptExecutionSettings(function_choice_behavior=choice)
        asyncio.run(model.get_chat_message_content(history, settings, kernel=kernel))

    return run
