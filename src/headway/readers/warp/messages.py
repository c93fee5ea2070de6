"""Messages of a task: what the user and the agent said, calls and results, as Warp's `task.proto` numbers them."""

from collections.abc import Iterator

from headway.core import events
from headway.core.events import Event
from headway.readers.warp.calls import call_in
from headway.readers.warp.results import result_in
from headway.shapes.conversation import Conversation
from headway.shapes.wire import Fields

_USER, _AGENT, _CALL, _RESULT, _SUMMARY, _SKILL, _MODEL, _TIME = 2, 3, 4, 5, 16, 23, 25, 14


class Messages:
    """Turns the messages of one task into events."""

    def __init__(self, run: str, agent: str) -> None:
        self._talk = Conversation(run, agent)
        self._has_started = False
        self._batch = ""

    def take(self, message: Fields) -> Iterator[Event]:
        """The events of one message; calls that follow each other were made together."""
        talk, at = self._talk, _time(message.message(_TIME))
        if not self._has_started:
            self._has_started = True
            root = message.message(_USER).message(2).message(1).text(1)
            yield talk.started(None, "warp", root, at)
        if _CALL in message:
            self._batch = self._batch or talk.turn()
            yield from self._called(message.message(_CALL), at)
            return
        self._batch = ""
        if _RESULT in message:
            yield self._returned(message.message(_RESULT), at)
        elif _MODEL in message:
            yield from talk.answered_by(message.message(_MODEL).text(1), "warp", at=at)
        elif _SUMMARY in message and 1 in message.message(_SUMMARY):
            yield events.ContextCompacted(run=talk.run, agent=talk.agent, at=at)
        else:
            yield from self._said(message, at)

    def _said(self, message: Fields, at: float | None) -> Iterator[Event]:
        asked = message.message(_USER).text(1) or message.message(_SKILL).message(2).text(1)
        if asked:
            yield events.UserSpoke(run=self._talk.run, agent=self._talk.agent, at=at, text=asked)
        elif said := message.message(_AGENT).text(1):
            yield events.AgentSpoke(run=self._talk.run, agent=self._talk.agent, at=at, text=said)

    def _called(self, call: Fields, at: float | None) -> Iterator[Event]:
        tool, args = call_in(call)
        yield self._talk.asked(call.text(1), tool, args, self._batch, at)

    def _returned(self, result: Fields, at: float | None) -> Event:
        call, found = result.text(1), result_in(result)
        if found is None:
            return self._talk.unrecorded(call, at)
        self._talk.open.pop(call, None)
        return events.ToolReturned(
            run=self._talk.run,
            agent=self._talk.agent,
            at=at,
            call=call,
            output=found.output,
            failed=found.failed,
            exit_code=found.exit_code,
            denied=found.denied,
        )


def _time(stamp: Fields) -> float | None:
    seconds = stamp.number(1)
    return seconds + stamp.number(2) / 1e9 if 0 < seconds < 2**35 else None
