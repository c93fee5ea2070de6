"""Says where turns ended in a recording, as hosts say it of a live run: one place for all formats.

A turn ended where the agent wrote a message, called nothing after it, and then the user sent a message, the run ended,
or the recording does. Sub-agents, which have an id, report to the agent that started them: their messages do not end a
turn.
"""

from collections.abc import Iterable, Iterator

from headway.core.events import AgentSpoke, Event, RunEnded, ToolCalled, ToolReturned, TurnEnding, UserSpoke
from headway.rolling.text import clip

LONGEST = 20_000
"""Characters of a final message that are kept."""
_GOES_ON = frozenset((ToolCalled, ToolReturned, TurnEnding))
"""After these, what was said before is not the final message, or its end is known."""
_ENDS = frozenset((UserSpoke, RunEnded))
_TELLING = frozenset((AgentSpoke, *_GOES_ON, *_ENDS))


def with_turn_ends(events: Iterable[Event], *, sorted_by_run: bool = False) -> Iterator[Event]:
    """The events with a `TurnEnding` at each end of a turn.

    Of runs that are `sorted_by_run`, an agent ends where the next one begins.
    """
    last: dict[str, AgentSpoke] = {}
    agent = ("", "")
    for event in events:
        if sorted_by_run and (event.run, event.agent) != agent:
            yield from _ended(last)
            agent = (event.run, event.agent)
        kind = type(event)  # `isinstance` is slow, and most events are none of these
        if kind in _TELLING and not event.agent:
            spoken = last.pop(event.run, None)
            if kind is AgentSpoke:
                last[event.run] = event  # type: ignore[assignment]
            elif kind in _ENDS and spoken is not None:
                yield _turn_ending(spoken)
        yield event
    yield from _ended(last)


def _ended(last: dict[str, AgentSpoke]) -> Iterator[Event]:
    while last:
        yield _turn_ending(last.pop(next(iter(last))))


def _turn_ending(spoken: AgentSpoke) -> TurnEnding:
    """Without a number of its own: the recording has none for it."""
    return TurnEnding(text=clip(spoken.text, LONGEST), run=spoken.run, at=spoken.at)
