"""LiteLLM: a callback for every model call that goes through it, in a program and in LiteLLM's proxy.

It sees the requests to the model, and reads calls and results from them: a tool has run before Headway sees its call.
"""

import json
import logging
from collections.abc import Callable
from functools import cache
from typing import Any, Unpack
from uuid import uuid4

from headway.hosts.frameworks.conversation import ONLY_TOLD, Conversation
from headway.hosts.frameworks.conversations import CONVERSATIONS, Conversations
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.history import Requests, Sent, chained, told, unread, without_advice
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require
from headway.hosts.stopped import RunStopped as AnyRunStopped
from headway.rolling.bounded import put
from headway.shapes.message import cached_of, read_message, usage_of

require("litellm", "litellm", "1.85", "2")

import litellm
from litellm.exceptions import BadRequestError
from litellm.integrations.custom_guardrail import ModifyResponseException
from litellm.integrations.custom_logger import CustomLogger

log = logging.getLogger("headway")

REQUESTS = 1_024
"""Requests that are remembered until they are answered."""
CHAT = ("completion", "acompletion", "anthropic_messages")
"""What is watched: calls that send messages."""
USER = ("user", "user_id", "user_api_key_hash", "user_api_key_user_id", "user_api_key_end_user_id")
"""Names of the fields for the user of a request, in a program and in the proxy, in the request and in its metadata."""
Place = tuple[str, int]
"""Identifies a conversation without a name: its user, and the digest of its latest request."""


class RunStopped(BadRequestError, AnyRunStopped):
    """Headway ended the run: `decision` has the reason. LiteLLM does not repeat a request that was bad."""

    def __init__(self, conversation: Conversation, model: str) -> None:
        BadRequestError.__init__(self, conversation.last_words, model, "headway")
        self.reason = conversation.last_words
        self.decision = conversation.stopped or self.decision


class Headway(CustomLogger):
    """Watches the conversations whose model calls go through LiteLLM; takes what `Monitor` takes."""

    def __init__(self, **options: Unpack[Options]) -> None:
        super().__init__()
        self.conversations = Conversations(ONLY_TOLD, **options)
        self._names: dict[Place, str] = {}
        """Conversations without a name from the program, by the user and the digest of the latest request."""
        self._sent = Requests()
        self._requests: dict[str, tuple[Conversation, str | None]] = {}
        """Requests by their id: the conversation, and what was added."""
        self._counted: dict[str, None] = {}
        """Requests whose usage is known."""
        self._answered: dict[str, int] = {}
        """The digest of the latest answered request, for each conversation without a name from the program."""
        self._given: dict[str, None] = {}
        """What was added to requests."""

    def completion(self, *args: Any, **kwargs: Any) -> Any:
        """A watched `litellm.completion`: LiteLLM's hooks cannot change or end a call that is not async."""
        names = ("model", "messages")[: len(args)]
        kwargs |= dict(zip(names, args, strict=False))
        kwargs.setdefault("litellm_call_id", uuid4().hex)
        response = litellm.completion(**self._before(kwargs))
        if not kwargs.get("stream"):
            self._note_used(kwargs["litellm_call_id"], response, None)
        return response

    async def async_pre_call_deployment_hook(self, kwargs: dict[str, Any], call_type: Any) -> dict[str, Any] | None:
        """Before a request of a program: record what is new in it, then nudge or stop."""
        return self._before(kwargs) if getattr(call_type, "value", call_type) in CHAT else None

    async def async_pre_call_hook(
        self, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: str
    ) -> Any:
        """Before a request at the proxy: the same, but a stop is the answer, so that any client ends its run."""
        try:
            return self._before(data) if call_type in CHAT else None
        except RunStopped as stop:
            raise ModifyResponseException(stop.reason, stop.model or "", data, "headway") from None

    async def async_post_call_success_deployment_hook(self, request_data: Any, response: Any, call_type: Any) -> None:
        """After a request that was not streamed: what it used."""
        self._note_used(request_data.get("litellm_call_id"), response, None)

    async def async_log_success_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
        """After a streamed request, some time later: what it used."""
        self._note_used(kwargs.get("litellm_call_id"), response_obj, kwargs.get("response_cost"))

    def log_success_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
        """After a request that was not async."""
        if kwargs.get("call_type") == "completion" and kwargs.get("litellm_call_id") not in self._requests:
            _warn("litellm.completion: call the method `completion` of Headway, or litellm.acompletion")
        self._note_used(kwargs.get("litellm_call_id"), response_obj, kwargs.get("response_cost"))

    def _before(self, kwargs: dict[str, Any]) -> dict[str, Any]:
        """The request with what the model should be told; raises if the run is over."""
        found = self._read(kwargs)
        if found is None:
            return kwargs
        conversation, advice = found
        if conversation.stopped is not None:
            raise RunStopped(conversation, str(kwargs.get("model") or ""))
        return (_advised(kwargs, advice) if advice else None) or kwargs

    @harmless
    def _read(self, kwargs: dict[str, Any]) -> tuple[Conversation, str | None] | None:
        """The conversation of a request, and what the model should be told in it. The same request may come again."""
        request, sent = kwargs.get("litellm_call_id") or "", kwargs.get("messages")
        if request in self._requests:
            return self._requests[request]
        if not isinstance(sent, list) or not sent:
            _warn("a call whose argument `messages` has no name: write messages=…")
            return None
        conversation = self._take_in(kwargs, sent, *self._sent.known(sent)) or self._take_in(kwargs, sent, 0, 0)
        if conversation is None:
            return None
        found = conversation, conversation.before_model()
        if found[1]:
            put(self._given, found[1], None, REQUESTS)
        if request:
            put(self._requests, request, found, REQUESTS)
        return found

    def _take_in(self, kwargs: dict[str, Any], sent: list[Any], count: int, before: int) -> Conversation | None:
        """Report what is new to the conversation; None if the first `count` messages, known by digest, are needed."""
        messages = [without_advice(read_message(_plain(one)), self._given) for one in sent[count:]]
        read = Sent(messages, chained(messages, before), count, before)
        conversation = self._of(kwargs, read)
        new = None if conversation is None else unread(conversation, read)
        if conversation is None or new is None:
            return None
        self._sent.note(sent, read)
        told(conversation, new)
        return conversation

    def _of(self, kwargs: dict[str, Any], sent: Sent) -> Conversation | None:
        """The conversation of the named session; without a name, the one whose messages the request begins with."""
        places = [one for one in map(kwargs.get, ("metadata", "litellm_metadata")) if isinstance(one, dict)] + [kwargs]
        for place in places:
            if name := place.get("session_id") or place.get("litellm_session_id"):
                return self.conversations.of(str(name), str(place.get("agent") or ""))
        user = json.dumps([str(place.get(name) or "") for place in places for name in USER])
        known = ((user, one) for one in (*reversed(sent.digests), sent.before))
        last = next((one for one in known if one in self._names), None)
        if last and last[1] == sent.digest == self._answered.get(self._names[last]):
            last = None
        if last is None and sent.skipped:
            return None
        return self._continued(last, (user, sent.digest))

    def _continued(self, last: Place | None, now: Place) -> Conversation:
        """The conversation that moves from the last place to this one; a new one if there is no last place.

        The same messages again may be a retry, or come from another user. So they get a copy of the conversation, and
        the usage of both requests is never added up.
        """
        before = None if last is None else self.conversations.of(self._names.pop(last))
        conversation = before
        if conversation is None or last == now:
            conversation = self.conversations.of(uuid4().hex)
            conversation.restore(before.saved() if before else None)
            put(self._answered, conversation.id, 0, REQUESTS)
        put(self._names, now, conversation.id, CONVERSATIONS)
        return conversation

    @harmless
    def _note_used(self, request: str | None, response: Any, cost: float | None) -> None:
        """Count a request once."""
        found, usage = self._requests.get(request or ""), getattr(response, "usage", None)
        if not request or found is None or usage is None or request in self._counted:
            return
        put(self._counted, request, None, REQUESTS)
        if found[0].read_up_to and found[0].id in self._answered:
            put(self._answered, found[0].id, found[0].read_up_to[1], REQUESTS)
        given = _plain(usage)
        cached, written = cached_of(given)
        cost = cost or getattr(response, "_hidden_params", {}).get("response_cost")  # LiteLLM's own sum
        if cost is None and found[0].monitor.session.limits.max_cost_usd is not None:
            cost = _cost(response)  # finding the price takes longer than everything else here
        found[0].used(*usage_of(given), cost, model=response.model, cached=cached, written=written)


@harmless
def _advised(kwargs: dict[str, Any], advice: str) -> dict[str, Any]:
    """The request with advice at the end of its last message."""
    sent = kwargs["messages"]
    last = {**_plain(sent[-1])}
    said = last.get("content")
    if isinstance(said, list):
        if not any(isinstance(part, dict) and part.get("text") == advice for part in said):
            last["content"] = [*said, {"type": "text", "text": advice}]
    elif not (said or "").endswith(advice):
        last["content"] = f"{said}\n\n{advice}" if said else advice
    return {**kwargs, "messages": [*sent[:-1], last]}


def _plain(value: Any) -> dict[str, Any]:
    """A message or usage of any class as a dict."""
    dump: Callable[..., dict[str, Any]] | None = getattr(value, "model_dump", None)
    return value if dump is None else dump(exclude_none=True)


def _cost(response: Any) -> float | None:
    try:
        return float(litellm.completion_cost(response))
    except Exception:  # a model without a price
        return None


@cache
def _warn(what: str) -> None:
    log.warning("Through LiteLLM, Headway cannot watch %s.", what)
