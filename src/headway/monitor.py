"""The public Monitor: engine, detectors, policy and settings, put together in one place."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from headway.config.assemble import check_overrides, own_detectors, watches_for
from headway.config.profiles import check_task, guess_task, limits_for, override_for
from headway.config.settings import Settings
from headway.core import events
from headway.core.detector import Detector
from headway.core.engine import Engine, Outcome
from headway.core.events import Event
from headway.core.files import Files
from headway.core.iteration import Iteration
from headway.core.notes import Configured, Resumed
from headway.core.parts import in_parts
from headway.core.session import Session
from headway.core.watch import Watch
from headway.intake import Intake
from headway.policy import Policy
from headway.rolling.bounded import Novelty
from headway.rolling.secrets import masked
from headway.seeds import MonitoredSession
from headway.tools.paths import project_path

if TYPE_CHECKING:
    import os

FORMAT = 2
"""Version of what `save` writes."""
WITHOUT_PARTS = 1
"""The version before sessions had parts, which can be loaded too."""


SURE_ENOUGH = 0.5
"""Confidence from which on a guessed task type is used."""

_CONFIGURING = frozenset((events.RunStarted, events.UserSpoke))
"""Events that say what a run is about."""


class SavedStateError(ValueError):
    """Saved bytes cannot be loaded by this version; start a new Monitor instead."""


class Monitor(Intake):
    """Watches one agent in one run, and says what to do after each event.

    Threads and tasks may share it: events are processed one at a time, and `save` waits for the one that is under way.
    Code that reads `session` while another thread feeds an event may see that event half processed. A fault inside
    Headway is logged and answered with `continue`; wrong use raises an exception.

    `detectors` are added to the built-in ones, or replace one with the same id. With `only=True`, only these are used.

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
        self._settings = Settings.of(settings).for_a_monitor.with_limits(limits)
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
        self._engine = Engine(session, watching, self._policy.__call__, self._settings.vocabulary(), _scored)
        super().__init__()

    def _take_in(self, event: Event) -> Outcome:
        outcome = self._engine.feed(event)
        if type(event) not in _CONFIGURING:
            return outcome
        if isinstance(event, events.RunStarted):
            self._configure(self.session.guessed_task)
        elif isinstance(event, events.UserSpoke) and event.starts_turn:
            self._guess_task(event.text)
        return outcome

    def _guess_task(self, request: str) -> None:
        """Guess the task from the first request, unless it was given."""
        if self.session.user_turn_count == 1 and not self.session.task:
            guess = guess_task(request)
            self._configure(guess.task if guess.confidence >= SURE_ENOUGH else None)

    @property
    def session(self) -> MonitoredSession:
        """What is remembered of the run. Read it; do not change it."""
        return self._engine.session  # type: ignore[return-value]  # made here; `cast` costs more at each event

    @property
    def settings(self) -> Settings:
        """The settings of this monitor. Its decisions do not depend on `policy.mode`."""
        return self._settings

    @property
    def detectors(self) -> tuple[Detector, ...]:
        """The detectors that watch this session."""
        return tuple(self._engine.detectors)

    @property
    def may_refuse(self) -> bool:
        """Whether the decision about the next call can be anything but continue."""
        return self._policy.may_refuse(self.session)

    def save(self, *, content: bool = True, forget: bool = False) -> bytes:
        """Return the whole state as bytes. A monitor loaded from them finds the same as this one would have.

        Without `content`, the outputs of tools are replaced by fingerprints, and secrets are masked. With `forget`,
        this monitor continues as if it had been loaded from these bytes: it finds the same and needs less memory.
        """
        with self._lock:
            session: Session = self.session
            if not content:
                from headway.core.redaction import redacted  # a scan keeps the content

                session = redacted(session)
            if forget:
                self._engine.session = session
            states = self._engine.made.save()
            saved = {
                "format": FORMAT,
                "settings": {} if self._settings == Settings.of(None) else self._settings,
                "model": self._model,
                "session": session,
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
        """Resume from what `save` returned. `detectors` and `only` are passed again.

        `settings` replace the ones it was saved with.
        """
        try:
            data = _decoded(saved)
            session = data.session_as_now()
            monitor = cls(
                settings=settings or data.settings_as_saved(), detectors=detectors, only=only, model=data.model
            )
            monitor._resume(session, msgspec.msgpack.decode(data.settings, type=_SavedSettings).detectors)
            monitor._engine.made.load(data.detectors)
        except msgspec.MsgspecError as error:
            raise SavedStateError(f"not a saved monitor: {error}") from error
        return monitor

    def _resume(self, session: MonitoredSession, before: Mapping[str, Any]) -> None:
        """Continue a saved session with the settings of this monitor: sizes and limits are derived from them.

        What a detector found `before` its settings changed is forgotten: it may be of no or another weight now.
        """
        self._engine.session = session
        now, ids = self._settings.detectors, [watch.id for watch in self._engine.watches]
        kept = frozenset(id for id in ids if before.get(id) == now.get(id))
        session.apply(Resumed(self._settings.session, kept))
        self._set_limits(session.guessed_task)

    def _set_limits(self, guessed_task: str | None) -> None:
        session = self.session
        task = session.task or (guessed_task if self._settings.global_.trust_guessed_task else None)
        session.apply(Configured(limits_for(task, session.model, self._settings), guessed_task))

    def _configure(self, guessed_task: str | None) -> None:
        """Use what is known about the run: its task and model decide about limits and detectors."""
        session = self.session
        self._set_limits(guessed_task)
        if session.step_count == 0 and session.model != self._model:
            before, now = (override_for(model, self._settings) for model in (self._model, session.model))
            self._model = session.model
            if (now.detectors, now.loop_detection) != (before.detectors, before.loop_detection):
                self._engine.set_detectors(self._watches_for(session.model))

    def _watches_for(self, model: str | None) -> Sequence[Watch]:
        return watches_for(self._settings, model, self._extra, only=self._only)


def _scored(iteration: Iteration, before: Sequence[Iteration], output: str | None) -> Iteration:
    """Score a round; loaded only where there are rounds."""
    from headway.scoring.round import scored

    return scored(iteration, before, output)


def _decoded(saved: bytes) -> "_Saved":
    from headway.config.renames import has_old_ids, with_current_ids  # a new session has no old ids

    if has_old_ids(saved):
        saved = msgspec.msgpack.encode(with_current_ids(msgspec.msgpack.decode(saved)))
    return msgspec.msgpack.decode(saved, type=_Saved)


_DEFAULTS = msgspec.Raw(b"\x80")
"""How `save` writes settings that are all at their defaults: an empty map."""


class _SavedSettings(msgspec.Struct):
    """What is read of settings that others take the place of; an earlier version may have written the rest."""

    detectors: dict[str, dict[str, Any]] = {}


class _Saved(msgspec.Struct):
    format: int
    settings: msgspec.Raw
    model: str | None
    session: msgspec.Raw
    detectors: dict[str, dict[str, Any]]

    def settings_as_saved(self) -> Settings:
        """The settings. Most runs have the defaults, which are not decoded: a hook would do it at every event."""
        if self.settings == _DEFAULTS:
            return Settings.of(None)
        return msgspec.msgpack.decode(self.settings, type=Settings)

    def session_as_now(self) -> MonitoredSession:
        """The session, also one that an earlier version of Headway has saved."""
        if self.format == FORMAT:
            return msgspec.msgpack.decode(self.session, type=MonitoredSession)
        if self.format == WITHOUT_PARTS:
            return msgspec.convert(in_parts(msgspec.msgpack.decode(self.session)), MonitoredSession)
        raise SavedStateError(f"saved in format {self.format}; this version of Headway reads format {FORMAT}")
