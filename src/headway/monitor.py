"""The public Monitor: engine, detectors, policy and settings, put together in one place."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from headway.config.assemble import check_overrides, own_detectors, watches_for
from headway.config.profiles import check_task, limits_for, override_for
from headway.config.settings import Settings
from headway.config.task_type import guess_task
from headway.core import events
from headway.core.decision import Decision
from headway.core.detector import Detector
from headway.core.engine import Engine, Outcome
from headway.core.events import Event
from headway.core.files import Files
from headway.core.iteration import FileChanges, Iteration, Measurements
from headway.core.notes import Configured, Resumed
from headway.core.parts import in_parts
from headway.core.paths import project_path
from headway.core.redaction import redacted
from headway.core.watch import Watch
from headway.policy.rules import Policy
from headway.rolling.novelty import Novelty
from headway.rolling.secrets import masked
from headway.seeds.session import MonitoredSession
from headway.tools.output import as_text, hits_given

if TYPE_CHECKING:
    import os

FORMAT = 2
"""Version of what `save` writes."""
WITHOUT_PARTS = 1
"""The version before sessions had parts, which can be loaded too."""


SURE_ENOUGH = 0.5
"""Confidence from which on a guessed task type is taken up."""

_CONFIGURING = frozenset((events.RunStarted, events.UserSpoke))
"""Events that tell what a run is about."""

WAITING = 64
"""Events that may wait because they came in while another one was being taken in, in the same thread."""


class SavedStateError(ValueError):
    """Saved bytes cannot be loaded by this version; start a new Monitor instead."""


class Monitor:
    """Watches one agent in one run, and says what to do after each event.

    Threads and tasks may share it: events are taken in one at a time, and `save` waits for the one that is under way.
    Who reads `session` while another thread feeds may see half of an event. A fault inside Headway is logged and
    answered with `continue`; wrong use raises at once.

    `detectors` are added to those that come with Headway, or take the place of one with the same id. With `only=True`
    exactly these watch.

    >>> monitor = Monitor()
    >>> for call in ("1", "2", "3"):
    ...     _ = monitor.called("grep", {"pattern": "login"}, call=call)
    ...     decision = monitor.returned(call, output="")
    >>> str(decision.action), decision.reason
    ('nudge', 'exact_cycle')
    """

    def __init__(
        self,
        *,
        task: str | None = None,
        model: str | None = None,
        targets: str | Iterable[str] = (),
        root: "str | os.PathLike[str] | None" = None,
        run: str = "",
        agent: str = "",
        settings: Settings | Mapping[str, Any] | None = None,
        detectors: Iterable[Detector | type[Detector]] = (),
        limits: Literal["advise", "enforce"] | None = None,
        only: bool = False,
    ) -> None:
        self._settings = Settings.of(settings).with_limits(limits)
        check_task(task, self._settings)
        check_overrides(self._settings)
        sizes = self._settings.session
        folder = project_path(None, str(root)) if root else None
        session = MonitoredSession(
            run=run,
            agent=agent,
            task=task,
            model=model,
            root=folder,
            targets=tuple(
                project_path(folder, target) for target in ([targets] if isinstance(targets, str) else targets)
            ),
            sizes=sizes,
            files=Files(limit=sizes.files),
            novelty=Novelty(limit=sizes.lines),
            limits=limits_for(task, model, self._settings),
        )
        self._extra, self._only, self._model = own_detectors(detectors, only), only, model
        watching = self._watches_for(model)
        self._policy = Policy(self._settings.policy)
        self._engine = Engine(session, watching, self._policy, self._settings.vocabulary(), _scored)
        self._lock, self._is_feeding, self._has_warned = RLock(), False, False
        self._later: deque[Event] = deque(maxlen=WAITING)

    def feed(self, event: Event) -> Outcome:
        """Take in one event: what all the other methods do.

        From inside another `feed` (a signal or log handler, a detector) the event waits until that one is done, and
        the answer is `continue`; what follows from it is part of the outer answer.
        """
        with self._lock:
            if self._is_feeding:
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

    def _take_in(self, event: Event) -> Outcome:
        outcome = self._engine.feed(event)
        if type(event) not in _CONFIGURING:
            return outcome
        if isinstance(event, events.RunStarted):
            self._configure(self.session.guessed_task)
        elif isinstance(event, events.UserSpoke) and self.session.user_turn_count == 1 and not self.session.task:
            guess = guess_task(event.text)
            self._configure(guess.task if guess.confidence >= SURE_ENOUGH else None)
        return outcome

    def called(
        self,
        tool: str,
        args: Mapping[str, Any] | None = None,
        *,
        call: str | None = None,
        batch: str | None = None,
        at: float | None = None,
    ) -> Decision:
        """Before a tool runs: advice from what earlier results have established.

        `call` is any id of this call. Without one it gets the next number, and `returned` without an id answers it.
        Calls that overlap need ids of your own.
        """
        with self._lock:
            id = f"#{self.session.tool_call_count + 1}" if call is None else call
            return self._take(
                events.ToolCalled(tool=tool, args={} if args is None else args, call=id, batch=batch, at=at)  # type: ignore[arg-type]
            )

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
        """After a tool ran: the verdict. The output may be text, bytes, or plain data.

        Without an id it is the result of the latest call that has none yet. A result whose call was never announced
        counts as a call of an unknown tool; the first of them is logged as a warning.
        """
        with self._lock:
            id = self.session.pairing.latest if call is None else call
            self._check_known(id)
            event = events.ToolReturned(
                call=id or "",
                output=as_text(output),
                failed=failed,
                exit_code=exit_code,
                denied=denied,
                hits=hits_given(output),
                at=at,
            )
            return self._take(event)

    def user_spoke(self, text: str, *, at: float | None = None) -> Decision:
        """A new turn, which clears what a turn clears."""
        return self._take(events.UserSpoke(text=text, at=at))

    def agent_spoke(self, text: str, *, at: float | None = None) -> Decision:
        """The agent said something outside of a tool call."""
        return self._take(events.AgentSpoke(text=text, at=at))

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
        """A round of a work loop is over; the first one is the baseline."""
        event = events.IterationEnded(
            output=output, measured=measured, changes=changes, based_on=based_on, snapshot=snapshot, at=at
        )
        return self._take(event)

    def used(
        self, *, tokens_in: int = 0, tokens_out: int = 0, cost_usd: float = 0.0, at: float | None = None
    ) -> Decision:
        """Tokens or money were spent."""
        return self._take(events.Used(tokens_in=tokens_in, tokens_out=tokens_out, cost_usd=cost_usd, at=at))

    def advised(self, text: str, tool: str | None = None, *, at: float | None = None) -> Decision:
        """The host gave the agent guidance, which may recommend a tool."""
        return self._take(events.Advised(text=text, tool=tool, at=at))

    def compacted(self, *, at: float | None = None) -> Decision:
        """The agent's context was summarised."""
        return self._take(events.ContextCompacted(at=at))

    def stop(self, reason: str = "", *, at: float | None = None) -> Decision:
        """A person wants the run to end."""
        return self._take(events.Stopped(reason=reason, at=at))

    @property
    def session(self) -> MonitoredSession:
        """The memory: read it, do not change it."""
        return cast("MonitoredSession", self._engine.session)

    @property
    def detectors(self) -> tuple[Detector, ...]:
        """The detectors that watch this session."""
        return tuple(self._engine.detectors)

    @property
    def may_refuse(self) -> bool:
        """Whether the next call could be answered with anything but continue; if not, nobody need ask before it."""
        return self._policy.may_refuse(self.session)

    def save(self, *, content: bool = True) -> bytes:
        """Everything, as bytes: a monitor loaded from them finds the same as this one would have.

        Without `content` the outputs of tools are left out, only fingerprints of them stay, and secrets are masked.
        """
        with self._lock:
            states = {watch.id: state for watch in self._engine.watches if (state := watch.save())}
            saved = {
                "format": FORMAT,
                "settings": self._settings,
                "model": self._model,
                "session": self.session if content else redacted(self.session),
                "detectors": states if content else {id: masked(state) for id, state in states.items()},
            }
            return msgspec.msgpack.encode(saved)

    @classmethod
    def load(
        cls,
        saved: bytes,
        *,
        detectors: Iterable[Detector | type[Detector]] = (),
        only: bool = False,
        settings: Settings | None = None,
    ) -> "Monitor":
        """Take up where `save` left off. `detectors` and `only` are passed again.

        `settings` take the place of the ones it was saved with.
        """
        try:
            data = msgspec.msgpack.decode(saved, type=_Saved)
            session = data.session_as_now()
            monitor = cls(settings=settings or data.settings, detectors=detectors, only=only, model=data.model)
            monitor._resume(session)
            for watch in monitor._engine.watches:
                watch.load(data.detectors.get(watch.id, {}))
        except msgspec.MsgspecError as error:
            raise SavedStateError(f"not a saved monitor: {error}") from error
        return monitor

    def _take(self, event: Event) -> Decision:
        return self.feed(event).decision

    def _resume(self, session: MonitoredSession) -> None:
        """Go on with a saved session under the settings of this monitor: sizes and limits are derived from them."""
        self._engine.session = session
        session.apply(Resumed(self._settings.session, frozenset(watch.id for watch in self._engine.watches)))
        self._set_limits(session.guessed_task)

    def _set_limits(self, guessed_task: str | None) -> None:
        session = self.session
        task = session.task or (guessed_task if self._settings.global_.trust_guessed_task else None)
        session.apply(Configured(limits_for(task, session.model, self._settings), guessed_task))

    def _check_known(self, call: str | None) -> None:
        """Log the first result that belongs to no call: it is mostly a mistake in the program around us."""
        if self._has_warned or self._is_feeding or self.session.pairing.knows(call):
            return
        import logging  # slow to import, and seldom needed

        self._has_warned = True
        logging.getLogger("headway").warning(
            "a result came for call %r, but no call with this id is open: it is counted as a call of an unknown tool. "
            "Give called() and returned() the same id. This is logged once for each Monitor.",
            call,
        )

    def _configure(self, guessed_task: str | None) -> None:
        """Take up what the run has told about itself: its task and model decide about limits and detectors."""
        session = self.session
        self._set_limits(guessed_task)
        if session.step_count == 0 and session.model != self._model:
            before, now = (override_for(model, self._settings) for model in (self._model, session.model))
            self._model = session.model
            if (now.detectors, now.loop_detection) != (before.detectors, before.loop_detection):
                self._engine.set_detectors(self._watches_for(session.model))

    def _watches_for(self, model: str | None) -> list[Watch]:
        return watches_for(self._settings, model, self._extra, only=self._only)


def _scored(iteration: Iteration, before: Sequence[Iteration], output: str | None) -> Iteration:
    """Score a round; loaded only where there are rounds."""
    from headway.scoring.round import scored

    return scored(iteration, before, output)


class _Saved(msgspec.Struct):
    format: int
    settings: Settings
    model: str | None
    session: msgspec.Raw
    detectors: dict[str, dict[str, Any]]

    def session_as_now(self) -> MonitoredSession:
        """The session, also one that an earlier version of Headway has saved."""
        if self.format == FORMAT:
            return msgspec.msgpack.decode(self.session, type=MonitoredSession)
        if self.format == WITHOUT_PARTS:
            return msgspec.convert(in_parts(msgspec.msgpack.decode(self.session)), MonitoredSession)
        raise SavedStateError(f"saved in format {self.format}; this version of Headway reads format {FORMAT}")


def _stronger(one: Outcome, other: Outcome) -> Outcome:
    """What two events led to: all their findings, and the weightier decision."""
    decision = max(one.decision, other.decision, key=lambda decision: decision.action.rank)
    return Outcome(one.findings + other.findings, decision)
