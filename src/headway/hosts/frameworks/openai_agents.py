"""OpenAI Agents SDK: run hooks watch, the input filter nudges and stops, and a tool guardrail refuses."""

from contextvars import ContextVar
from dataclasses import replace
from inspect import isawaitable
from typing import Any, TypedDict, Unpack
from uuid import uuid4

from headway.hosts.frameworks.conversation import Conversation, Question, as_text
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.handoffs import Handoffs
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require
from headway.hosts.stopped import RunStopped as AnyRunStopped

require("openai-agents", "openai-agents", "0.20", "1")

from agents import Agent, MaxTurnsExceeded, ModelResponse, RunConfig, RunHooks, Tool
from agents.run import CallModelData, ModelInputData
from agents.tool_guardrails import ToolGuardrailFunctionOutput, ToolInputGuardrailData, tool_input_guardrail


class RunStopped(MaxTurnsExceeded, AnyRunStopped):
    """Headway ended the run: `decision` has the reason, `run_data` what was done until then."""

    def __init__(self, conversation: Conversation) -> None:
        super().__init__(conversation.last_words)
        self.decision = conversation.stopped or self.decision


class RunOptions(TypedDict):
    """What `Runner.run` takes."""

    hooks: RunHooks
    run_config: RunConfig


class Headway:
    """Watches runs; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)
        self.handoffs = Handoffs(**options)

    def watching(
        self,
        conversation: str | None = None,
        run_config: RunConfig | None = None,
        hooks: RunHooks | None = None,
    ) -> RunOptions:
        """Options for one run. Runs that name the same conversation are turns of it; without a name each is its own.

        Pass your own run configuration and hooks here; they stay in use.
        """
        config = run_config or RunConfig()
        run = _Run(self, conversation or uuid4().hex, config, hooks or RunHooks())
        return {"hooks": run, "run_config": replace(config, call_model_input_filter=run.before_model)}


class _Run(RunHooks):
    """One run under watch."""

    def __init__(self, headway: Headway, conversation: str, config: RunConfig, yours: RunHooks) -> None:
        self._headway, self._conversation, self._config, self._yours = headway, conversation, config, yours
        self._answers: dict[str, str | None] = {}
        """Answers to calls that were announced before they begin: None to let them run."""
        self._asked: set[str] = set()
        """Calls about which this run has asked a person."""
        self._wanted: dict[str, tuple[Agent, str, str]] = {}
        """Calls of the model's last answer: agent, tool and arguments."""
        self._said: list[tuple[str, Any, str]] = []
        """Nudges with the agent and the item they follow, because the filter is given the history without them."""

    async def before_model(self, data: CallModelData) -> ModelInputData:
        """Stop, or add what the model should be told."""
        _current.set(self)
        conversation, items = self._of(data.agent), data.model_data.input
        self._note_input(conversation, items)
        for one in (conversation, self._headway.handoffs.of(self._conversation)):
            if one is not None and one.stopped is not None:
                raise RunStopped(one)
        told = self._with_nudges(data.agent.name, items) or items
        if told is not items:
            data = replace(data, model_data=replace(data.model_data, input=told))
        users_filter = self._config.call_model_input_filter
        filtered = users_filter(data) if users_filter else data.model_data
        return await filtered if isawaitable(filtered) else filtered

    @harmless
    def _note_input(self, conversation: Conversation, items: list[Any]) -> None:
        latest = items[-1] if items else {}
        if latest.get("role") == "user":
            conversation.user_spoke(latest.get("content"))
            self._headway.handoffs.user_spoke(self._conversation, as_text(latest.get("content")))
        whole = self._headway.handoffs.of(self._conversation)
        for advice in (conversation.before_model(), whole and whole.advice()):
            if advice:
                self._said.append((conversation.agent, items[-1] if items else None, advice))

    @harmless
    def _with_nudges(self, agent: str, items: list[Any]) -> list[Any] | None:
        """The items with the nudges of this agent, each after the item that it followed.

        If that item is missing, a server stores it and what follows it, or a filter has removed both.
        """
        said = [(after, text) for to, after, text in self._said if to == agent]
        if not said:
            return None
        told = list(items)
        for after, text in reversed(said):
            place = next((n for n in range(len(items), 0, -1) if items[n - 1] == after), 0)
            if place or after is None:
                told.insert(place, {"role": "user", "content": text})
        return told

    async def on_llm_start(self, context: Any, agent: Agent, system_prompt: str | None, input_items: list[Any]) -> None:
        """Hand on to your hooks."""
        await self._yours.on_llm_start(context, agent, system_prompt, input_items)

    async def on_llm_end(self, context: Any, agent: Agent, response: ModelResponse) -> None:
        """Note what the model used and said."""
        self._note_response(agent, response)
        await self._yours.on_llm_end(context, agent, response)

    async def on_agent_start(self, context: Any, agent: Agent) -> None:
        """Hand on to your hooks."""
        await self._yours.on_agent_start(context, agent)

    async def on_agent_end(self, context: Any, agent: Agent, output: Any) -> None:
        """Hand on to your hooks."""
        await self._yours.on_agent_end(context, agent, output)

    async def on_handoff(self, context: Any, from_agent: Agent, to_agent: Agent) -> None:
        """Note a handoff, which is a step of the conversation as a whole."""
        self._note_handoff(from_agent, to_agent)
        await self._yours.on_handoff(context, from_agent, to_agent)

    async def on_tool_start(self, context: Any, agent: Agent, tool: Tool) -> None:
        """Note a call, unless the guardrail has."""
        self._note_call(context, agent, tool)
        await self._yours.on_tool_start(context, agent, tool)

    async def on_tool_end(self, context: Any, agent: Agent, tool: Tool, result: object) -> None:
        """Note a result."""
        self._note_result(context, agent, result)
        await self._yours.on_tool_end(context, agent, tool, result)

    @harmless
    def _note_response(self, agent: Agent, response: ModelResponse) -> None:
        conversation, used = self._of(agent), response.usage
        cached = getattr(used.input_tokens_details, "cached_tokens", 0)
        conversation.used(used.input_tokens, used.output_tokens, model=self._model(agent), cached=cached)
        conversation.agent_spoke([item.content for item in response.output if item.type == "message"])
        calls = [item for item in response.output if item.type == "function_call"]
        self._wanted = {call.call_id: (agent, call.name, call.arguments) for call in calls}

    @harmless
    def _note_handoff(self, from_agent: Agent, to_agent: Agent) -> None:
        work = self._of(from_agent).take_work()
        self._headway.handoffs.note(self._conversation, from_agent.name, to_agent.name, work)

    @harmless
    def _note_call(self, context: Any, agent: Agent, tool: Tool) -> None:
        self._answer(context, agent, tool.name, context.tool_arguments)
        self._answers.pop(context.tool_call_id, None)

    @harmless
    def _note_result(self, context: Any, agent: Agent, result: object) -> None:
        self._of(agent).returned(context.tool_call_id, result)

    @harmless
    def refusal(self, data: ToolInputGuardrailData) -> str | None:
        """What to answer in place of a call; None to let it run."""
        context = data.context
        return self._answer(context, data.agent, context.tool_name, context.tool_arguments)

    @harmless
    def asks(self, call: str) -> bool:
        """Whether a person has to approve a call."""
        agent, tool, arguments = self._wanted[call]
        answer = self._of(agent).called(tool, arguments, call, can_ask=True)
        if isinstance(answer, Question):
            self._asked.add(call)
            return True
        self._answers[call] = answer
        return False

    def _answer(self, context: Any, agent: Agent, tool: str, arguments: str) -> str | None:
        """The answer to a call, which is announced once. One that waits for a person runs when it is approved."""
        call = context.tool_call_id
        if call not in self._answers:
            answer = self._of(agent).called(tool, arguments, call)
            if isinstance(answer, Question):
                if not context.is_tool_approved(tool, call):
                    return None if call in self._asked else "This call waits for a person to approve it."
                answer = self._of(agent).answered(call, may_run=True)
            self._answers[call] = answer
        return self._answers[call]

    def _of(self, agent: Agent) -> Conversation:
        return self._headway.conversations.of(self._conversation, agent.name)

    def _model(self, agent: Agent) -> str | None:
        """The name of this agent's model, if one is given."""
        model = self._config.model or agent.model
        name = model if isinstance(model, str) else getattr(model, "model", None)
        return name if isinstance(name, str) else None


@tool_input_guardrail
def guardrail(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
    """Refuse a call that the model was nudged about; for tools whose calls may be refused."""
    config = data.context.run_config
    run = getattr(config and config.call_model_input_filter, "__self__", None)
    refusal = run.refusal(data) if isinstance(run, _Run) else None
    return ToolGuardrailFunctionOutput.reject_content(refusal) if refusal else ToolGuardrailFunctionOutput.allow()


async def needs_approval(context: Any, arguments: Any, call: str) -> bool:
    """Interrupt the run if a person has to be asked (`policy.attended`); for tools whose calls may be approved."""
    run = _current.get(None)
    return bool(run.asks(call)) if run is not None else False


_current: ContextVar[_Run] = ContextVar("headway_run")
"""The run that has asked its model last in this task: a tool that needs approval does not get its run."""
