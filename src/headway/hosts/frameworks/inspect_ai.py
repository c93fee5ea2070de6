"""Inspect AI: the `on_continue` of an agent watches, nudges and stops, and an approver refuses."""

from typing import Any, Unpack
from uuid import uuid4

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("inspect-ai", "inspect-ai", "0.3.200", "1")

from inspect_ai.agent import AgentState
from inspect_ai.approval import Approval, ApprovalPolicy, Approver, approver, auto_approver
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser, ModelOutput
from inspect_ai.util import store


class Headway:
    """Watches agents that are made with `react`; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)

    async def on_continue(self, state: AgentState) -> bool | str:
        """After each round of an agent: continue, continue with a message to the model, or stop."""
        answer = self._after_round(state)
        return True if answer is None else answer

    def policies(self, *others: ApprovalPolicy) -> list[ApprovalPolicy]:
        """Refuse calls that the model was nudged about; all others are for the other policies, or approved."""

        @approver(name="headway")
        def headway() -> Approver:
            async def approve(message: str, call: Any, view: Any, history: list[Any]) -> Approval:
                refusal = self._called(history, call)
                return Approval(decision="reject" if refusal else "escalate", explanation=refusal)

            return approve

        return [ApprovalPolicy(headway(), "*"), *(others or [ApprovalPolicy(auto_approver(), "*")])]

    @harmless
    def _called(self, history: list[Any], call: Any) -> str | None:
        asked = next((m for m in reversed(history) if isinstance(m, ChatMessageAssistant)), None)
        return self._of(history).called(call.function, call.arguments, call.id, batch=asked.id if asked else None)

    @harmless
    def _after_round(self, state: AgentState) -> bool | str | None:
        """Record the model's answer, the calls that needed no approval, and the results."""
        conversation, answer = self._of(state.messages), state.output.message
        if used := state.output.usage:
            conversation.used(
                used.input_tokens, used.output_tokens, getattr(used, "total_cost", None), model=state.output.model
            )
        conversation.agent_spoke(answer.text)
        waiting = conversation.monitor.session.pairing.waiting
        for message in _results(state.messages):
            call = next((one for one in answer.tool_calls or () if one.id == message.tool_call_id), None)
            if call and call.id not in waiting:
                conversation.called(call.function, call.arguments, call.id, batch=answer.id)
            conversation.returned(str(message.tool_call_id), message.text, failed=True if message.error else None)
        advice = conversation.before_model()
        if conversation.stopped is None:
            return advice
        state.output = ModelOutput.from_content(state.output.model, conversation.last_words)
        state.output.metadata = {"headway": conversation.stopped.reason}
        state.messages.append(state.output.message)
        return False

    def _of(self, messages: list[Any]) -> Conversation:
        """The conversation of an agent's run in a sample; each run has its own first message."""
        sample = vars(store()).setdefault("_headway", uuid4().hex)  # one object for each sample, without an id
        first = next((message for message in messages if isinstance(message, ChatMessageUser)), None)
        return self.conversations.of(sample, first.id if first else None)


def _results(messages: list[Any]) -> list[ChatMessageTool]:
    """The results that came since the model's last answer."""
    found: list[ChatMessageTool] = []
    for message in reversed(messages):
        if isinstance(message, ChatMessageAssistant):
            break
        if isinstance(message, ChatMessageTool):
            found.append(message)
    return found[::-1]
