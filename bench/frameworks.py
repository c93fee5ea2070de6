"""What Headway adds to a tool call inside a framework, beside what its Monitor costs for the same events.

    python bench/frameworks.py [EXTRA…]

Each framework runs in its environment (`make test-frameworks` builds the same ones) with a scripted model: runs of 100
calls. Inside the watched runs both are timed: Headway, from where the framework enters one of its hooks, and the
Monitor within. (Amid a framework, with its heap and cold caches, the same steps take up to twice as long as in a
loop of their own, so the two must be measured in one place.) Beside it stands what the whole run takes more than
with hooks of the same kind that do nothing; that difference of large numbers is rough. Processor time, the best of
several runs.
The goal is 1.5 × the Monitor's own cost.
"""

import asyncio
import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial, wraps
from inspect import iscoroutinefunction
from pathlib import Path
from threading import local

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
        python = sys.executable if name in ("guard", "opentelemetry") else environment(name)
        subprocess.run([python, __file__, "--here", name], check=True)


def measure(name: str) -> None:
    """Measure one framework, in this process."""
    spent = time_hooks_and_monitor()
    run = RUNS[name]()
    seen: dict[str, list[float]] = {"hooks": [], "monitor": [], "idle": [], "watched": []}
    for _ in range(ROUNDS + 1):  # the first warms up
        seen["idle"].append(timed(partial(run, "idle")))
        spent.update(hooks=0.0, monitor=0.0)
        seen["watched"].append(timed(partial(run, "watched")))
        seen["hooks"].append(spent["hooks"])
        seen["monitor"].append(spent["monitor"])
    hooks, monitor, idle, watched = (min(times[1:]) / CALLS * 1e6 for times in seen.values())
    print(
        f"  {name:16} Headway {hooks:6.1f} µs   Monitor {monitor:6.1f} µs   ratio {hooks / monitor:5.2f} ×"
        f"   (whole run {watched - idle:+7.1f} µs)",
        flush=True,
    )


def time_hooks_and_monitor() -> dict[str, float]:
    """Have everything timed that goes through Headway's hooks, and a Monitor within; before adapters are loaded."""
    from headway import Monitor
    from headway.hosts import harmless as module

    spent = {"hooks": 0.0, "monitor": 0.0}
    inside, harmless = local(), module.harmless

    def timing(kind, function):
        if iscoroutinefunction(function):

            async def timed(*args, **kwargs):
                with Outermost(kind, inside, spent):
                    return await function(*args, **kwargs)
        else:

            def timed(*args, **kwargs):
                with Outermost(kind, inside, spent):
                    return function(*args, **kwargs)

        return wraps(function)(timed)

    module.harmless = lambda hook: timing("hooks", harmless(hook))
    for name in ("called", "returned", "used", "user_spoke", "agent_spoke"):
        setattr(Monitor, name, timing("monitor", getattr(Monitor, name)))
    return spent


class Outermost:
    """Times a stretch of work, unless it is part of one that is being timed."""

    def __init__(self, kind, inside, spent):
        self.kind, self.inside, self.spent = kind, inside, spent

    def __enter__(self):
        self.is_outermost = not getattr(self.inside, self.kind, False)
        setattr(self.inside, self.kind, True)
        self.start = time.thread_time()

    def __exit__(self, *error):
        if self.is_outermost:
            self.spent[self.kind] += time.thread_time() - self.start
            setattr(self.inside, self.kind, False)


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
