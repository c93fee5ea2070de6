"""What Headway adds to a tool call inside a framework, beside what its Monitor costs for the same events.

    python bench/frameworks.py [EXTRA…]

Each framework runs in its environment (`make test-frameworks` builds the same ones) with a scripted model: runs of 100
calls in one process, in turns with Headway and with hooks of the same kind that do nothing, so that what Headway adds
is told apart from what the framework's hooks cost. The Monitor's own cost is taken inside the watched runs: amid a
framework, with its heap and its cold caches, the same steps take up to twice as long as in a loop of their own.
Processor time, because machines are busy; the best of many runs. The goal is 1.5 × the Monitor's own cost.
"""

import asyncio
import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples" / "frameworks")]  # tests, and the examples they run

CALLS, ROUNDS = 100, 9
Run = Callable[[str], object]
"""One run of CALLS calls: "watched", or with "idle" hooks."""


def main(chosen: list[str]) -> None:
    """Measure each framework in its own environment."""
    from tests.hosts.environments import environment

    print(f"per call, {CALLS} calls a run, best of {ROUNDS} runs (goal: 1.5 ×)")
    for name in chosen or RUNS:
        python = sys.executable if name == "guard" else environment(name)
        subprocess.run([python, __file__, "--here", name], check=True)


def measure(name: str) -> None:
    """Measure one framework, in this process."""
    run, inside = RUNS[name](), time_inside_monitor()
    times: dict[str, list[float]] = {"idle": [], "watched": [], "monitor": []}
    for _ in range(ROUNDS + 1):
        times["idle"].append(timed(partial(run, "idle")))
        inside.clear()
        times["watched"].append(timed(partial(run, "watched")))
        times["monitor"].append(sum(inside))
    idle, watched, own = (min(times[mode][1:]) / CALLS * 1e6 for mode in ("idle", "watched", "monitor"))
    added = watched - idle
    print(f"  {name:16} Headway {added:6.1f} µs   Monitor {own:6.1f} µs   ratio {added / own:5.2f} ×", flush=True)


def time_inside_monitor() -> list[float]:
    """Have every event that is fed to a Monitor timed."""
    from headway import Monitor

    times: list[float] = []

    def timing(method):
        def timed(*args, **kwargs):
            start = time.process_time()
            try:
                return method(*args, **kwargs)
            finally:
                times.append(time.process_time() - start)

        return timed

    for name in ("called", "returned", "used", "user_spoke", "agent_spoke"):
        setattr(Monitor, name, timing(getattr(Monitor, name)))
    return times


def text_of(command: str) -> str:
    """About a screen of text that is different for each command."""
    return "".join(f"{line}: what `{command}` says here, in some words\n" for line in range(30))


def guard() -> Run:
    from headway import guard

    def run(mode: str) -> None:
        watch = guard()
        watch.user_spoke("go")
        tool = watch(text_of) if mode == "watched" else text_of
        for n in range(CALLS):
            tool(f"cat src/{n}.py")
            if mode == "watched":
                watch.used(100, 10)

    return run


def opentelemetry() -> Run:
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

    from headway.hosts.opentelemetry import HeadwaySpanProcessor

    def run(mode: str) -> None:
        provider = TracerProvider()
        provider.add_span_processor(HeadwaySpanProcessor() if mode == "watched" else SpanProcessor())
        tracer = provider.get_tracer("bench")
        agent = {"gen_ai.operation.name": "invoke_agent"}
        model = {"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 10}
        call = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bash"}
        with tracer.start_as_current_span("agent", attributes=agent):
            for n in range(CALLS):
                tracer.start_span("chat", attributes=model).end()
                command = f"cat src/{n}.py"
                with tracer.start_as_current_span("tool", attributes=call) as span:
                    span.set_attribute("gen_ai.tool.call.arguments", json.dumps({"command": command}))
                    span.set_attribute("gen_ai.tool.call.result", text_of(command))

    return run


def langchain() -> Run:
    from langchain.agents import create_agent
    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool
    from tests.hosts.test_langchain import calls, script

    from headway.hosts.langchain import HeadwayMiddleware

    bash = tool("bash", description="Run a command.")(text_of)

    class Idle(AgentMiddleware):
        def wrap_model_call(self, request, handler):
            return handler(request)

        def wrap_tool_call(self, request, handler):
            return handler(request)

    hooks = {"idle": lambda: [Idle()], "watched": lambda: [HeadwayMiddleware()]}

    def run(mode: str) -> None:
        model = script(*(calls(f"cat src/{n}.py", id=f"c{n}") for n in range(CALLS)), AIMessage("done"))
        app = create_agent(model, [bash], middleware=hooks[mode]())
        app.invoke({"messages": [("user", "go")]}, {"recursion_limit": 10_000})

    return run


def openai_agents() -> Run:
    from agents import Agent, RunConfig, RunHooks, Runner, function_tool, set_tracing_disabled
    from agents.tool_guardrails import ToolGuardrailFunctionOutput, tool_input_guardrail
    from tests.hosts.test_openai_agents import Scripted, calls, says

    from headway.hosts.openai_agents import Headway, guardrail

    set_tracing_disabled(True)

    @tool_input_guardrail
    def allow(data):
        return ToolGuardrailFunctionOutput.allow()

    guardrails = {"idle": [allow], "watched": [guardrail]}
    headway = Headway()
    idle = {"hooks": RunHooks(), "run_config": RunConfig(call_model_input_filter=lambda data: data.model_data)}

    def run(mode: str) -> None:
        model = Scripted(*(calls(f"cat src/{n}.py", id=f"c{n}") for n in range(CALLS)), says("done"))
        tool = function_tool(text_of, name_override="bash", tool_input_guardrails=guardrails[mode])
        options = {"idle": idle, "watched": headway.watching()}[mode]
        asyncio.run(Runner.run(Agent(name="a", model=model, tools=[tool]), "go", max_turns=CALLS + 1, **options))

    return run


def pydantic_ai() -> Run:
    from pydantic_ai import Agent, Tool
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.usage import UsageLimits
    from tests.hosts.test_pydantic_ai import calls, says, script

    from headway.hosts.pydantic_ai import Headway

    class Idle(AbstractCapability):
        async def before_run(self, ctx):
            pass

        async def before_model_request(self, ctx, request_context):
            return request_context

        async def after_model_request(self, ctx, *, request_context, response):
            return response

        async def wrap_tool_execute(self, ctx, *, call, tool_def, args, handler):
            return await handler(args)

    bash = Tool(text_of, name="bash")
    hooks = {"idle": lambda: [Idle()], "watched": lambda: [Headway()]}

    def run(mode: str) -> None:
        model = script(*(calls(f"cat src/{n}.py", id=f"c{n}") for n in range(CALLS)), says("done"))
        agent = Agent(model, tools=[bash], capabilities=hooks[mode]())
        asyncio.run(agent.run("go", usage_limits=UsageLimits(request_limit=None)))

    return run


def smolagents() -> Run:
    from smolagents import ToolCallingAgent, tool
    from tests.hosts.test_smolagents import Scripted, calls, quiet, says

    from headway.hosts.smolagents import watch

    @tool
    def bash(command: str) -> str:
        """Run a command.

        Args:
            command: what to run

        """
        from frameworks import text_of

        return text_of(command)

    def run(mode: str) -> None:
        model = Scripted(*(calls(f"cat src/{n}.py", id=f"c{n}") for n in range(CALLS)), says("done"))
        agent = quiet(ToolCallingAgent([bash], model, max_steps=CALLS + 1))
        (watch(agent) if mode == "watched" else agent).run("go")

    return run


def timed(action: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()  # when the garbage of a framework's heap is collected is chance, and costs more than what is measured
    try:
        start = time.process_time()
        action()
        return time.process_time() - start
    finally:
        gc.enable()


RUNS = {
    "guard": guard, "opentelemetry": opentelemetry, "langchain": langchain, "openai-agents": openai_agents,
    "pydantic-ai": pydantic_ai, "smolagents": smolagents,
}  # fmt: skip

if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        measure(sys.argv[2])
    else:
        main(sys.argv[1:])
