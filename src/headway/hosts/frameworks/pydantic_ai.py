"""PydanticAI: a capability that wraps tool calls and model requests."""

from typing import Any, Unpack

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require
from headway.hosts.stopped import RunStopped as AnyRunStopped

require("pydantic-ai", "pydantic-ai-slim", "2.0", "3")

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import AgentRunError, ApprovalRequired, CallDeferred
from pydantic_ai.messages import ModelRequest, ModelResponse, RetryPromptPart, ToolCallPart


class RunStopped(AgentRunError, AnyRunStopped):
    """Headway ended the run: `decision` has the reason."""

    def __init__(self, conversation: Conversation) -> None:
        super().__init__(conversation.last_words)
        self.decision = conversation.stopped or self.decision


class Headway(AbstractCapability[Any]):
    """Watches the runs of an agent; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)

    @harmless
    async def before_run(self, ctx: RunContext[Any]) -> None:
        """A run begins with a message of the user. Without one, it continues with approvals or results of calls."""
        if ctx.prompt is not None:
            self._of(ctx).user_spoke(ctx.prompt)

    async def before_model_request(self, ctx: RunContext[Any], request_context: Any) -> Any:
        """Stop; otherwise the calls that follow are one batch."""
        self._note_rejected(ctx, request_context.messages)
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
    def _note_rejected(self, ctx: RunContext[Any], messages: list[Any]) -> None:
        """Note calls that were not run at all: of unknown tools, or with arguments that are not valid."""
        conversation = self._of(ctx)
        results = messages[-1].parts if messages and isinstance(messages[-1], ModelRequest) else ()
        answers = {part.tool_call_id: part for part in results if getattr(part, "tool_name", None)}
        asked = (part for one in messages[-2:-1] for part in one.parts if isinstance(part, ToolCallPart))
        for call in asked:
            answer = answers.get(call.tool_call_id)
            if answer is not None and not conversation.monitor.session.pairing.knows(call.tool_call_id):
                said = answer.model_response() if isinstance(answer, RetryPromptPart) else answer.model_response_str()
                conversation.called(call.tool_name, call.args, call.tool_call_id)
                conversation.returned(call.tool_call_id, said, failed=True)

    @harmless
    def _note_request(self, ctx: RunContext[Any]) -> None:
        if advice := self._of(ctx).before_model():
            ctx.enqueue(advice)

    @harmless
    def _note_response(self, ctx: RunContext[Any], response: ModelResponse) -> None:
        conversation = self._of(ctx)
        used = response.usage
        conversation.used(
            used.input_tokens,
            used.output_tokens,
            model=response.model_name,
            cached=used.cache_read_tokens,
            written=used.cache_write_tokens,
        )
        conversation.agent_spoke(response.text or "")

    @harmless
    def _advise(self, ctx: RunContext[Any]) -> None:
        """Queue a nudge. It follows the call's result in the model's next input, and stays in the history."""
        if advice := self._of(ctx).advice():
            ctx.enqueue(advice)

    def _of(self, ctx: RunContext[Any]) -> Conversation:
        return self.conversations.of(ctx.conversation_id or ctx.run_id, ctx.agent.name if ctx.agent else "")
