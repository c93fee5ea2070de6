"""AutoGen's AgentChat (0.4 and later), also Magentic-One: a `TaskResult` as JSON, or one message or event on each line.

A message names the agent that it is from. The agents of a team talk to each other, so all of them are one run.
"""

from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import arguments_of, output_of
from headway.shapes.values import Record, fields, items, text, values
from headway.sources import Head, Source, seconds

_SPOKEN = frozenset(
    ("TextMessage", "MultiModalMessage", "StopMessage", "HandoffMessage", "ToolCallSummaryMessage", "StructuredMessage")
)
_SILENT = frozenset((
    "CodeGenerationEvent", "CodeExecutionEvent", "MemoryQueryEvent", "ModelClientStreamingChunkEvent",
    "SelectSpeakerEvent", "SelectorEvent", "ThoughtEvent", "UserInputRequestedEvent",
))  # fmt: skip
_TYPES = {*_SPOKEN, *_SILENT, "ToolCallRequestEvent", "ToolCallExecutionEvent"}


class Autogen:
    """Runs of AutoGen's teams and agents."""

    name = "autogen"
    title = "AutoGen and Magentic-One messages (JSON or JSONL)"

    def recognises(self, head: Head) -> bool:
        """By messages of its types, which name their source."""
        first = head.first
        messages = items(first.get("messages")) if "stop_reason" in first else [first]
        message = fields(messages[0]) if messages else {}
        return message.get("type") in _TYPES and {"source", "models_usage"} <= message.keys()

    def read(self, source: Source) -> Iterator[Event]:
        """One run for each result; messages on lines of their own are one run."""
        talk, has_begun = Conversation(), False
        for value in values(source):
            for record in value if isinstance(value, list) else (value,):
                result = fields(record)
                if "stop_reason" in result and "messages" in result:
                    messages = items(result["messages"])
                    talk, has_begun = Conversation(_name(messages)), False
                else:
                    messages = [record]
                if not has_begun:
                    has_begun = True
                    yield talk.started(None, "autogen")
                yield from _events(messages, talk, source)


def _name(messages: list[object]) -> str:
    return text(fields(messages[0]).get("id")) if messages else ""


def _events(messages: list[object], talk: Conversation, source: Source) -> Iterator[Event]:
    for raw in messages:
        message = fields(raw)
        if text(message.get("type")) not in _TYPES:
            source.skip(f"unknown type {text(message.get('type'))!r}")
        else:
            yield from _message(message, talk, seconds(message.get("created_at")))


def _message(message: Record, talk: Conversation, at: float | None) -> Iterator[Event]:
    kind, content = message["type"], message.get("content")
    if kind == "ToolCallRequestEvent":
        batch = talk.turn()
        for call in map(fields, items(content)):
            yield talk.asked(
                text(call.get("id")), text(call.get("name")), arguments_of(call.get("arguments")), batch, at
            )
    elif kind == "ToolCallExecutionEvent":
        for result in map(fields, items(content)):
            failed = result.get("is_error")
            known = failed if isinstance(failed, bool) else None
            yield talk.answered(
                text(result.get("call_id")), text(result.get("name")), output_of(result.get("content")), known, None, at
            )
    elif kind in _SPOKEN and message.get("source") == "user":
        yield events.UserSpoke(run=talk.run, at=at, text=output_of(content))
    elif kind in _SPOKEN and kind != "ToolCallSummaryMessage":  # which repeats results
        yield events.AgentSpoke(run=talk.run, at=at, text=output_of(content))
    yield from talk.used(message.get("models_usage"), at=at)
