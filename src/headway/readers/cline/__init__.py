"""Cline, Roo Code and Kilo Code: the folder of a task, its `ui_messages.json` alone, or a session of Cline's SDK.

The extensions keep a folder for each task (`…/globalStorage/<extension>/tasks/<id>/`). Cline's command line and SDK
keep `~/.cline/data/sessions/<id>/<id>.messages.json`, with the model, tokens and cost of each answer.
"""

from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.readers.cline.task import HISTORY, SCREEN, read_screen, read_task
from headway.shapes.conversation import Conversation
from headway.shapes.message import read_message
from headway.shapes.tokens import with_cache
from headway.shapes.values import Record, decoded, fields, items, text
from headway.sources import Head, Source, seconds

_TURN = "<user_input"


class Cline:
    """Tasks and sessions of Cline and its relatives."""

    name = "cline"
    title = "Cline, Roo Code and Kilo Code tasks"

    def recognises(self, head: Head) -> bool:
        """By the two files of a task, by messages that say or ask, or by a session with its agent and origin."""
        if not head.data:
            return {HISTORY, SCREEN} <= set(head.names)
        first = head.first
        if {"sessionId", "agent", "messages"} <= first.keys():
            return "origin" in first or "system_prompt" in first or first.get("agent") == "lead"
        return "ts" in first and first.get("type") in ("say", "ask") and text(first.get("type")) in first

    def read(self, source: Source) -> Iterator[Event]:
        """One run."""
        if source.is_folder:
            return read_task(source)
        return _session(source) if "messages" in source.head().first else read_screen(source)


def _session(source: Source) -> Iterator[Event]:
    file = source.document(dict[str, Any]) or {}
    agent = text(file.get("agent"))
    talk = Conversation(text(file.get("sessionId")), "" if agent == "lead" else agent)
    yield talk.started(None, "cline")
    for raw in items(file.get("messages")):
        message, at = fields(raw), seconds(fields(raw).get("ts"))
        yield from talk.answered_by(fields(message.get("modelInfo")).get("id"), "cline", at=at)
        yield from _message(message, talk, at)
        yield from _used(fields(message.get("metrics")), talk, at)


def _message(raw: Record, talk: Conversation, at: float | None) -> Iterator[Event]:
    message = read_message(raw)
    outcomes = [_outcome(block) for block in items(raw.get("content")) if fields(block).get("type") == "tool_result"]
    for result, failed in zip(message.results, outcomes, strict=False):
        result.failed = result.failed if failed is None else failed
    message.texts = [_words(said) for said in message.texts]
    yield from talk.take(message, at)


def _outcome(block: Record) -> bool | None:
    """Whether a call failed: a result lists the outcome of each command or file, or is one such record as a text."""
    found = decoded(block.get("content"))
    parts = [fields(part).get("success") for part in (found if isinstance(found, list) else [found])]
    known = [part for part in parts if isinstance(part, bool)]
    return not all(known) if known else None


def _words(said: str) -> str:
    """What a person typed, without the tag around it."""
    if not said.startswith(_TURN):
        return said
    return said[said.find(">") + 1 :].removesuffix("</user_input>")


def _used(metrics: Record, talk: Conversation, at: float | None) -> Iterator[events.Used]:
    names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
    yield from talk.used(with_cache(*map(metrics.get, names)), metrics.get("cost"), at)
