"""Semantic Kernel

One filter for the functions that a model calls. A nudge is added to the function's result, and a refused call gets the
reason as its result. A stop ends the loop of calls: the reason is the result of the last one, which is the answer. A
`ChatHistory` is a conversation. The filter does not get the model's usage, so `max_tokens` and `max_cost_usd` have no
effect.
"""

from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.function_choice_behavior import FunctionChoiceBehavior
from semantic_kernel.connectors.ai.prompt_execution_settings import PromptExecutionSettings
from semantic_kernel.contents import ChatHistory
from semantic_kernel.functions import kernel_function

from headway.hosts.frameworks.semantic_kernel import Headway


class Shell:
    """A plugin with one function."""

    @kernel_function
    def bash(self, command: str) -> str:
        """Run a command."""
        return "a.py b.py"


def kernel() -> Kernel:
    kernel = Kernel()
    kernel.add_plugin(Shell(), "shell")
    kernel.add_filter("auto_function_invocation", Headway())
    return kernel


async def run(model, history: ChatHistory) -> str:
    settings = PromptExecutionSettings(function_choice_behavior=FunctionChoiceBehavior.Auto())
    settings.function_choice_behavior.maximum_auto_invoke_attempts = 50
    answer = await model.get_chat_message_content(history, settings, kernel=kernel())
    return "".join(str(getattr(item, "result", item)) for item in answer.items)
