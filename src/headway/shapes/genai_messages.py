"""Messages of a span: in attributes, in events of the span or of logs, or flattened one attribute a field."""

from typing import Any

from msgspec import Raw

from headway.rolling.forgiving import FAULTS, from_json
from headway.shapes.flattened import nested
from headway.shapes.message import Message, read_message
from headway.shapes.span_names import MESSAGES
from headway.shapes.trace import Moment
from headway.shapes.values import Odd, Record, decoded, fields, items, text

_NEEDED = {"tool_call": ("arguments", "args", "input"), "tool_call_response": ("response", "result", "content")}
"""Names of the content, by the type of a part."""
_FLAT = ("gen_ai.prompt.", "gen_ai.completion.")


def add_messages(moment: Moment, attributes: Record, found: list[Record]) -> None:
    """Add the input and the output of a model."""
    if sent := attributes.get("gen_ai.input.messages") or attributes.get("gen_ai.prompt"):
        moment.sent = _unread(sent)
    if said := attributes.get("gen_ai.output.messages") or attributes.get("gen_ai.completion"):
        moment.said = _messages(said, "assistant")
    if not (moment.sent and moment.said) and any(name.startswith(_FLAT) for name in attributes):
        moment.sent = moment.sent or _messages(nested(attributes, "gen_ai.prompt"), "user")
        moment.said = moment.said or _messages(nested(attributes, "gen_ai.completion"), "assistant")
    for event in found:
        _add_event(moment, event)


def read_sent(message: Raw | Record) -> Message:
    """A message that a model was sent."""
    try:
        found = from_json(message, object) if isinstance(message, Raw) else message
    except FAULTS:
        return Message("")
    if not isinstance(found, dict):
        return Message("")
    return read_message(_recorded(found if "role" in found else {"role": "user", **found}))


def _unread(value: object) -> list[Any]:
    """Messages as JSON text, decoded only when needed, or as objects."""
    listed = decoded(value, list[Raw] | dict[str, Any] | Odd)
    return listed if isinstance(listed, list) else _messages(listed, "user")


def _messages(value: object, role: str) -> list[Record]:
    """Messages as JSON text or as they are."""
    value = decoded(value)
    listed = value if isinstance(value, list) else [value]
    return [_recorded(item if "role" in item else {"role": role, **item}) for item in listed if isinstance(item, dict)]


def _recorded(message: Record) -> Record:
    """A message without those calls and results of which only the ids were recorded, because they would look equal."""
    parts = message.get("parts")
    if not isinstance(parts, list) or all(map(_has_content, parts)):
        return message
    said = [part for part in parts if _has_content(part)]
    return {**message, "parts": said} if said else {}


def _has_content(part: object) -> bool:
    needed = _NEEDED.get(text(fields(part).get("type")))
    return needed is None or any(fields(part).get(name) is not None for name in needed)


def tool_events(found: list[Record]) -> tuple[Record | None, Any]:
    """The arguments and the result of a tool, if they are in events of its span."""
    scratch = Moment("")
    given: Record | None = None
    for event in found:
        name, attributes = text(event.get("name")), fields(event.get("attributes"))
        if name == "gen_ai.tool.message" and given is None:
            given = fields(decoded(attributes.get("content"))) or None
        _add_event(scratch, event)
    calls = [call for message in map(read_sent, scratch.sent) for call in message.calls]
    answers = [result.output for message in map(read_message, scratch.said) for result in message.results]
    said = [decoded(message.get("content")) for message in scratch.said]
    return given or (calls[0].args if calls else None), answers[0] if answers else said[0] if said else None


def _add_event(moment: Moment, event: Record) -> None:
    """Add an event with one message; if content was not recorded, there are no such events."""
    name, attributes = text(event.get("name")), fields(event.get("attributes"))
    if name == "gen_ai.client.inference.operation.details":
        moment.sent = moment.sent or _unread(attributes.get("gen_ai.input.messages"))
        moment.said = moment.said or _messages(attributes.get("gen_ai.output.messages"), "assistant")
    role = MESSAGES.get(name)
    if role is None:
        return
    body = fields(event.get("body")) or fields(decoded(attributes.get("gen_ai.event.content"))) or attributes
    body = fields(body.get("message")) or body
    content = decoded(body.get("content") if "content" in body else body.get("message"))
    if role == "tool" and content is None:
        return
    calls = [
        call
        for call in items(body.get("tool_calls"))
        if fields(fields(call).get("function")).get("arguments") is not None
    ]
    content = content if isinstance(content, list) else body.get("content", body.get("message"))
    message = {**body, "role": role, "content": content, "tool_call_id": body.get("id"), "tool_calls": calls}
    (moment.said if name == "gen_ai.choice" else moment.sent).append(message)
