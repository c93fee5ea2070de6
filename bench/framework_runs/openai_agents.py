"""An agent of the OpenAI Agents SDK, whose tool has a guardrail."""

import asyncio

from agents import Agent, RunConfig, RunHooks, Runner, function_tool, set_tracing_disabled
from agents.tool_guardrails import ToolGuardrailFunctionOutput, tool_input_guardrail
from tests.hosts.test_openai_agents import Scripted, calls, says

from framework_runs import CALLS, COMMANDS, Run, text_of
from headway.hosts.frameworks.openai_agents import Headway, guardrail


@tool_input_guardrail
def allow(data):
    return ToolGuardrailFunctionOutput.allow()


def prepare() -> Run:
    set_tracing_disabled(True)
    guardrails = {"idle": [allow], "watched": [guardrail]}
    headway = Headway()
    idle = {"hooks": RunHooks(), "run_config": RunConfig(call_model_input_filter=lambda data: data.model_data)}

    def run(mode: str) -> None:
        model = Scripted(*(calls(command, id=f"c{n}") for n, command in enumerate(COMMANDS)), says("done"))
        tool = function_tool(text_of, name_override="bash", tool_input_guardrails=guardrails[mode])
        options = idle if mode == "idle" else headway.watching()
        asyncio.run(Runner.run(Agent(name="a", model=model, tools=[tool]), "go", max_turns=CALLS + 1, **options))

    return run
