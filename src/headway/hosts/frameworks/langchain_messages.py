"""Reads messages, calls and Commands of LangChain and LangGraph. Only the adapter imports this, after its check."""

from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.types import Send

from headway.hosts.frameworks.conversation import Conversation, as_text
from headway.rolling.normalise import digest


def messages_in(state: Any) -> list[Any]:
    """The messages of a state, wherever the graph keeps them (`ToolNode(messages_key=…)`)."""
    if not isinstance(state, dict):
        state = {"messages": state} if isinstance(state, list) else vars(state)
    if "messages" in state:
        return state["messages"] or []
    return next((value for value in state.values() if _is_history(value)), [])


def _is_history(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[-1], BaseMessage)


def note_turn(conversation: Conversation, messages: list[Any]) -> None:
    """Begin a new turn if the user sent a message since the last look. Stores that message's id and the last one's."""
    if not messages:
        return
    users, seen = conversation.read_up_to or (None, None)
    message = _users_message(messages, seen)
    conversation.read_up_to = [users, messages[-1].id]
    if message is not None and users != (message.id or digest(message.text)):
        conversation.read_up_to = [message.id or digest(message.text), messages[-1].id]
        conversation.user_spoke(message.text)


def _users_message(messages: list[Any], seen: str | None = None) -> HumanMessage | None:
    """The user's latest message after the one that was seen. A summary does not count."""
    for message in reversed(messages):
        if seen is not None and message.id == seen:
            return None
        if isinstance(message, HumanMessage) and message.additional_kwargs.get("lc_source") != "summarization":
            return message
    return None


def users_words(messages: list[Any]) -> str:
    """What the user said last."""
    message = _users_message(messages)
    return str(message.text) if message is not None else ""


def receivers_of(command: Any) -> list[str]:
    """The nodes that a Command goes to."""
    goto = getattr(command, "goto", None) or ()
    return [str(getattr(one, "node", one)) for one in ([goto] if isinstance(goto, (str, Send)) else goto)]


def note_usage(conversation: Conversation, message: AIMessage) -> None:
    """Count what an answer of the model has used."""
    used: Any = message.usage_metadata or {}
    details = used.get("input_token_details") or {}
    conversation.used(
        used.get("input_tokens"),
        used.get("output_tokens"),
        model=message.response_metadata.get("model_name"),
        cached=details.get("cache_read"),
        written=details.get("cache_creation"),
    )


def id_of(call: Any) -> str:
    """The id of a call."""
    return str(call["id"] or call["name"])


def said_by(command: Any) -> str:
    """The text of the messages in a Command; if it has none, of its other changes."""
    update = getattr(command, "update", None)
    messages = update.get("messages", ()) if isinstance(update, dict) else ()
    return as_text(messages) or str(update)


def with_advice(content: str | list[Any], advice: str) -> str | list[Any]:
    """The content of a tool's result, with advice at its end."""
    if isinstance(content, str):
        return f"{content}\n\n{advice}"
    return [*content, {"type": "text", "text": advice}]
