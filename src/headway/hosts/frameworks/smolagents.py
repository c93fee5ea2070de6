"""smolagents: watches calls when the agent executes them, and steps in the step callbacks.

Of an agent that writes code, the tools that its code calls are watched. The code itself is a call only if it does more
than call them, because its output changes with every counter.
"""

from collections.abc import Callable
from typing import Any, TypeVar, Unpack
from uuid import uuid4

from headway.hosts.frameworks.conversation import FRAMEWORK, ONLY_TOLD, Conversation
from headway.hosts.frameworks.conversations import check_options
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require
from headway.hosts.stopped import RunStopped as AnyRunStopped
from headway.tools.python_code import only_uses

require("smolagents", "smolagents", "1.24", "2")

from smolagents import ActionStep, LocalPythonExecutor, MultiStepAgent, TaskStep, Tool, ToolCallingAgent
from smolagents.utils import AgentError

Agent = TypeVar("Agent", bound=MultiStepAgent)


class RunStopped(AgentError, AnyRunStopped):
    """Headway ended the run: `decision` has the reason."""

    def __init__(self, conversation: Conversation, agent: MultiStepAgent) -> None:
        super().__init__(conversation.last_words, agent.logger)
        self.decision = conversation.stopped or self.decision


class Headway:
    """Watches agents; takes what `Monitor` takes. A store also needs a name for the `conversation`."""

    def __init__(self, *, conversation: str = "", **options: Unpack[Options]) -> None:
        check_options(options, conversation)
        self._conversation, self._options = conversation, options

    def watch(self, agent: Agent) -> Agent:
        """Watch an agent and those it manages, each separately."""
        _Watch(agent, self._new_conversation)
        for managed in agent.managed_agents.values():
            self.watch(managed)
        return agent

    def _new_conversation(self, agent: MultiStepAgent) -> Conversation:
        can = FRAMEWORK if isinstance(agent, ToolCallingAgent) else ONLY_TOLD  # code runs before we see it
        name = getattr(agent, "name", None) or ""
        return Conversation(can=can, conversation=self._conversation, agent=name, **self._options)


def watch(agent: Agent, **options: Unpack[Options]) -> Agent:
    """Watch an agent; the same as `Headway(…).watch(agent)`."""
    return Headway(**options).watch(agent)


class _Watch:
    """One watched agent. Like the agent, it has one conversation at a time."""

    def __init__(self, agent: MultiStepAgent, new_conversation: Callable[[MultiStepAgent], Conversation]) -> None:
        self._agent, self._new_conversation = agent, new_conversation
        self._conversation = new_conversation(agent)
        self._task: object = None
        self._read_up_to: tuple[int, object] = (0, None)
        """How many steps of the agent's memory we have seen, and the last of them."""
        agent.step_callbacks.register(ActionStep, self.after_step)
        if isinstance(agent, ToolCallingAgent):
            self._execute, agent.execute_tool_call = agent.execute_tool_call, self.execute_tool_call
        self._tools_called = 0
        executor = getattr(agent, "python_executor", None)
        if isinstance(executor, LocalPythonExecutor):  # others send the tools' source code elsewhere
            self._send_tools, executor.send_tools = executor.send_tools, self.send_tools

    def send_tools(self, tools: dict[str, Any]) -> None:
        """Watch the tools that code may call."""
        watched = {name: self._watched(tool) if isinstance(tool, Tool) else tool for name, tool in tools.items()}
        self._send_tools(watched | {name: tools[name] for name in ("final_answer",) if name in tools})

    def _watched(self, tool: Tool) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            self._tools_called += 1
            given = {**dict(zip(tool.inputs, args, strict=False)), **kwargs}
            return self._run(tool.name, given, lambda: tool(*args, **kwargs), refusable=False)

        return call

    def execute_tool_call(self, tool_name: str, arguments: Any) -> Any:
        """Watch one call, or answer in its place."""
        if tool_name == "final_answer":
            return self._execute(tool_name, arguments)
        return self._run(tool_name, arguments, lambda: self._execute(tool_name, arguments))

    def _run(self, tool: str, arguments: Any, execute: Callable[[], Any], refusable: bool = True) -> Any:
        """Run a tool under watch."""
        conversation, call = self._current(), uuid4().hex
        refusal = conversation.called(tool, arguments, call, batch=f"step {self._agent.step_number}")
        if refusal and refusable:
            return refusal
        try:
            result = execute()
        except Exception as error:
            conversation.returned(call, str(error), failed=True)
            raise
        conversation.returned(call, result)
        return result

    def after_step(self, step: ActionStep, agent: MultiStepAgent) -> None:
        """Record usage, message and (for code) the calls of the step; then nudge or stop."""
        self._note(step)
        if (conversation := self._current()).stopped is not None:
            agent.memory.steps.append(step)  # the agent would have, after this
            raise RunStopped(conversation, agent)

    @harmless
    def _note(self, step: ActionStep) -> None:
        conversation = self._current()
        if step.token_usage:
            model = getattr(self._agent.model, "model_id", None)
            conversation.used(step.token_usage.input_tokens, step.token_usage.output_tokens, model=model)
        conversation.agent_spoke(step.model_output)
        if not isinstance(self._agent, ToolCallingAgent):
            called, self._tools_called = self._tools_called, 0
            for call in step.tool_calls or ():
                if called and only_uses(str(call.arguments), frozenset(self._agent.tools)):
                    continue
                conversation.called(call.name, {"code": call.arguments}, f"call-{step.step_number}")
                conversation.returned(f"call-{step.step_number}", step.observations, failed=bool(step.error) or None)
        if advice := conversation.before_model():
            step.observations = f"{step.observations}\n\n{advice}" if step.observations else advice

    def _current(self) -> Conversation:
        """The conversation; a new one when the agent has forgotten the last, and a new turn at a new task."""
        steps = self._agent.memory.steps
        seen, last = self._read_up_to
        if seen and (len(steps) < seen or steps[seen - 1] is not last):  # the memory was replaced
            seen = 0
        self._read_up_to = len(steps), steps[-1] if steps else None
        task = next((step for step in reversed(steps[seen:]) if isinstance(step, TaskStep)), None)
        if task is not None and task is not self._task:
            self._task = task
            if steps[0] is task:
                self._conversation = self._new_conversation(self._agent)
            self._conversation.user_spoke(task.task)
        return self._conversation
