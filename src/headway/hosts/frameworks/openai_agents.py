"""OpenAI Agents SDK: run hooks watch, the input filter speaks and stops, and a tool guardrail refuses."""

from collections.abc import Callable
from dataclasses import replace
from inspect import isawaitable
from typing import Any, TypedDict, Unpack
from uuid import uuid4

from headway.core.decision import Decision
from headway.hosts.frameworks.conversation import Conversation, Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("openai-agents", "openai-agents", "0.20", "1")

from agents import Agent, MaxTurnsExceeded, ModelResponse, RunConfig, RunHooks, Tool
from agents.run import CallModelData, ModelInputData
from agents.tool_guardrails import ToolGuardrailFunctionOutput, ToolInputGuardrailData, tool_input_guardrail


class RunStopped(MaxTurnsExceeded):
    """Headway ended the run: `decision` has the reason, `run_data` what was done until then."""

    def __init__(self, conversation: Conversation) -> None:
        super().__init__(conversation.last_words)
        self.decision: Decision | None = conversation.stopped


class RunOptions(TypedDict):
    """What `Runner.run` takes."""

    hooks: RunHooks
    run_config: RunConfig


class Headway:
    """Watches runs; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)

    def watching(self, conversation: str | None = None, run_config: RunConfig | None = None) -> RunOptions:
        """Options for one run. Runs that name the same conversation are turns of it; without a name each is its own."""
        config = run_config or RunConfig()
        run = _Run(self.conversations, conversation or uuid4().hex, config.call_model_input_filter)
        return {"hooks": run, "run_config": replace(config, call_model_input_filter=run.before_model)}


class _Run(RunHooks):
    """One run under watch."""

    def __init__(
        self, conversations: Conversations, conversation: str, users_filter: Callable[[CallModelData], Any] | None
    ) -> None:
        self._conversations, self._conversation, self._users_filter = conversations, conversation, users_filter
        self._asked: set[str] = set()
        """Calls that the guardrail has let through, and that have not begun yet."""
        self._said: list[tuple[int, str]] = []
        """Nudges and their places, because the filter is given the history without them each time."""

    async def before_model(self, data: CallModelData) -> ModelInputData:
        """Stop, or add what the model should be told."""
        conversation = self._of(data.agent)
        self._note_input(conversation, data.model_data.input)
        if conversation.stopped is not None:
            raise RunStopped(conversation)
        if self._said:
            items = list(data.model_data.input)
            for place, text in reversed(self._said):
                items.insert(place, {"role": "user", "content": text})
            data = replace(data, model_data=replace(data.model_data, input=items))
        filtered = self._users_filter(data) if self._users_filter else data.model_data
        return await filtered if isawaitable(filtered) else filtered

    @harmless
    def _note_input(self, conversation: Conversation, items: list[Any]) -> None:
        latest = items[-1] if items else {}
        if latest.get("role") == "user":
            conversation.user_spoke(latest.get("content"))
        if advice := conversation.before_model():
            self._said.append((len(items), advice))

    @harmless
    async def on_llm_end(self, context: Any, agent: Agent, response: ModelResponse) -> None:
        """Note what the model used and said."""
        conversation = self._of(agent)
        conversation.used(response.usage.input_tokens, response.usage.output_tokens)
        conversation.agent_spoke([item.content for item in response.output if item.type == "message"])

    @harmless
    async def on_tool_start(self, context: Any, agent: Agent, tool: Tool) -> None:
        """Note a call, unless the guardrail has."""
        if context.tool_call_id in self._asked:
            self._asked.discard(context.tool_call_id)
        else:
            self._of(agent).called(tool.name, context.tool_arguments, context.tool_call_id)

    @harmless
    async def on_tool_end(self, context: Any, agent: Agent, tool: Tool, result: object) -> None:
        """Note a result."""
        self._of(agent).returned(context.tool_call_id, result)

    @harmless
    def refusal(self, data: ToolInputGuardrailData) -> str | None:
        """What to answer in place of a call; None to let it run."""
        context = data.context
        refusal = self._of(data.agent).called(context.tool_name, context.tool_arguments, context.tool_call_id)
        if refusal is None:
            self._asked.add(context.tool_call_id)
        return refusal

    def _of(self, agent: Agent) -> Conversation:
        return self._conversations.of(self._conversation, agent.name)


@tool_input_guardrail
def guardrail(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
    """Refuse a call that the model was told about; for tools whose calls may be refused."""
    config = data.context.run_config
    run = getattr(config and config.call_model_input_filter, "__self__", None)
    refusal = run.refusal(data) if isinstance(run, _Run) else None
    return ToolGuardrailFunctionOutput.reject_content(refusal) if refusal else ToolGuardrailFunctionOutput.allow()
