"""Sessions of Continue: `~/.continue/sessions/<id>.json`, of the extension and of its command line `cn`."""

from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of, output_of, usage_of
from headway.shapes.tokens import with_cache
from headway.shapes.values import Record, amount, fields, items, text
from headway.sources import Head, Source

_KEYS = {"sessionId", "workspaceDirectory", "history"}
_OUTCOMES = {"done": False, "errored": True, "canceled": True}
"""States of a call that is over, and whether it failed. A call is canceled when a person does not allow it."""


class ContinueDev:
    """Sessions of Continue."""

    name = "continue"
    title = "Continue sessions"

    def recognises(self, head: Head) -> bool:
        """By a history beside the folder it was recorded in."""
        return head.first.keys() >= _KEYS

    def read(self, source: Source) -> Iterator[Event]:
        """One run. The format has no times."""
        file = source.document(dict[str, Any]) or {}
        talk = Conversation(text(file.get("sessionId")))
        model = fields(file.get("chatModelTitle")).get("title") or file.get("chatModelTitle")
        yield talk.started(model, "continue", file.get("workspaceDirectory"))
        told = 0.0
        for raw in items(file.get("history")):
            for event in _item(fields(raw), talk, file.get("workspaceDirectory")):
                told += event.cost_usd if isinstance(event, events.Used) else 0.0
                yield event
        yield from _rest(fields(file.get("usage")), talk, told, items(file.get("history")))


def _item(item: Record, talk: Conversation, root: object) -> Iterator[Event]:
    message = fields(item.get("message"))
    role, said = message.get("role"), output_of(message.get("content"))
    if role == "user" and said:
        yield events.UserSpoke(run=talk.run, text=said)
    elif role == "assistant":
        usage = fields(message.get("usage"))
        yield from talk.answered_by(usage.get("model"), "continue", root)
        if said:
            yield events.AgentSpoke(run=talk.run, text=said)
        states = [fields(state) for state in items(item.get("toolCallStates"))]
        batch = talk.turn()
        for state in states:
            call = fields(fields(state.get("toolCall")).get("function"))
            args = fields(state.get("parsedArgs")) or arguments_of(call.get("arguments"))
            yield talk.asked(text(state.get("toolCallId")), text(call.get("name")), args, batch)
        yield from talk.used(usage, amount(usage.get("cost_cents")) / 100)
        for state in states:
            yield from _result(state, talk)


def _result(state: Record, talk: Conversation) -> Iterator[Event]:
    status = text(state.get("status"))
    if status in _OUTCOMES:
        output = "\n".join(output_of(fields(part).get("content")) for part in items(state.get("output")))
        yield events.ToolReturned(
            run=talk.run,
            call=text(state.get("toolCallId")),
            output=output,
            failed=_OUTCOMES[status],
            denied=status == "canceled",
        )


def _rest(total: Record, talk: Conversation, told: float, history: list[Any]) -> Iterator[Event]:
    """The part of the session's cost that is not in its messages; its tokens, if no message has any."""
    counted = any(usage_of(fields(fields(item).get("message")).get("usage")) != (0, 0) for item in map(fields, history))
    tokens = {} if counted else with_cache(total.get("promptTokens"), total.get("completionTokens"))
    untold = amount(total.get("totalCost")) - told
    yield from talk.used(tokens, untold if untold > 1e-9 else 0)
