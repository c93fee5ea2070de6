"""One sample of an Inspect evaluation: its events, or else its messages."""

from collections.abc import Iterator
from typing import Any

import msgspec

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation, messages_read
from headway.shapes.message import read_message
from headway.shapes.values import Record, fields, items, number, text
from headway.sources import Source, seconds

_ATTACHED = "attachment://"
_PEOPLE = {"input", "operator"}
_USAGE = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")


class Sample(msgspec.Struct):
    """One sample in one epoch, as far as it is looked at."""

    id: Any = None
    epoch: Any = 1
    messages: Any = None
    events: Any = None
    attachments: Any = None
    error: Any = None


class SampleReader:
    """Tells what happened in one sample."""

    def __init__(self, sample: Sample, source: Source) -> None:
        self.sample = sample
        self.source = source
        self.attached = fields(sample.attachments)
        self.run = f"{sample.id}#{sample.epoch}"
        self.talks: dict[str, Conversation] = {}
        self.agents: dict[str, str] = {}
        """Which agent the events of a span belong to."""
        self.outermost = True

    def events(self) -> Iterator[Event]:
        """Everything in the sample."""
        happened = [event for event in items(self.sample.events) if isinstance(event, dict)]
        if any(event.get("event") in ("model", "tool") for event in happened):
            before = self._words_before()
            for event in happened:
                yield from self._event(self._whole(event), before)
        else:
            yield from self._from_messages()
        if error := self.sample.error:
            yield events.RunEnded(run=self.run, outcome=text(fields(error).get("message"))[:200] or "error")

    def _event(self, event: Record, before: dict[str, list[Record]]) -> Iterator[Event]:
        kind, at = event.get("event"), seconds(event.get("completed") or event.get("timestamp"))
        if kind == "span_begin":
            self._span(event)
        elif kind == "model":
            yield from self._model(event, at, before)
        elif kind == "tool":
            yield from self._tool(event, at)
        elif kind == "compaction":
            yield events.ContextCompacted(run=self.run, agent=self._agent(event), at=at)

    def _span(self, event: Record) -> None:
        """An agent within an agent is a sub-agent; the outermost one is the run's own."""
        span, outer = text(event.get("id")), self.agents.get(text(event.get("parent_id")), "")
        if event.get("type") == "agent" and not self.outermost:
            outer = f"{text(event.get('name'))} {span[:6]}"
        self.outermost = self.outermost and event.get("type") != "agent"
        self.agents[span] = outer

    def _agent(self, event: Record) -> str:
        return self.agents.get(text(event.get("span_id")), "")

    def _talk(self, event: Record, at: float | None) -> Iterator[Event]:
        """Makes sure that the conversation of an event's agent has begun."""
        agent = self._agent(event)
        if agent not in self.talks:
            self.talks[agent] = Conversation(self.run, agent)
            yield self.talks[agent].started(event.get("model"), "inspect", at=at)

    def _model(self, event: Record, at: float | None, before: dict[str, list[Record]]) -> Iterator[Event]:
        yield from self._talk(event, at)
        talk, output = self.talks[self._agent(event)], fields(event.get("output"))
        message = fields(fields(next(iter(items(output.get("choices"))), None)).get("message"))
        for word in before.pop(text(message.get("id")), ()):
            yield self._word(word, talk, seconds(event.get("timestamp")))
        yield from talk.take(read_message(message), at)
        usage = fields(output.get("usage"))
        tokens = {
            "input_tokens": sum(number(usage.get(name)) for name in _USAGE),
            "output_tokens": usage.get("output_tokens"),
        }
        yield from talk.used(tokens, usage.get("total_cost"), at)

    def _tool(self, event: Record, at: float | None) -> Iterator[Event]:
        yield from self._talk({"span_id": event.get("span_id")}, at)
        talk, call = self.talks[self._agent(event)], text(event.get("id"))
        if call not in talk.open:
            yield talk.asked(call, text(event.get("function")), fields(event.get("arguments")), at=at)
        message = read_message({**event, "role": "tool", "tool_call_id": call, "content": event.get("result")})
        for result in message.results:
            yield talk.answered(call, result.tool, result.output, result.failed or False, at=at)

    def _words_before(self) -> dict[str, list[Record]]:
        """The user's words, by the id of the agent's message that came after them."""
        found: dict[str, list[Record]] = {}
        waiting: list[Record] = []
        for message in map(fields, items(self.sample.messages)):
            if message.get("role") == "user":
                waiting.append(self._whole(message))
            elif message.get("role") == "assistant":
                found[text(message.get("id"))], waiting = waiting, []
        return found

    def _word(self, message: Record, talk: Conversation, at: float | None) -> Event:
        said = "\n".join(read_message(message).texts)
        kind = events.UserSpoke if text(message.get("source")) in _PEOPLE else events.Advised
        return kind(run=talk.run, agent=talk.agent, at=at, text=said)

    def _from_messages(self) -> Iterator[Event]:
        talk = Conversation(self.run)
        yield talk.started(None, "inspect")
        for raw, message in messages_read(map(self._whole, items(self.sample.messages)), self.source):
            yield from [self._word(raw, talk, None)] if message.role == "user" else talk.take(message)

    def _whole(self, value: Any, depth: int = 0) -> Any:
        """A value with its attachments put back in place."""
        if isinstance(value, str):
            return self.attached.get(value[len(_ATTACHED) :], value) if value.startswith(_ATTACHED) else value
        if depth > 12 or not self.attached:
            return value
        if isinstance(value, dict):
            return {key: self._whole(item, depth + 1) for key, item in value.items()}
        return [self._whole(item, depth + 1) for item in value] if isinstance(value, list) else value
