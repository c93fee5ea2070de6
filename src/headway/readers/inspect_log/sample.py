"""One sample of an Inspect evaluation: its events, or else its messages."""

from collections.abc import Iterator
from typing import Any

from headway.core import events
from headway.core.events import Event
from headway.readers.inspect_log.records import Choice, Happened, Output, Sample
from headway.shapes.conversation import Conversation, messages_read
from headway.shapes.message import read_message
from headway.shapes.values import Record, fields, items, number, text
from headway.sources import Source, seconds

_ATTACHED = "attachment://"
_PEOPLE = {"input", "operator"}
_USAGE = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")


class SampleReader:
    """Turns one sample into events."""

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
        happened = [event for event in items(self.sample.events) if isinstance(event, Happened)]
        if any(event.event in ("model", "tool") for event in happened):
            before = self._words_before()
            for event in happened:
                yield from self._event(event, before)
        else:
            yield from self._from_messages()
        if error := self.sample.error:
            yield events.RunEnded(run=self.run, outcome=text(fields(error).get("message"))[:200] or "error")

    def _event(self, event: Happened, before: dict[str, list[Record]]) -> Iterator[Event]:
        kind = event.event
        if kind == "span_begin":
            self._span(event)
        elif kind in ("model", "tool", "compaction"):
            agent, at = self.agents.get(text(event.span_id), ""), seconds(event.completed or event.timestamp)
            if kind == "compaction":
                yield events.ContextCompacted(run=self.run, agent=agent, at=at)
                return
            if agent not in self.talks:
                self.talks[agent] = Conversation(self.run, agent)
                yield self.talks[agent].started(event.model if kind == "model" else None, "inspect", at=at)
            talk = self.talks[agent]
            yield from self._model(event, talk, at, before) if kind == "model" else self._tool(event, talk, at)

    def _span(self, event: Happened) -> None:
        """An agent within an agent is a sub-agent; the outermost one is the run's own."""
        span, outer = text(event.id), self.agents.get(text(event.parent_id), "")
        if event.type == "agent" and not self.outermost:
            outer = f"{text(event.name)} {span[:6]}"
        self.outermost = self.outermost and event.type != "agent"
        self.agents[span] = outer

    def _model(
        self, event: Happened, talk: Conversation, at: float | None, before: dict[str, list[Record]]
    ) -> Iterator[Event]:
        output = event.output if isinstance(event.output, Output) else Output()
        choice = next(iter(items(output.choices)), None)
        message = fields(self._whole(choice.message)) if isinstance(choice, Choice) else {}
        for word in before.pop(text(message.get("id")), ()):
            yield self._word(word, talk, seconds(event.timestamp))
        yield from talk.take(read_message(message), at)
        usage = fields(output.usage)
        tokens = {
            "input_tokens": sum(number(usage.get(name)) for name in _USAGE),
            "output_tokens": usage.get("output_tokens"),
            "cached_tokens": usage.get("input_tokens_cache_read"),
            "cache_write_tokens": usage.get("input_tokens_cache_write"),
        }
        yield from talk.used(tokens, usage.get("total_cost"), at)

    def _tool(self, event: Happened, talk: Conversation, at: float | None) -> Iterator[Event]:
        call = text(event.id)
        if call not in talk.open:
            yield talk.asked(call, text(event.function), fields(self._whole(event.arguments)), at=at)
        told = {"name": event.name, "function": event.function, "content": event.result, "error": event.error}
        for result in read_message({"role": "tool", "tool_call_id": call, **self._whole(told)}).results:
            yield talk.answered(call, result.tool, result.output, result.failed or False, at=at)

    def _words_before(self) -> dict[str, list[Record]]:
        """Messages of the user, by the id of the agent's message that follows them."""
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
