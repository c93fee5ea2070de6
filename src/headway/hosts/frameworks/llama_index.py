"""LlamaIndex: watches agents and agent workflows when they ask the model, run a tool and process its result."""

from collections import defaultdict
from typing import Any, TypeVar, Unpack
from uuid import uuid4

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("llama-index", "llama-index-core", "0.13", "1")

from llama_index.core.agent.workflow import AgentOutput, AgentWorkflow, BaseWorkflowAgent, ToolCallResult
from llama_index.core.llms import ChatMessage, TextBlock
from llama_index.core.tools import ToolOutput

Agent = TypeVar("Agent", BaseWorkflowAgent, AgentWorkflow)
KEY = "headway"
"""Where a context stores the name of its conversation."""


class Headway:
    """Watches agents that work together, each separately; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)
        self._refusals: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
        """What to answer in place of calls that are about to run, by agent, tool and arguments."""

    def watch(self, agent: Agent) -> Agent:
        """Watch an agent, or all agents of a workflow."""
        self._run_tools_of(agent)
        for each in agent.agents.values() if isinstance(agent, AgentWorkflow) else [agent]:
            self._steps_of(each)
        return agent

    def _steps_of(self, agent: BaseWorkflowAgent) -> None:
        """Watch an agent's steps."""
        take_step, handle_results = agent.take_step, agent.handle_tool_call_results

        async def step(ctx: Any, llm_input: list[ChatMessage], *args: Any) -> AgentOutput:
            last_words = await self._before_model(ctx, agent, llm_input)
            if last_words is not None:
                answer = ChatMessage(role="assistant", content=last_words)
                return AgentOutput(response=answer, current_agent_name=agent.name)
            output = await take_step(ctx, llm_input, *args)
            await self._after_model(ctx, agent, output)
            return output

        async def results(ctx: Any, results: list[ToolCallResult], *args: Any) -> None:
            await self._returned(ctx, agent, results)
            await handle_results(ctx, results, *args)

        object.__setattr__(agent, "take_step", step)  # agents are pydantic models, which take no new attributes
        object.__setattr__(agent, "handle_tool_call_results", results)

    def _run_tools_of(self, runner: BaseWorkflowAgent | AgentWorkflow) -> None:
        """Answer in place of calls that are refused."""
        call_tool = runner._call_tool

        async def call(ctx: Any, tool: Any, tool_input: dict[str, Any]) -> ToolOutput:
            name = tool.metadata.get_name()
            waiting = self._refusals.get((await _name(ctx), name, repr(tool_input)))
            if not waiting:
                return await call_tool(ctx, tool, tool_input)
            refusal = waiting.pop()
            return ToolOutput(content=refusal, tool_name=name, raw_input=tool_input, raw_output=refusal, is_error=True)

        object.__setattr__(runner, "_call_tool", call)

    @harmless
    async def _before_model(self, ctx: Any, agent: Any, llm_input: list[ChatMessage]) -> str | None:
        conversation = await self._of(ctx, agent)
        if not await ctx.store.get("num_iterations", default=0) and llm_input:
            conversation.user_spoke(llm_input[-1].content or "")
        if advice := conversation.before_model():  # what no tool result could carry
            llm_input.append(ChatMessage(role="user", content=advice))
        return conversation.last_words if conversation.stopped is not None else None

    @harmless
    async def _after_model(self, ctx: Any, agent: Any, output: AgentOutput) -> None:
        conversation, name = await self._of(ctx, agent), await _name(ctx)
        usage = output.raw.get("usage") if isinstance(output.raw, dict) else None
        if isinstance(usage, dict):
            conversation.used(
                usage.get("prompt_tokens") or usage.get("input_tokens"),
                usage.get("completion_tokens") or usage.get("output_tokens"),
                model=output.raw.get("model"),
            )
        conversation.agent_spoke(output.response.content or "")
        for call in output.tool_calls:
            if refusal := conversation.called(call.tool_name, call.tool_kwargs, call.tool_id):
                self._refusals[name, call.tool_name, repr(call.tool_kwargs)].append(refusal)

    @harmless
    async def _returned(self, ctx: Any, agent: Any, results: list[ToolCallResult]) -> None:
        conversation = await self._of(ctx, agent)
        for result in results:
            output = result.tool_output
            conversation.returned(result.tool_id, output.content, failed=True if output.is_error else None)
            if advice := conversation.advice():
                output.blocks = [*output.blocks, TextBlock(text=advice)]

    async def _of(self, ctx: Any, agent: Any) -> Conversation:
        return self.conversations.of(await _name(ctx), agent.name)


def watch(agent: Agent, **options: Unpack[Options]) -> Agent:
    """Watch an agent; the same as `Headway(…).watch(agent)`."""
    return Headway(**options).watch(agent)


async def _name(ctx: Any) -> str:
    """A context is a conversation, also when it is kept and used for the next run."""
    name = await ctx.store.get(KEY, default=None)
    if name is None:
        name = uuid4().hex
        await ctx.store.set(KEY, name)
    return str(name)
