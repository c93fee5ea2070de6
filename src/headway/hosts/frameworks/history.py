"""A conversation that is only known from what its model is sent: each request has all of it again."""

from collections.abc import Iterable

import msgspec

from headway.hosts.frameworks.conversation import Conversation
from headway.rolling.digest import digest
from headway.shapes.message import Message

ADVICE = "[headway] "


def without_advice(message: Message) -> Message:
    """A message without what Headway has added to it."""
    for result in message.results:
        result.output = _before_advice(result.output)
    message.texts = [said for text in message.texts if (said := _before_advice(text))]
    return message


def chained(messages: Iterable[Message]) -> list[int]:
    """For each message a digest of everything up to it."""
    found: list[int] = []
    for message in messages:
        found.append(digest(f"{found[-1] if found else 0} {msgspec.json.encode(message).decode()}"))
    return found


def unread(conversation: Conversation, messages: list[Message]) -> list[Message]:
    """The messages that are new. In a history that was rewritten, only calls and results that are not known."""
    now = chained(messages)
    count, before = conversation.read_up_to or (0, 0)
    conversation.read_up_to = (len(now), now[-1])
    if not count or (count <= len(now) and now[count - 1] == before):
        return messages[count:]
    knows = conversation.monitor.session.pairing.knows
    known = [not any(knows(call.id) for call in message.calls) for message in messages]
    ends_with_user = messages[-1].role == "user" and not messages[-1].results
    kept = [
        msgspec.structs.replace(message, texts=[])
        for message, is_new in zip(messages[: len(messages) - ends_with_user], known, strict=False)
        if is_new
    ]
    return [*kept, *messages[len(messages) - ends_with_user :]]


def told(conversation: Conversation, messages: list[Message]) -> None:
    """Tell a conversation what is in these messages. Calls in one message were asked for together."""
    for number, message in enumerate(messages):
        for result in message.results:
            conversation.returned(result.call, result.output, result.failed)
        if message.role == "user" and message.texts and not message.results:
            conversation.user_spoke("\n".join(message.texts))
        elif message.role == "agent" and message.texts:
            conversation.agent_spoke("\n".join(message.texts))
        batch = f"{conversation.read_up_to[0]}.{number}"
        for call in message.calls:
            conversation.called(call.tool, call.args, call.id, batch)


def _before_advice(text: str) -> str:
    at = 0 if text.startswith(ADVICE) else text.find(f"\n\n{ADVICE}")
    return text if at < 0 else text[:at]
