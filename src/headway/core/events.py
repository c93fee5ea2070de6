"""What can happen in a run, as frozen facts.

Every event may carry the ids of its run and agent, a sequence number and its time. All four are
optional: without a time nothing is concluded from time, and an event without a sequence number cannot
be recognised as sent twice.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import astuple, replace

from headway.core.iteration import FileChanges, Measurements
from headway.rolling.forgiving import decoder_of

KNOWN_SHAPES = 2_000
"""Maximum number of checked shapes (event type and field types) to remember; there are far fewer."""


class EventError(ValueError):
    """An event is invalid; the message names the field."""


class Event(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", forbid_unknown_fields=True
):
    """One fact of one run."""

    run: str = ""
    """Which run this belongs to."""
    agent: str = ""
    """Which agent of the run: empty for the main one, an id for a sub-agent."""
    seq: int | None = None
    """Position in the stream of this (run, agent), counted from 1. The same number twice is one event."""
    at: float | None = None
    """When it happened, in seconds since the epoch, or since any other fixed time."""

    @property
    def key(self) -> str:
        """Run and agent together: identifies a session among those of many machines."""
        return f"{self.run}/{self.agent}"

    def __post_init__(self) -> None:
        shape = (type(self), *map(type, astuple(self)))
        if shape not in _right:  # most events look like one that has been checked before
            self._check()
            if len(_right) < KNOWN_SHAPES:
                _right.add(shape)

    def _check(self) -> None:
        for name, allowed in _allowed_types(type(self)):
            value = getattr(self, name)
            if not isinstance(value, allowed):
                raise EventError(_complaint(type(self).__name__, name, value, allowed))


_right: set[tuple[type, ...]] = set()
"""Shapes (event type and field types) that have been checked and are valid."""


@cache
def _allowed_types(kind: type[Event]) -> tuple[tuple[str, tuple[type, ...]], ...]:
    """What each field of an event may hold, from its annotation."""
    found = []
    for name, hint in _annotations(kind).items():
        parts = get_args(hint) if get_origin(hint) is UnionType else (hint,)
        allowed = tuple(str if get_origin(part) is Literal else get_origin(part) or part for part in parts)
        if float in allowed:
            allowed += (int,)
        found.append((name, tuple(Mapping if part is dict else part for part in allowed)))
    return tuple(found)


def _annotations(kind: type[Event]) -> dict[str, Any]:
    """The types of all fields. `get_type_hints` returns the same, but is too slow for a hook."""
    written = {name: hint for base in reversed(kind.__mro__) for name, hint in _written(base).items()}
    return get_type_hints(kind) if any(isinstance(hint, str) for hint in written.values()) else written


def _written(kind: type) -> dict[str, Any]:
    return getattr(kind, "__annotations__", {})


def _complaint(event: str, name: str, value: object, allowed: tuple[type, ...]) -> str:
    expected = " or ".join("nothing" if part is NoneType else part.__name__.lower() for part in allowed)
    hint = '; wrap a bare value, as in {"input": value}' if name == "args" else ""
    return f"{event}.{name} must be {expected}, not {type(value).__name__}: {value!r:.80}{hint}"


class RunStarted(Event, frozen=True, tag="run_started"):
    """A run began."""

    task: str | None = None
    """What kind of task it is: edit, create, search, …"""
    model: str | None = None
    root: str | None = None
    """The folder the agent works in; paths are read relative to it."""
    targets: tuple[str, ...] = ()
    """Files the task is about."""
    program: str | None = None
    """The agent program: claude-code, codex, …"""


Sender = Literal["", "person", "continue", "schedule", "news", "correction"]
"""Who wrote a message in the user's place, and why. `tools/senders.py` has how agent programs say it.

- `person`: a person wrote it. So did, as far as is known, the sender of a message without a kind.
- `continue`: a program wants the agent to go on, for a goal, after a hook at the end of a turn, or in an outer script.
- `schedule`: a time has come: cron, a loop, a wake-up.
- `news`: something happened that the agent may not know: a task has ended, a team member or a watcher reports.
- `correction`: the program complains about the form of a call or an answer.
"""
SENDERS: tuple[Sender, ...] = get_args(Sender)


class UserSpoke(Event, frozen=True, tag="user_spoke"):
    """The user sent a message, which starts a new turn, or a program did in the user's place."""

    text: str = ""
    kind: Sender = ""
    """`person`, `continue`, `schedule`, `news` or `correction`. Only `news` starts no turn."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind not in SENDERS:
            raise EventError(f"UserSpoke.kind must be one of {', '.join(SENDERS[1:])}, not {self.kind!r:.80}")

    @property
    def starts_turn(self) -> bool:
        """Whether a new turn begins. What a machine reports is no wish of the user and forgives nothing."""
        return self.kind != "news"


class AgentSpoke(Event, frozen=True, tag="agent_spoke"):
    """The agent wrote a message."""

    text: str = ""


class TurnEnding(Event, frozen=True, tag="turn_ending"):
    """The agent is about to end its turn; it continues if it is given a message."""

    text: str = ""
    """Its final message."""


class ToolCalled(Event, frozen=True, tag="tool_called"):
    """The agent requests a tool call."""

    call: str
    """Id of the call; the result carries the same one."""
    tool: str
    args: dict[str, Any] = {}
    batch: str | None = None
    """Calls that were requested together, before any of their results were seen, share a batch."""


class ToolReturned(Event, frozen=True, tag="tool_returned"):
    """A tool's result came back."""

    call: str
    output: str = ""
    failed: bool | None = None
    """Did the call fail? If None, this is inferred from the exit code and, cautiously, from the text."""
    exit_code: int | None = None
    denied: bool = False
    """The call was refused and never ran. It still counts as tried."""
    hits: int | None = None
    """How many hits a search had, if the host reports it; otherwise counted from the output."""


class ContextCompacted(Event, frozen=True, tag="context_compacted"):
    """The agent's context was summarised: reading the same files again is now legitimate."""


class Advised(Event, frozen=True, tag="advised"):
    """Guidance was given to the agent, by the host or by Headway itself."""

    text: str = ""
    tool: str | None = None
    """The tool the guidance recommends, if it names one."""


class Used(Event, frozen=True, tag="used"):
    """Tokens or money were spent since the last such event."""

    tokens_in: int = 0
    """The whole prompt, including tokens that were read from a cache or written to one."""
    tokens_out: int = 0
    cost_usd: float = 0.0
    tokens_cached: int = 0
    """Tokens of the prompt that were read from a cache."""
    tokens_written: int = 0
    """Tokens of the prompt that were written to a cache."""
    estimated: bool = False
    """The cost is not what the program reported, but a list price of the tokens."""


def whole_prompt(tokens_in: int, cached: int, written: int) -> int:
    """The tokens of the whole prompt. If `tokens_in` is less than its parts, they were counted separately: add them."""
    parts = cached + written
    return tokens_in + parts if tokens_in < parts else tokens_in


class Stopped(Event, frozen=True, tag="stopped"):
    """A person stopped the run."""

    reason: str = ""


class IterationEnded(Event, frozen=True, tag="iteration_ended"):
    """One round of a work loop is over. The first one is the baseline."""

    output: str | None = None
    """The output of the agent in this round; None if unknown."""
    measured: Measurements | None = None
    changes: FileChanges | None = None
    """What the round changed in the project's files; None if unknown."""
    based_on: int | None = None
    """The round it began from, if that is not the previous one: the round that a rollback restored."""
    snapshot: str | None = None
    """The name of the snapshot of the round's files."""


class Ticked(Event, frozen=True, tag="tick"):
    """The time is now `at`, and nothing else has happened. Without ticks, a silent run goes unnoticed."""


class RunEnded(Event, frozen=True, tag="run_ended"):
    """The run is over."""

    outcome: str | None = None


AnyEvent = (
    RunStarted
    | UserSpoke
    | AgentSpoke
    | TurnEnding
    | ToolCalled
    | ToolReturned
    | ContextCompacted
    | Advised
    | Used
    | Stopped
    | IterationEnded
    | RunEnded
    | Ticked
)


def decode_event(data: bytes | str | Mapping[str, Any]) -> Event:
    """Read one event from JSON text or from plain data, or raise an EventError that names the field."""
    try:
        if isinstance(data, (bytes, str)):
            event: Event = decoder_of(AnyEvent).decode(data)
        else:
            event = msgspec.convert(data, AnyEvent)
        return event
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise EventError(f"not a Headway event: {error}; `headway schema` prints the expected shape") from error


def encode_event(event: Event) -> bytes:
    """Write one event as a line of JSON, without the line break."""
    return msgspec.json.encode(event)


# ---- plausible values: a recording may contain any number, even one that cannot be stored

MAX_COUNT = 10**12
"""More tokens than any run has used, more hits than any search has. Millions of such counts still fit in 64 bits."""
MAX_DOLLARS = 1e9
"""More money than any run has cost."""
MAX_EXIT_CODE = 2**32
"""Exit codes stay below this on every system."""
MAX_TIME = 253_402_300_800.0
"""The end of the year 9999 in seconds, where Python's `datetime` ends."""


def is_credible_time(at: float | None) -> bool:
    """Whether a time is plausible; None is."""
    return at is None or -MAX_TIME < at < MAX_TIME


def _used(used: Used) -> Used:
    tokens = (used.tokens_in, used.tokens_out, used.tokens_cached, used.tokens_written)
    if min(tokens) >= 0 and max(tokens) <= MAX_COUNT and 0 <= used.cost_usd <= MAX_DOLLARS:
        return used
    tokens_in, tokens_out, cached, written = (min(max(0, count), MAX_COUNT) for count in tokens)
    return replace(
        used,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_cached=cached,
        tokens_written=written,
        cost_usd=min(max(0.0, used.cost_usd), MAX_DOLLARS),
    )


def _returned(result: ToolReturned) -> ToolReturned:
    code, hits = result.exit_code, result.hits
    if code is None and hits is None:
        return result
    is_code = code is None or (-MAX_EXIT_CODE < code < MAX_EXIT_CODE and not isinstance(code, bool))
    if is_code and (hits is None or 0 <= hits <= MAX_COUNT):
        return result
    return replace(
        result, exit_code=code if is_code else None, hits=None if hits is None else min(max(0, hits), MAX_COUNT)
    )


CREDIBLE: dict[type[Event], Callable[[Any], Event]] = {Used: _used, ToolReturned: _returned}
"""How an event of a kind with counts gets plausible ones; of the others, only the time may be implausible."""
