"""Messages of a span: in attributes, in events of the span or of logs, or flattened one attribute a field."""

from typing import Any

from msgspec import Raw

from headway.shapes.flattened import nested
from headway.shapes.message import Message, read_message
from headway.shapes.trace import Moment
from headway.shapes.values import Odd, Record, decoded, fields, inside, items, text
from headway.sources import Source

ROLES = {
    "gen_ai.system.message": "system", "gen_ai.user.message": "user", "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool", "gen_ai.choice": "assistant",
}  # fmt: skip
"""Events that tell one message each, and whose it is."""


def add_messages(moment: Moment, attributes: Record, found: list[Record]) -> None:
    """Add what a model was sent and what it said."""
    moment.sent = _unread(attributes.get("gen_ai.input.messages") or attributes.get("gen_ai.prompt"))
    moment.sent = moment.sent or _messages(nested(attributes, "gen_ai.prompt"), "user")
    said = _messages(attributes.get("gen_ai.output.messages") or attributes.get("gen_ai.completion"), "assistant")
    moment.said = said or _messages(nested(attributes, "gen_ai.completion"), "assistant")
    for event in found:
        _add_event(moment, event)


def read_sent(message: Raw | Record, source: Source) -> Message:
    """A message that a model was sent."""
    found = inside(message, source) if isinstance(message, Raw) else message
    if not isinstance(found, dict):
        return Message("")
    return read_message(found if "role" in found else {"role": "user", **found})


def _unread(value: object) -> list[Any]:
    """Messages as JSON text, decoded only when needed, or as objects."""
    listed = decoded(value, list[Raw] | dict[str, Any] | Odd)
    return listed if isinstance(listed, list) else _messages(listed, "user")


def _messages(value: object, role: str) -> list[Record]:
    """Messages as JSON text or as they are."""
    value = decoded(value)
    listed = value if isinstance(value, list) else [value]
    return [item if "role" in item else {"role": role, **item} for item in listed if isinstance(item, dict)]


def _add_event(moment: Moment, event: Record) -> None:
    """An event that tells one message; where content was not recorded there is none."""
    name, attributes = text(event.get("name")), fields(event.get("attributes"))
    if name == "gen_ai.client.inference.operation.details":
        moment.sent = moment.sent or _unread(attributes.get("gen_ai.input.messages"))
        moment.said = moment.said or _messages(attributes.get("gen_ai.output.messages"), "assistant")
    role = ROLES.get(name)
    if role is None:
        return
    body = fields(event.get("body")) or fields(decoded(attributes.get("gen_ai.event.content"))) or attributes
    body = fields(body.get("message")) or body
    if role == "tool" and body.get("content") is None:
        return
    calls = [
        call
        for call in items(body.get("tool_calls"))
        if fields(fields(call).get("function")).get("arguments") is not None
    ]
    message = {**body, "role": role, "tool_call_id": body.get("id"), "tool_calls": calls}
    (moment.said if name == "gen_ai.choice" else moment.sent).append(message)
