"""PydanticAI: a capability that wraps tool calls and model requests."""

from typing import Any, Unpack

from headway.core.decision import Decision
from headway.hosts.frameworks.conversation import Conversation, Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("pydantic-ai", "pydantic-ai-slim", "2.0", "3")

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import AgentRunError, ApprovalRequired, CallDeferred
from pydantic_ai.messages import ModelResponse, ToolCallPart


class RunStopped(AgentRunError):
    """Headway ended the run: `decision` has the reason."""

    def __init__(self, conversation: Conversation) -> None:
        super().__init__(conversation.last_words)
        self.decision: Decision | None = conversation.stopped


class Headway(AbstractCapability[Any]):
    """Watches the runs of an agent; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)

    @harmless
    async def before_run(self, ctx: RunContext[Any]) -> None:
        """A run begins with the user's word."""
        self._of(ctx).user_spoke(ctx.prompt)

    async def before_model_request(self, ctx: RunContext[Any], request_context: Any) -> Any:
        """Stop; otherwise the calls that come next were asked for together."""
        self._note_request(ctx)
        if (conversation := self._of(ctx)).stopped is not None:
            raise RunStopped(conversation)
        return request_context

    async def after_model_request(self, ctx: RunContext[Any], *, request_context: Any, response: ModelResponse) -> Any:
        """Note what the model used and said."""
        self._note_response(ctx, response)
        return response

    async def wrap_tool_execute(
        self, ctx: RunContext[Any], *, call: ToolCallPart, tool_def: Any, args: Any, handler: Any
    ) -> Any:
        """Watch one call, or answer in its place."""
        conversation = self._of(ctx)
        if refusal := conversation.called(call.tool_name, call.args, call.tool_call_id):
            return refusal
        try:
            result = await handler(args)
        except (ApprovalRequired, CallDeferred):  # the call comes again, or its result does
            raise
        except Exception as error:
            conversation.returned(call.tool_call_id, str(error) or repr(error), failed=True)
            self._advise(ctx)
            raise
        conversation.returned(call.tool_call_id, result)
        self._advise(ctx)
        return result

    @harmless
    def _note_request(self, ctx: RunContext[Any]) -> None:
        if advice := self._of(ctx).before_model():
            ctx.enqueue(advice)

    @harmless
    def _note_response(self, ctx: RunContext[Any], response: ModelResponse) -> None:
        conversation = self._of(ctx)
        conversation.used(response.usage.input_tokens, response.usage.output_tokens)
        conversation.agent_spoke(response.text or "")

    @harmless
    def _advise(self, ctx: RunContext[Any]) -> None:
        """What is queued during a call follows its result in the model's next input, and stays in the history."""
        if advice := self._of(ctx).advice():
            ctx.enqueue(advice)

    def _of(self, ctx: RunContext[Any]) -> Conversation:
        return self.conversations.of(ctx.conversation_id or ctx.run_id, ctx.agent.name if ctx.agent else "")
