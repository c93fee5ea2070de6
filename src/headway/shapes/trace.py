"""Traces: spans of model calls and tool calls, put in order and turned into events.

A trace contains the same thing several times: a call is requested in a model's answer, has its own span, and is in all
later inputs of the model together with its result. Each is reported once, when it is first known. A result that was not
recorded is not invented: an empty one would look like a tool that found nothing.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from headway.core import events
from headway.core.events import Event
from headway.shapes.conversation import Conversation
from headway.shapes.message import Message, Result, read_message
from headway.shapes.values import Odd, Record

_DEEPEST = 100
_BESIDE = 20
"""Maximum number of conversations without a name at the same time."""


class Sent(msgspec.Struct, gc=False):
    """The input of a model, if it is an object; its messages are decoded only when needed."""

    messages: list[msgspec.Raw] | dict[str, msgspec.Raw] | Odd = None


class Spending(msgspec.Struct, frozen=True):
    """The usage of one model."""

    model: str
    usage: Record = {}
    cost: float = 0.0


class Moment(msgspec.Struct):
    """One interpreted span."""

    id: str
    kind: str = ""
    """model, tool, agent, or empty for anything else."""
    run: str = ""
    trace: str = ""
    parent: str = ""
    start: float | None = None
    end: float | None = None
    name: str = ""
    """The name of the tool or of the agent."""
    model: str = ""
    program: str = ""
    sent: list[Any] = []
    """The unread messages that a model was sent: often the whole conversation, most of which is already known."""
    read: Callable[[Any], Message] | None = None
    """How to read one of these, if the vocabulary has its own way."""
    said: list[Record] = []
    """The messages with which it answered."""
    usage: Record = {}
    cost: float = 0.0
    beside: list[Spending] = []
    """The usage of other models in the same span."""
    call: str = ""
    args: Record | None = None
    """None if not recorded. Such a call is reported without its result."""
    output: str | None = None
    failed: bool | None = None
    exit_code: int | None = None


def told(moments: Iterable[Moment], read: Callable[[Any], Message] = read_message) -> Iterator[Event]:
    """The events of a trace, or of several; `read` understands a message that a model was sent."""
    found = _each_once(moments)
    by_id = {moment.id: moment for moment in found}
    runs: dict[str, str] = {}
    for moment in found:
        if moment.run:
            runs.setdefault(moment.trace, moment.run)
    runs = _continued(found) | runs
    around = _around_models(found, by_id)
    tellers: dict[tuple[str, str], SpanReader] = {}
    has_models = {runs.get(moment.trace, moment.trace) for moment in found if moment.kind == "model"}
    for at, _, ends, moment in sorted(_moves(found), key=lambda move: move[:3]):
        key = (moment.run or runs.get(moment.trace, moment.trace), _agent_of(moment, by_id))
        teller = tellers.get(key) or tellers.setdefault(key, SpanReader(*key, read))
        if ends and (
            moment.id in around if moment.kind == "model" else moment.kind == "agent" and key[0] in has_models
        ):
            continue  # its usage is the sum of theirs, and its last message is the last of theirs
        yield from teller.ended(moment, at or None) if ends else teller.began(moment, at or None)


def _each_once(moments: Iterable[Moment]) -> list[Moment]:
    """One of each. An exporter that tries again sends a span twice, and pages of an export overlap; the last counts."""
    found: dict[object, Moment] = {}
    for place, moment in enumerate(moments):
        found[(moment.trace, moment.id) if moment.id else place] = moment
    return list(found.values())


def _continued(found: list[Moment]) -> dict[str, str]:
    """Which run a trace belongs to, if each call of a model is a trace of its own."""
    threads = Threads()
    return {
        moment.trace: threads.run_of(moment)
        for moment in sorted(found, key=lambda m: m.start or 0.0)
        if Threads.is_alone(moment)
    }


def _around_models(found: list[Moment], by_id: dict[str, Moment]) -> set[str]:
    """Spans of models around another model span that has the usage: LlamaIndex has a span for each layer."""
    around: set[str] = set()
    for moment in found:
        if moment.kind == "model" and moment.usage:
            above = by_id.get(moment.parent)
            for _ in range(_DEEPEST):
                if above is None:
                    break
                around.add(above.id)
                above = by_id.get(above.parent)
    return around


class Threads:
    """Conversations in which each call of a model is a trace of its own, because there is no span around them.

    Calls belong together if the input of one is the input of the other, and more.
    """

    def __init__(self) -> None:
        self._last: deque[tuple[str, list[Any]]] = deque(maxlen=_BESIDE)

    @staticmethod
    def is_alone(moment: Moment) -> bool:
        """Whether nothing else shows which conversation this belongs to."""
        return moment.kind == "model" and bool(moment.sent and moment.trace) and not moment.parent and not moment.run

    def run_of(self, moment: Moment) -> str:
        """The first trace of the conversation that this one continues; its own trace if it continues none."""
        found = moment.trace
        for run, sent in self._last:
            if len(moment.sent) > len(sent) and moment.sent[: len(sent)] == sent:
                found = run
                self._last.remove((run, sent))
                break
        self._last.append((found, moment.sent))
        return found


def _moves(found: list[Moment]) -> Iterator[tuple[float, int, bool, Moment]]:
    """Every span begins and ends; at the same time, in the order of the file."""
    latest = 0.0
    for number, moment in enumerate(found):
        if not moment.kind:
            continue
        start = moment.start if moment.start is not None else moment.end
        latest = latest if start is None else start
        yield latest, number, False, moment
        yield max(latest, moment.end or 0.0), number, True, moment


def _agent_of(moment: Moment, by_id: dict[str, Moment]) -> str:
    """The innermost agent around it, if there is another one around that."""
    names: list[str] = []
    current: Moment | None = moment
    for _ in range(_DEEPEST):
        if current is None or len(names) == 2:
            break
        if current.kind == "agent":
            names.append(f"{current.name} {current.id[-6:]}".strip())  # one agent may be called several times at once
        current = by_id.get(current.parent)
    return names[0] if len(names) == 2 else ""


class SpanReader:
    """Turns the spans of one agent in one run into events."""

    def __init__(self, run: str, agent: str, read: Callable[[Any], Message]) -> None:
        self.talk = Conversation(run, agent)
        self.read = read
        self.started = False
        self.model = ""
        self.asked: dict[str, None] = {}
        """Calls that were reported."""
        self.untaken: dict[str, dict[str, None]] = {}
        """Open calls that no span has executed, by tool."""
        self.args: dict[str, Record] = {}
        """The arguments of open calls."""
        self.answered = 0
        self.user_words = self.agent_words = 0
        self.sent: list[Any] = []
        """The latest input of the model, and how many user messages, agent messages and results were in it."""
        self.counts = (0, 0, 0)
        self.span_calls: dict[str, str] = {}
        """The call that a span of a tool executes."""
        self.latest = (0.0, "")
        """When the latest span of a tool ended, and the batch it is in."""

    def began(self, moment: Moment, at: float | None) -> Iterator[Event]:
        """The events at the beginning of a span."""
        if not self.started or (moment.model and not self.model):
            self.started, self.model = True, moment.model
            yield self.talk.started(moment.model, moment.program, at=at)
        if moment.sent:
            yield from self._history(moment.sent, moment.read or self.read, at)
        if moment.kind == "tool" and (asked := self._tool_began(moment, at)):
            yield asked

    def ended(self, moment: Moment, at: float | None) -> Iterator[Event]:
        """The events at the end of a span."""
        for said in moment.said:
            yield from self._said(read_message(said), at)
        if moment.usage or moment.cost:
            yield from self.talk.used(moment.usage, moment.cost, at)
        for one in moment.beside:
            yield self.talk.started(one.model, at=at)
            yield from self.talk.used(one.usage, one.cost, at)
        if moment.beside:
            yield self.talk.started(self.model, at=at)
        if moment.kind == "tool" and (moment.output is not None or moment.failed):
            call = self.span_calls.pop(moment.id, "")
            if call in self.talk.open:
                yield self._answer(call, moment.output or "", moment.failed, moment.exit_code, at)

    def forget(self, most: int) -> None:
        """Forget the oldest calls: a live trace has no end, and calls without contents are never answered."""
        untaken = self.untaken.values()
        kept: tuple[dict[str, Any], ...] = (self.asked, self.args, self.talk.open, self.span_calls, *untaken)
        for calls in kept:
            while len(calls) > most:
                del calls[next(iter(calls))]

    def _history(self, messages: list[Any], read: Callable[[Any], Message], at: float | None) -> Iterator[Event]:
        """The part of a model's input that was not reported yet."""
        known = len(self.sent)
        if not known or len(messages) < known or messages[known - 1] != self.sent[-1]:
            known, self.counts = 0, (0, 0, 0)  # starts again, after a compaction or for a side question
        user, agent, results = self.counts
        for message in map(read, messages[known:]):
            if message.role == "agent":
                agent += bool(message.texts)
                fresh = agent > self.agent_words
                yield from self._said(message if fresh else msgspec.structs.replace(message, texts=[]), at, past=True)
            elif message.role == "user" and message.texts and not message.results:
                user += 1
                if user > self.user_words:
                    self.user_words = user
                    text = "\n".join(message.texts)
                    yield events.UserSpoke(run=self.talk.run, agent=self.talk.agent, at=at, text=text)
            for result in message.results:
                results += 1
                yield from self._past_result(result, results, at)
        if messages:
            self.sent, self.counts = messages, (user, agent, results)

    def _past_result(self, result: Result, number: int, at: float | None) -> Iterator[Event]:
        call = result.call or (self.talk.oldest(result.tool) if number > self.answered else "")
        if call in self.talk.open:
            yield self._answer(call, result.output, result.failed, None, at)

    def _said(self, message: Message, at: float | None, *, past: bool = False) -> Iterator[Event]:
        for text in message.texts:
            yield events.AgentSpoke(run=self.talk.run, agent=self.talk.agent, at=at, text=text)
        self.agent_words += bool(message.texts)
        batch = self.talk.turn()
        for call in message.calls:
            if call.id not in self.asked and not (past and not call.id):
                yield self._ask(call.id, call.tool, call.args, batch, at)

    def _tool_began(self, moment: Moment, at: float | None) -> Event | None:
        """The call that a span of a tool executes, if it was not reported yet."""
        call, asked = moment.call or (self._announced(moment) if self.talk.open else ""), None
        if not call or call not in self.asked:
            call = call or moment.id
            asked = self._ask(call, moment.name, moment.args or {}, self._batch(moment), at)
            if moment.args is None:
                return asked
        self.span_calls[moment.id] = call
        self._take(call)
        return asked

    def _batch(self, moment: Moment) -> str | None:
        """The batch of a call: calls that overlap in time were requested together."""
        if moment.start is None or moment.end is None:
            return None
        latest_end, batch = self.latest
        if moment.start >= latest_end:
            batch = moment.id
        self.latest = max(latest_end, moment.end), batch
        return batch

    def _announced(self, moment: Moment) -> str:
        """The call that a span without an id executes: one of the same tool, preferably with the same arguments."""
        free = [call for call in self.untaken.get(moment.name, ()) if call in self.talk.open]
        given = moment.args or {}
        for call in free:
            args = self.args.get(call, {})
            if args == given or [*args.values()] == [given.get("input")]:
                return call
        return free[0] if free else ""

    def _ask(self, call: str, tool: str, args: Record, batch: str | None, at: float | None) -> Event:
        event = self.talk.asked(call, tool, args, batch, at)
        call = next(reversed(self.talk.open))  # a call without an id was given one
        self.asked[call] = None
        self.args[call] = args
        self.untaken.setdefault(tool, {})[call] = None
        return event

    def _take(self, call: str) -> None:
        """A call was executed or answered, so it belongs to no other span."""
        self.untaken.get(self.talk.open.get(call, ""), {}).pop(call, None)

    def _answer(self, call: str, output: str, failed: bool | None, exit_code: int | None, at: float | None) -> Event:
        self.answered += 1
        self.args.pop(call, None)
        self._take(call)
        return self.talk.answered(call, output=output, failed=failed, exit_code=exit_code, at=at)
