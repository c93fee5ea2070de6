"""Requests through LiteLLM."""

import litellm
from litellm.integrations.custom_logger import CustomLogger
from tests.hosts.test_litellm import Scripted, calls

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.litellm import Headway


def prepare() -> Run:
    hooks = {"idle": CustomLogger, "watched": Headway}

    def run(mode: str) -> None:
        litellm.logging_callback_manager._reset_all_callbacks()
        hook, model = hooks[mode](), Scripted(*(calls(one, id=f"c{n}") for n, one in enumerate(COMMANDS)), "done")
        litellm.custom_provider_map = [{"provider": "scripted", "custom_handler": model}]
        litellm.utils.custom_llm_setup()
        complete = hook.completion if mode == "watched" else litellm.completion
        messages = [{"role": "user", "content": "go"}]
        for command in [*COMMANDS, ""]:
            answer = complete(model="scripted/m", messages=messages).choices[0].message
            messages.append(answer.model_dump())
            for call in answer.tool_calls or ():
                messages.append({"role": "tool", "tool_call_id": call.id, "content": text_of(command)})

    return run
