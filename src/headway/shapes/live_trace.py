"""Turns spans into events one by one, as they end.

A recording is put in order first (`trace.py`). Live, spans come as they end: children before their parents, and
sometimes a tool before the model that requested it. A span processor also reports the beginning of spans, so that
agents below an agent are kept separate. If only ended spans come, as at an endpoint, this is not possible.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from headway.core import events
from headway.core.events import Event
from headway.rolling.bounded import put
from headway.shapes.message import read_message
from headway.shapes.span_names import span_conversation, span_kind
from headway.shapes.trace import Moment, SpanReader, Threads

OPEN_SPANS = 10_000
"""Maximum number of open spans to remember; the oldest, which may never end, are forgotten first."""
RUNS = 256
"""Maximum number of agents, and of traces with their runs, to remember."""
CALLS = 10_000
"""Calls of one agent that are remembered."""
_DEEPEST = 100


class OpenSpan(Protocol):
    """A span that has begun."""

    @property
    def attributes(self) -> Mapping[str, Any] | None:
        """The attributes that have been set so far."""


class LiveTrace:
    """The state of all incoming traces."""

    def __init__(self) -> None:
        self.open: dict[str, tuple[str, OpenSpan]] = {}
        """For each open span its parent and the span itself. Its attributes are often set only before its end."""
        self._known: dict[str, tuple[str, str, str]] = {}
        """Id, kind and conversation of open spans whose kind is known."""
        self._tellers: dict[tuple[str, str], SpanReader] = {}
        self._runs: dict[str, str] = {}
        self._threads = Threads()
        self._with_models: dict[str, None] = {}
        self._around_models: dict[str, None] = {}
        self._turns: dict[str, bool] = {}
        """For each top-level agent, whether a model below it has reported the user's message."""

    def began(self, id: str, parent: str, span: OpenSpan) -> None:
        """A span has begun. Its attributes are read only when a span below it ends."""
        self.open[id] = parent, span
        if len(self.open) > OPEN_SPANS:
            del self.open[next(iter(self.open))]

    def ended(self, moment: Moment) -> list[Event]:
        """The events of a span, with run and agent."""
        self.open.pop(moment.id, None)
        self._known.pop(moment.id, None)
        if not moment.kind:
            return []
        above = self._above(moment.parent)
        run = self._run_of(moment, above)
        agents = [moment.id] if moment.kind == "agent" else []
        for id, kind, _ in above:
            if kind == "agent":
                agents.append(id)
        teller = self._teller(run, agents[0] if len(agents) > 1 else "")
        if moment.kind == "model":
            if moment.id in self._around_models:
                return []  # its usage is the sum of the spans below it
            self._note_model(moment, run, above)
        elif moment.kind == "agent" and run in self._with_models:
            return []
        told = [*teller.began(moment, moment.start), *teller.ended(moment, moment.end)]
        if len(teller.asked) > CALLS:
            teller.forget(CALLS)
        return [*self._turn(moment, told, agents[-1], teller)] if agents and not self._turns.get(agents[-1]) else told

    def _above(self, parent: str) -> list[tuple[str, str, str]]:
        """The open spans around, innermost first: id, kind and conversation."""
        above: list[tuple[str, str, str]] = []
        while len(above) < _DEEPEST and (found := self.open.get(parent)) is not None:
            above.append(self._known.get(parent) or self._seen(parent, found[1].attributes or {}))
            parent = found[0]
        return above

    def _seen(self, id: str, attributes: Mapping[str, Any]) -> tuple[str, str, str]:
        seen = (id, span_kind(attributes), span_conversation(attributes))
        if seen[1]:
            put(self._known, id, seen, OPEN_SPANS)
        return seen

    def _run_of(self, moment: Moment, above: list[tuple[str, str, str]]) -> str:
        named, known = moment.run, self._runs.get(moment.trace)
        if not named:
            for _, _, conversation in above:
                if conversation:
                    named = conversation
                    break
        if not named and known is None and not moment.parent and Threads.is_alone(moment):
            known = self._threads.run_of(moment)
        run = named or known or moment.trace
        if (named or known) and self._runs.get(moment.trace) != run:
            put(self._runs, moment.trace, run, RUNS)
        return run

    def _teller(self, run: str, agent: str) -> SpanReader:
        key = (run, agent)
        teller = self._tellers.get(key) or SpanReader(run, agent, read_message)
        if not self._tellers or next(reversed(self._tellers)) != key:
            put(self._tellers, key, teller, RUNS)
        return teller

    def _note_model(self, moment: Moment, run: str, above: list[tuple[str, str, str]]) -> None:
        if run not in self._with_models:
            put(self._with_models, run, None, RUNS)
        for id, _, _ in above if moment.usage else ():
            if id not in self._around_models:
                put(self._around_models, id, None, OPEN_SPANS)

    def _turn(self, moment: Moment, told: list[Event], top: str, teller: SpanReader) -> Iterator[Event]:
        """A top-level agent is a new turn. The user's message may come only after its first calls."""
        is_new, is_model = top not in self._turns, moment.kind == "model"
        spoken = any(isinstance(event, events.UserSpoke) for event in told)
        if is_new and not spoken:
            yield events.UserSpoke(run=teller.talk.run, agent=teller.talk.agent, at=moment.start, text="")
        is_late = not is_new and is_model and not self._turns[top]
        put(self._turns, top, is_model or self._turns.get(top, False), RUNS)
        for event in told:
            if not (is_late and isinstance(event, events.UserSpoke)):
                yield event
