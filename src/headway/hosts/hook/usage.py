"""What a live session has used, for sessions whose money or tokens are limited; others are never looked at.

Hooks do not report usage, so it is read where the program writes it:

- from its transcript: what was added since the last event, each response once. The price of the tokens is an estimate.
  `Host.usage_in` knows the program's records.
- from the status line of Claude Code (`headway statusline`), which gets the cost of the whole session so far. It takes
  the place of the estimates for everything that the transcript had by then.
- from telemetry that the service receives (`serve/telemetry.py`). If it is the first to report anything of a session,
  the transcript is not read; otherwise it is not counted.
"""

import json
import time

from headway.core.events import Used
from headway.core.session import Session
from headway.hosts.hook.event import HookEvent, Response
from headway.hosts.hook.host import Host
from headway.hosts.hook.notes import Notes
from headway.hosts.hook.transcript import MAX_BYTES, new_lines, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

KEPT_RESPONSES = 8
"""Number of responses to remember: a program writes several lines about one, in a row."""
_STAMP, CLOCKS_DIFFER = "%Y-%m-%dT%H:%M:%S", 2.0
LARGEST = 10**12
"""Larger counts of tokens are implausible."""


class Usage:
    """What a session has used since its last event."""

    def __init__(self, host: Host, hook_event: HookEvent, notes: Notes, session: Session) -> None:
        self._host, self._hook_event, self._session = host, hook_event, session
        self._path = host.transcript_of(hook_event) if host.usage_mark else ""
        self._left = MAX_BYTES
        state: dict[str, Any] | None = notes.kept.get("usage")
        if state is None:  # what telemetry has reported so far is not counted again
            is_known = session.spending.count > 0
            state = {"at": size_of(self._path) if is_known else 0 if hook_event.agent else notes.began}
            notes.kept["usage"] = state
        if state.get("telemetry"):
            self._path = ""
        self._state, self._began = state, notes.began
        started = None if hook_event.agent else session.started_at
        self._since = "" if started is None else time.strftime(_STAMP, time.gmtime(started - CLOCKS_DIFFER))
        """What is older is the history of another session, which a fork may copy after it has begun."""

    def new(self, told: str) -> "Iterator[tuple[Used, str | None]]":
        """What was used, each with its model; `told` is what the status line has stored."""
        total, size = _told_by_status_line(told)
        if total is not None and total != self._state.get("total"):
            yield from self._read(size)
            if (cost := self._new_part(total)) > 0:
                yield Used(cost_usd=cost, at=self._hook_event.at), None
        yield from self._read()

    def _new_part(self, total: float) -> float:
        """The part of a total that was not counted before. A smaller total than before is that of a new count."""
        known = self._session.spending
        earlier = max(0.0, total - known.known_usd) if self._began else known.cost_usd
        before = self._state.get("total", earlier)
        self._state["total"] = total
        return total - before if total >= before else total

    def _read(self, until: int | None = None) -> "Iterator[tuple[Used, str | None]]":
        if not self._path:
            return
        lines, self._state["at"], taken = new_lines(self._path, self._state["at"], self._left, until)
        self._left -= taken
        for line in lines:
            if self._host.usage_mark in line:
                response = self._response_in(line)
                if response is not None and (used := self._uncounted(response)) is not None:
                    yield used, response.model

    def _response_in(self, line: bytes) -> Response | None:
        try:
            record = json.loads(line)
            if not isinstance(record, dict) or self._is_old(record.get("timestamp")):
                return None
            return self._host.usage_in(record, self._hook_event.agent)
        except (ValueError, RecursionError, AttributeError, TypeError):  # not what the program usually writes
            return None

    def _is_old(self, stamp: "Any") -> bool:
        return isinstance(stamp, str) and stamp.endswith("Z") and stamp < self._since

    def _uncounted(self, response: Response) -> Used | None:
        """What a response adds to what was read of it before: the first lines about it may be incomplete."""
        now = [count if type(count) is int and 0 < count < LARGEST else 0 for count in response.counts]
        seen: dict[str, list[int]] = self._state.setdefault("seen", {})
        before = seen.pop(response.id, [0, 0, 0, 0])
        seen[response.id] = list(map(max, now, before))
        for old in list(seen)[:-KEPT_RESPONSES]:
            del seen[old]
        new = [max(0, count - known) for count, known in zip(now, before, strict=True)]
        if not new[0] + new[1]:
            return None
        return Used(
            tokens_in=new[0], tokens_out=new[1], tokens_cached=new[2], tokens_written=new[3], at=self._hook_event.at
        )


def _told_by_status_line(told: str) -> tuple[float | None, int]:
    """The cost of the session so far, and the size of the transcript at that time."""
    if not told:
        return None, 0
    total, size = json.loads(told)
    return float(total), int(size)


def unkept(host: Host, hook_event: HookEvent, session: Session, unpriced: "list[str]") -> str:
    """Why a limit of money or tokens cannot be kept, as soon as that is known; otherwise empty."""
    limits = session.limits
    money = [] if limits.max_cost_usd is None else [f"${limits.max_cost_usd:,g}"]
    tokens = [] if limits.max_tokens is None else [f"{limits.max_tokens:,} tokens"]
    if unpriced and money:
        which = f"The price of a request to the model {unpriced[0]!r} is not known"
        return f"{which}: the limit of {money[0]} cannot be kept. `headway prices --update` adds prices."
    is_told = host.tells_usage or bool(host.usage_mark)
    may_follow = is_told and session.step_count < 2 and session.user_turn_count < 2  # not written at once
    if session.spending.count or may_follow:
        return ""
    said = f"{host.name} reports no usage here" if is_told else f"{host.name} reports no usage to its hook"
    return f"{said}: the limit of {' and of '.join(money + tokens)} cannot be kept."
