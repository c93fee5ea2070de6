"""weakincentives: a tool policy, a provider of feedback, and a subscriber to the session's events."""

from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Unpack
from uuid import uuid4
from weakref import WeakSet

from headway.hosts.frameworks.conversation import Conversation, as_text
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require, require_python
from headway.hosts.stopped import RunStopped as AnyRunStopped

require_python("weakincentives", 12)
require("weakincentives", "weakincentives", "0.27", "1")

from weakincentives import Deadline
from weakincentives.adapters import PromptEvaluationError, ProviderAdapter
from weakincentives.prompt import Feedback, FeedbackContext, FeedbackProviderConfig, FeedbackTrigger, PolicyDecision
from weakincentives.runtime.events import PromptExecuted, PromptRendered, ToolInvoked
from weakincentives.serde import dump

CUT = 1000
"""An event carries this much of a tool's rendered output."""

_checked: ContextVar[tuple[str, str]] = ContextVar("headway_checked")
"""The (tool, id) of the call that was allowed here: its event comes from the same thread, without our id."""


class RunStopped(PromptEvaluationError, AnyRunStopped):
    """Headway ended the evaluation: `decision` has the reason, `response` what the model still answered."""

    def __init__(self, conversation: Conversation, prompt_name: str, response: Any) -> None:
        super().__init__(conversation.last_words, prompt_name=prompt_name, phase="tool")  # type: ignore[call-arg]
        self.decision = conversation.stopped or self.decision
        self.response = response


class Headway:
    """Watches prompts whose policies include it and whose feedback providers include its `feedback`."""

    name = "headway"

    def __init__(self, **options: Unpack[Options]) -> None:
        self.conversations = Conversations(**options)
        self.feedback = FeedbackProviderConfig(provider=self, trigger=FeedbackTrigger(every_n_calls=1))
        self._subscribed: WeakSet[Any] = WeakSet()

    def watch(self, adapter: ProviderAdapter) -> ProviderAdapter:
        """The same adapter, watched: it raises `RunStopped` when Headway has ended the evaluation."""
        return _Watched(adapter, self)

    def of(self, session: Any, prompt: Any) -> Conversation:
        """The conversation of a prompt in a session; its `monitor.session` answers queries about the run."""
        return self.conversations.of(session.session_id, _name(prompt))

    @harmless
    def subscribe(self, session: Any) -> None:
        """Follow what happens in a session (a watched adapter does this by itself)."""
        if session.dispatcher not in self._subscribed:
            self._subscribed.add(session.dispatcher)
            for event, handler in (
                (PromptRendered, self._begin),
                (ToolInvoked, self._tool),
                (PromptExecuted, self._end),
            ):
                session.dispatcher.subscribe(event, handler)

    def check(self, tool: Any, params: Any, *, context: Any) -> PolicyDecision:
        """As a policy: let a call run, or deny it with the reason."""
        refusal = self._called(tool, params, context)
        return PolicyDecision.deny(refusal) if refusal else PolicyDecision.allow()

    def on_result(self, tool: Any, params: Any, result: Any, *, context: Any) -> None:
        """As a policy: do nothing, because the event has more details."""

    def should_run(self, *, context: FeedbackContext) -> bool:
        """As a provider of feedback: is there something to say?"""
        conversation = self.of(context.session, context.prompt)
        return conversation.stopped is not None or conversation.has_advice

    def provide(self, *, context: FeedbackContext) -> Feedback:
        """As a provider of feedback: say it."""
        conversation = self.of(context.session, context.prompt)
        said = conversation.last_words if conversation.stopped else conversation.advice()
        return Feedback(provider_name=self.name, summary=said or "", severity="warning")

    @harmless
    def _called(self, tool: Any, params: Any, context: Any) -> str | None:
        call = uuid4().hex
        _checked.set((tool.name, call))
        args = {} if params is None else dump(params)
        return self.of(context.session, context.prompt).called(tool.name, args, call)

    @harmless
    def _tool(self, event: ToolInvoked) -> None:
        conversation = self.conversations.of(event.session_id, event.prompt_name)
        tool, call = _checked.get(("", ""))
        _checked.set(("", ""))
        if tool != event.name:  # a tool of the provider's own, which no policy sees before it runs
            call = event.call_id or str(event.event_id)
            conversation.called(event.name, event.params, call)
        output = event.rendered_output if len(event.rendered_output) < CUT else str(event.result)
        conversation.returned(call, output, True if getattr(event.result, "success", None) is False else None)

    @harmless
    def _begin(self, event: PromptRendered) -> None:
        name = event.prompt_name or f"{event.prompt_ns}:{event.prompt_key}"
        self.conversations.of(event.session_id, name).user_spoke(event.rendered_prompt)

    @harmless
    def _end(self, event: PromptExecuted) -> None:
        conversation = self.conversations.of(event.session_id, event.prompt_name)
        stopped = conversation.stopped
        if event.usage:
            conversation.used(event.usage.input_tokens, event.usage.output_tokens)
        conversation.agent_spoke(as_text(event.result))
        conversation.stopped = stopped  # the answer exists: a budget that it used up counts from the next call on


class _Watched(ProviderAdapter):
    """An adapter whose evaluations are watched."""

    def __init__(self, adapter: ProviderAdapter, headway: Headway) -> None:
        self._adapter, self._headway = adapter, headway

    @property
    def adapter_name(self) -> str:
        return str(self._adapter.adapter_name)

    def evaluate(self, prompt: Any, *, session: Any, deadline: Any = None, budget: Any = None, **options: Any) -> Any:
        self._headway.subscribe(session)
        conversation = self._headway.of(session, prompt)
        conversation.resume()
        response = None
        deadline = deadline or (budget.deadline if budget else None)
        until = _until_stopped(deadline, conversation) or deadline
        try:
            response = self._adapter.evaluate(prompt, session=session, deadline=until, budget=budget, **options)
        except PromptEvaluationError:
            if conversation.stopped is None:
                raise
        if conversation.stopped is not None:
            raise RunStopped(conversation, _name(prompt), response)
        return response


class _Clock:
    """A clock that shows the end of time once the evaluation is stopped."""

    def __init__(self, clock: Any, conversation: Conversation) -> None:
        self._clock, self._conversation = clock, conversation

    def utcnow(self) -> datetime:
        return datetime.max.replace(tzinfo=UTC) if self._conversation.stopped else self._clock.utcnow()


@harmless
def _until_stopped(deadline: Any, conversation: Conversation) -> Any:
    """Adapters check only the deadline while they wait for the model, so a stop is an expired deadline."""
    deadline = deadline or Deadline(expires_at=datetime.now(UTC) + timedelta(days=365))
    return replace(deadline, clock=_Clock(deadline.clock, conversation))


def _name(prompt: Any) -> str:
    return prompt.name or f"{prompt.ns}:{prompt.key}"
