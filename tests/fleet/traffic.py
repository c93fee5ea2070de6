"""Sessions to send through a fleet, and what one Monitor that is fed in order decides about them."""

from collections.abc import Iterable
from itertools import zip_longest
from pathlib import Path

import msgspec

from headway import Monitor, encode_event
from headway.core.events import Event, RunStarted
from headway.fleet.topics import DECISIONS, Decided, TopicMessage
from headway.readers import read
from headway.sources import sources_in

RECORDINGS = Path(__file__).parents[2] / "examples" / "recordings"

Sessions = dict[str, list[Event]]


def sessions(count: int, length: int = 200) -> Sessions:
    """Sessions with events from the recordings, each beginning at another place, numbered from 1."""
    recorded = [event for source in sources_in(RECORDINGS) for event in read(source)]
    recorded = [event for event in recorded if not isinstance(event, RunStarted)]
    made: Sessions = {}
    for number in range(count):
        run = f"run-{number}"
        events = (recorded[(number * 17 + place) % len(recorded)] for place in range(length))
        made[f"{run}/"] = [
            msgspec.structs.replace(event, run=run, agent="", seq=seq, at=1e9 + seq)
            for seq, event in enumerate(events, 1)
        ]
    return made


def interleaved(made: Sessions) -> list[tuple[str, Event]]:
    """All events of all sessions, in turn."""
    rows = zip_longest(*([(key, event) for event in events] for key, events in made.items()))
    return [pair for row in rows for pair in row if pair is not None]


def expected(made: Sessions) -> dict[str, list[Decided]]:
    """What one Monitor for each session decides, fed in order."""
    return {key: list(_decisions(key, events)) for key, events in made.items()}


def _decisions(key: str, events: Iterable[Event]) -> Iterable[Decided]:
    monitor = Monitor()
    for event in events:
        decision = monitor.feed(event).decision
        if decision.action != "continue":
            yield Decided(
                id=f"{key}#{event.seq}",
                run=event.run,
                agent=event.agent,
                step=monitor.session.step_count,
                at=event.at,
                action=decision.action.value,
                reason=decision.reason,
                confidence=decision.confidence,
                message=decision.message,
                findings=tuple(finding.key for finding in decision.findings),
                back_to=decision.back_to,
            )


def decisions_in(messages: Iterable[TopicMessage]) -> list[Decided]:
    """The decisions among messages."""
    return [msgspec.json.decode(one.value, type=Decided) for one in messages if one.topic == DECISIONS]


def raw(event: Event) -> bytes:
    """An event as it stands in the topic."""
    return encode_event(event)
