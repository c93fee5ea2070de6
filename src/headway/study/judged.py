"""Replays one recorded run with a known outcome: when would it have been warned or stopped?

A replay cannot show what a nudge would have changed. So a nudge has no effect here, and the replay ends at the first
stop.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from headway.config.settings import Settings
from headway.core import events
from headway.core.decision import Action
from headway.core.events import Event
from headway.monitor import Monitor
from headway.study.turn_ends import with_turn_ends

ENDS = (Action.STOP, Action.ESCALATE, Action.ROLLBACK)

Answer = tuple[str, str, str]
"""A watcher's answer to an event: "nudge" or "stop" with a reason and a message; empty strings for nothing."""
Watcher = Callable[[Event], Answer]
SILENCE: Answer = ("", "", "")


class Recorded(msgspec.Struct, frozen=True):
    """One agent's run, with its outcome."""

    run: str
    solved: bool
    events: Sequence[Event]
    task: str = ""
    """What it worked on. Several runs of one task are not independent."""
    agent: str = ""
    model: str = ""


class Judged(msgspec.Struct, frozen=True):
    """A watcher's result for one run. Turns count from 1: a call, or a message without one."""

    run: str
    solved: bool
    turns: int
    task: str = ""
    agent: str = ""
    model: str = ""
    alarmed_at: int | None = None
    stopped_at: int | None = None
    reason: str = ""
    """Why it was stopped, or else first warned."""
    message: str = ""
    """The message at that point."""

    @property
    def killed(self) -> bool:
        """Whether a run that would have succeeded was stopped before its end."""
        return self.solved and self.stopped_at is not None and self.stopped_at < self.turns

    @property
    def saved(self) -> int:
        """The number of turns after the stop."""
        return 0 if self.stopped_at is None else self.turns - self.stopped_at


def judged(one: Recorded, watcher: Watcher) -> Judged:
    """Replay a run up to its first stop."""
    turns = sum(1 for _ in _begun(one.events))
    alarmed_at = stopped_at = None
    reason = message = ""
    for turn, event in _numbered(with_turn_ends(one.events)):
        word, why, said = watcher(event)
        if not word:
            continue
        if alarmed_at is None or word == "stop":
            reason, message = why, said
        alarmed_at = alarmed_at or turn
        if word == "stop":
            stopped_at = turn
            break
    return Judged(one.run, one.solved, turns, one.task, one.agent, one.model, alarmed_at, stopped_at, reason, message)


def headway(model: str = "", settings: Settings | dict[str, object] | None = None) -> Watcher:
    """Headway as a watcher of one run."""
    monitor = Monitor(model=model or None, settings=settings)

    def watch(event: Event) -> Answer:
        decision = monitor.feed(event).decision
        if decision.action is Action.CONTINUE:
            return SILENCE
        return ("stop" if decision.action in ENDS else "nudge", decision.reason, decision.message)

    return watch


def _numbered(stream: Iterable[Event]) -> Iterator[tuple[int, Event]]:
    """Each event with its turn. A message right before a call belongs to the call's turn."""
    turn, talking = 0, False
    for event in stream:
        match event:
            case events.AgentSpoke():
                turn, talking = turn + 1, True
            case events.ToolCalled():
                turn, talking = turn + (not talking), False
        yield turn, event


def _begun(stream: Iterable[Event]) -> Iterator[int]:
    last = 0
    for turn, _ in _numbered(stream):
        if turn != last:
            last = turn
            yield turn
