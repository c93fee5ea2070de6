"""How events reach a monitor: one at a time, from any thread, by a method for each kind of event."""

from _thread import RLock  # as in `threading`, which takes a hook longer to import than a step
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from typing import Any

import msgspec

from headway.core import events
from headway.core.decision import Decision
from headway.core.engine import Outcome
from headway.core.events import Event
from headway.core.iteration import FileChanges, Measurements
from headway.core.session import Session
from headway.tools.envelope import has_only_an_address

WAITING = 64
"""Events that may wait because they came in while another one was being processed, in the same thread."""


class Intake(ABC):
    """Processes events, one at a time."""

    def __init__(self) -> None:
        self._lock, self._is_feeding, self._has_warned = RLock(), False, False
        self._later: deque[Event] = deque(maxlen=WAITING)
        self._dropped = 0

    @property
    @abstractmethod
    def session(self) -> Session:
        """What is remembered of the run. Read it; do not change it."""

    @abstractmethod
    def _take_in(self, event: Event) -> Outcome:
        """What one event leads to."""

    def feed(self, event: Event) -> Outcome:
        """Process one event. All the other methods call this.

        If it is called from inside another `feed` (by a signal or log handler, or a detector), the event waits until
        that one is done. The answer is then `continue`, and the outer answer includes the effect of this event. If more
        than `WAITING` events wait, the oldest of them are dropped, which is logged.
        """
        with self._lock:
            if self._is_feeding:
                self._dropped += len(self._later) == WAITING
                self._later.append(event)
                return Outcome()
            self._is_feeding = True
            try:
                outcome = self._take_in(event)
                if self._later:
                    for _ in range(len(self._later)):
                        outcome = _stronger(outcome, self._take_in(self._later.popleft()))
                return outcome
            finally:
                self._is_feeding = False
                if self._dropped:
                    self._log_dropped()

    def called(
        self,
        tool: str,
        args: Mapping[str, Any] | None = None,
        *,
        call: str | None = None,
        batch: str | None = None,
        at: float | None = None,
    ) -> Decision:
        """Report a call before the tool runs. The decision is based on earlier results.

        `call` is an id for this call. Without one it gets the next number, and `returned` without an id is its result.
        Calls that overlap need ids.
        """
        with self._lock:
            id = f"#{self.session.tool_call_count + 1}" if call is None else call
            given: Any = {} if args is None else args
            return self.feed(events.ToolCalled(tool=tool, args=given, call=id, batch=batch, at=at)).decision

    def returned(
        self,
        call: str | None = None,
        output: object = "",
        failed: bool | None = None,
        exit_code: int | None = None,
        denied: bool = False,
        *,
        at: float | None = None,
    ) -> Decision:
        """Report a result after the tool ran. The output may be text, bytes, or plain data.

        Without an id it is the result of the latest call that has none yet. A result whose call was never reported
        counts as a call to an unknown tool; the first of them is logged as a warning.
        """
        with self._lock:
            id = self.session.pairing.latest if call is None else call
            self._check_known(id)
            event = events.ToolReturned(
                call=id or "",
                output=_as_text(output),
                failed=failed,
                exit_code=exit_code,
                denied=denied,
                hits=_hits_given(output),
                at=at,
            )
            return self.feed(event).decision

    def user_spoke(self, text: str, *, kind: events.Sender = "", at: float | None = None) -> Decision:
        """Report a message of the user, which starts a new turn.

        If a program wrote it in the user's place, `kind` says why: what only reports something is `news`, starts no
        turn and lifts nothing.
        """
        return self.feed(events.UserSpoke(text=text, kind=kind, at=at)).decision

    def agent_spoke(self, text: str, *, at: float | None = None) -> Decision:
        """Report a message of the agent."""
        return self.feed(events.AgentSpoke(text=text, at=at)).decision

    def turn_ending(self, text: str = "", *, at: float | None = None) -> Decision:
        """Report that the agent is about to end its turn with this message. After a nudge, let it continue."""
        return self.feed(events.TurnEnding(text=text, at=at)).decision

    def iteration_ended(
        self,
        output: str | None = None,
        measured: Measurements | None = None,
        *,
        changes: FileChanges | None = None,
        based_on: int | None = None,
        snapshot: str | None = None,
        at: float | None = None,
    ) -> Decision:
        """Report the end of a round; the first one is the baseline."""
        event = events.IterationEnded(
            output=output, measured=measured, changes=changes, based_on=based_on, snapshot=snapshot, at=at
        )
        return self.feed(event).decision

    def used(
        self, *, tokens_in: int = 0, tokens_out: int = 0, cost_usd: float = 0.0, at: float | None = None
    ) -> Decision:
        """Report tokens or money that were spent."""
        return self.feed(events.Used(tokens_in=tokens_in, tokens_out=tokens_out, cost_usd=cost_usd, at=at)).decision

    def advised(self, text: str, tool: str | None = None, *, at: float | None = None) -> Decision:
        """Report guidance that the host gave to the agent; it may recommend a tool."""
        return self.feed(events.Advised(text=text, tool=tool, at=at)).decision

    def compacted(self, *, at: float | None = None) -> Decision:
        """Report that the agent's context was summarised."""
        return self.feed(events.ContextCompacted(at=at)).decision

    def stop(self, reason: str = "", *, at: float | None = None) -> Decision:
        """Stop the run, because a person wants it to end."""
        return self.feed(events.Stopped(reason=reason, at=at)).decision

    def ticked(self, *, at: float) -> Decision:
        """Report the time `at` although nothing has happened: otherwise a silent run is not noticed."""
        return self.feed(events.Ticked(at=at)).decision

    def _log_dropped(self) -> None:
        """Log how many events were lost, because they came in faster than they could be processed."""
        import logging  # slow to import, and seldom needed

        count, self._dropped = self._dropped, 0
        logging.getLogger("headway").warning(
            "%d events that came in while another one was being processed were dropped: at most %d may wait.",
            count,
            WAITING,
        )

    def _check_known(self, call: str | None) -> None:
        """Log the first result that belongs to no call: it is usually a mistake in the calling program."""
        if self._has_warned or self._is_feeding or self.session.pairing.knows(call):
            return
        import logging  # slow to import, and seldom needed

        self._has_warned = True
        logging.getLogger("headway").warning(
            "a result came for call %r, but no call with this id is open: it is counted as a call to an unknown tool. "
            "Give called() and returned() the same id. This is logged once for each Monitor.",
            call,
        )


def _stronger(one: Outcome, other: Outcome) -> Outcome:
    """The outcome of two events: all their findings, and the stronger decision."""
    decision = max(one.decision, other.decision, key=lambda decision: decision.action.rank)
    return Outcome(one.findings + other.findings, decision)


class _NotDescribedError(ValueError):
    """An object says nothing about itself but its type and address."""


def _as_text(output: object) -> str:
    """Text as it is, bytes decoded, plain data as JSON, anything else as it describes itself.

    A result with an object that does not describe itself (a generator, for example) is marked as not recorded.
    """
    if isinstance(output, str):
        return output
    if isinstance(output, (bytes, bytearray)):
        return bytes(output).decode("utf-8", "replace")
    if output is None:
        return ""
    try:
        return msgspec.json.encode(output, enc_hook=_described).decode()
    except _NotDescribedError:
        return f"<{type(output).__name__} not recorded>"
    except Exception:  # a foreign object may do anything when it is looked at
        return _as_repr(output)


def _hits_given(output: object) -> int | None:
    """How many hits a search had, if the output is data that contains them."""
    try:
        if isinstance(output, (str, bytes)):
            return None
        from headway.tools.hits import hits_in  # most outputs are text

        return hits_in(output)
    except Exception:
        return None


def _as_repr(output: object) -> str:
    try:
        return _described(output)
    except Exception:
        return f"<{type(output).__name__} not recorded>"


def _described(value: object) -> str:
    """The text of an object. If it is only the object's address, it cannot be compared."""
    text = repr(value)
    if has_only_an_address(text):
        raise _NotDescribedError
    return text
