"""Google ADK: a plugin of the runner."""

from typing import Any, Unpack

from headway.hosts.frameworks.conversation import Conversation, Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("google-adk", "google-adk", "1.20", "3")

from google.adk.models import LlmRequest, LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.genai import types


class HeadwayPlugin(BasePlugin):
    """Watches every agent of a runner; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        super().__init__(name="headway")
        self.conversations = Conversations(**options)

    @harmless
    async def before_agent_callback(self, *, agent: Any, callback_context: Any) -> None:
        """An invocation begins with the user's word; an agent may begin several times in it."""
        conversation, content = self._of(callback_context), callback_context.user_content
        if conversation.read_up_to != callback_context.invocation_id:
            conversation.read_up_to = callback_context.invocation_id
            conversation.user_spoke(content.parts if content else "")

    @harmless
    async def before_model_callback(self, *, callback_context: Any, llm_request: LlmRequest) -> LlmResponse | None:
        """Answer in the model's place when the run is over, or tell the model what it should be told."""
        conversation = self._of(callback_context)
        advice = conversation.before_model()
        if conversation.stopped is not None:
            return LlmResponse(
                content=_content("model", conversation.last_words),
                custom_metadata={"headway": conversation.stopped.reason},
            )
        if advice:
            llm_request.contents.append(_content("user", advice))
        return None

    @harmless
    async def after_model_callback(self, *, callback_context: Any, llm_response: LlmResponse) -> None:
        """Note what the model used and said."""
        conversation, used = self._of(callback_context), llm_response.usage_metadata
        if used:
            conversation.used(used.prompt_token_count, used.candidates_token_count)
        if llm_response.content and not llm_response.partial:
            conversation.agent_spoke(llm_response.content.parts)

    @harmless
    async def before_tool_callback(self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any) -> Any:
        """Watch a call, or answer in its place."""
        refusal = self._of(tool_context).called(tool.name, tool_args, _call(tool, tool_context))
        return {"error": refusal} if refusal else None

    @harmless
    async def after_tool_callback(self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any, result: Any) -> Any:
        """Record a result and append the nudge, if any."""
        conversation = self._of(tool_context)
        conversation.returned(_call(tool, tool_context), result)
        advice = conversation.advice()
        if advice is None:
            return None
        return {**(result if isinstance(result, dict) else {"result": result}), "headway": advice}

    @harmless
    async def on_tool_error_callback(
        self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any, error: Exception
    ) -> None:
        """Record a failure. The framework handles it."""
        self._of(tool_context).returned(_call(tool, tool_context), repr(error), failed=True)

    def _of(self, context: Any) -> Conversation:
        """An agent of a session; one that runs in a branch of its own, beside others, is watched apart."""
        branch = getattr(context._invocation_context, "branch", None)
        return self.conversations.of(context.session.id, context.agent_name, branch)


def _call(tool: Any, context: Any) -> str:
    return str(context.function_call_id or tool.name)


def _content(role: str, text: str) -> types.Content:
    return types.Content(role=role, parts=[types.Part(text=text)])
