"""Google ADK: a plugin of the runner."""

from base64 import b64decode, b64encode
from typing import Any, Unpack

from headway.hosts.frameworks.conversation import Conversation, Question
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require

require("google-adk", "google-adk", "1.20", "3")

from google.adk.models import LlmRequest, LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.genai import types

SESSION = "session"
"""Name of the store that a runner has already."""


class Headway(BasePlugin):
    """Watches every agent of a runner; takes what `Monitor` takes.

    With `store="session"`, from ADK 2.0 on, Headway's state is stored in the state of the session.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        super().__init__(name="headway")
        self._is_kept = options.get("store") == SESSION
        if self._is_kept:
            require("google-adk", "google-adk", "2.0", "3")  # before, what a plugin put into the state was lost
            options["store"] = None
        self.conversations = Conversations(**options)

    @harmless
    async def before_agent_callback(self, *, agent: Any, callback_context: Any) -> None:
        """An invocation begins with a message of the user or the answer to a question; an agent may begin it again."""
        conversation, content = self._of(callback_context), callback_context.user_content
        if conversation.read_up_to != callback_context.invocation_id:
            conversation.read_up_to = callback_context.invocation_id
            if not (content and content.parts and all(part.function_response for part in content.parts)):
                conversation.user_spoke(content.parts if content else "")

    @harmless
    async def before_model_callback(self, *, callback_context: Any, llm_request: LlmRequest) -> LlmResponse | None:
        """Answer in the model's place when the run is over, or tell the model what it should be told."""
        conversation = self._of(callback_context)
        advice = conversation.before_model()
        if conversation.stopped is not None:
            self._keep(callback_context, conversation)
            return LlmResponse(
                content=_content("model", conversation.last_words),
                custom_metadata={"headway": conversation.stopped.reason},
            )
        if advice:
            llm_request.contents.append(_content("user", advice))
        return None

    @harmless
    async def after_model_callback(self, *, callback_context: Any, llm_response: LlmResponse) -> None:
        """Record the model's usage and answer. Parts of a stream have the usage so far; the whole answer comes last."""
        if llm_response.partial:
            return
        conversation, used = self._of(callback_context), llm_response.usage_metadata
        if used:
            conversation.used(
                used.prompt_token_count,
                used.candidates_token_count,
                model=getattr(llm_response, "model_version", None) or _model(callback_context),
                cached=used.cached_content_token_count,
            )
        if llm_response.content:
            conversation.agent_spoke(llm_response.content.parts)
        self._keep(callback_context, conversation)

    @harmless
    async def before_tool_callback(self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any) -> Any:
        """Watch a call, or answer in its place."""
        conversation = self._of(tool_context)
        refusal = conversation.called(tool.name, tool_args, _call(tool, tool_context), can_ask=True)
        if isinstance(refusal, Question):
            answer = tool_context.tool_confirmation
            if answer is None:
                tool_context.request_confirmation(hint=str(refusal))
                tool_context.actions.skip_summarization = True  # the run pauses here, as with the framework's own tools
                self._keep(tool_context, conversation)
                return {"error": "This call waits for a person to confirm it."}
            refusal = conversation.answered(_call(tool, tool_context), may_run=bool(answer.confirmed))
        if refusal is None:
            return None
        self._keep(tool_context, conversation)
        return {"error": refusal}

    @harmless
    async def after_tool_callback(self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any, result: Any) -> Any:
        """Record a result and append the nudge, if any."""
        conversation = self._of(tool_context)
        conversation.returned(_call(tool, tool_context), result)
        advice = conversation.advice()
        self._keep(tool_context, conversation)
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
        """The conversation of an agent; an agent that runs in its own branch, beside others, is watched separately."""
        branch = getattr(context._invocation_context, "branch", None)
        conversation = self.conversations.of(context.session.id, context.agent_name, branch)
        if self._is_kept and (kept := context.state.get(_name(conversation))):
            conversation.follow((kept["events"], b64decode(kept["state"])))
        return conversation

    def _keep(self, context: Any, conversation: Conversation) -> None:
        """Put Headway's state into the state of the session, which may be stored as JSON."""
        if self._is_kept:
            events, state = conversation.keep()
            context.state[_name(conversation)] = {"events": events, "state": b64encode(state).decode()}


HeadwayPlugin = Headway
"""The old name."""


def _name(conversation: Conversation) -> str:
    return f"headway {conversation.agent}"


def _model(context: Any) -> str | None:
    """The name of the agent's model, if it is given by name."""
    model = getattr(context._invocation_context.agent, "model", None)
    return model if isinstance(model, str) else getattr(model, "model", None)


def _call(tool: Any, context: Any) -> str:
    return str(context.function_call_id or tool.name)


def _content(role: str, text: str) -> types.Content:
    return types.Content(role=role, parts=[types.Part(text=text)])
