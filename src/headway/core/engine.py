"""The engine: one event in, findings and one decision out.

Theory of operation
-------------------
`feed` does five things, always in this order:

1. **Once.** An event whose sequence number has been taken in already changes nothing.
2. **Remember.** `session.apply(event)` is the only thing that changes the session. A result completes a
   step, an ended round completes an iteration; everything else only counts.
3. **Look.** Each detector's hook for this kind of event is called, and may yield findings. Detectors do
   not know of each other and do not act. What altered the world (`on_change`) is told before the step that
   did it, so that a detector forgets first and counts afterwards.
4. **Record.** The ledger files each finding under its identity.
5. **Decide.** The policy reads ledger and session and gives the one decision. A nudge is noted in the ledger
   and fed back as an `Advised` event, because the agent will have read it.

There is no clock, no file, no network and no randomness here, so the same events always give the same
decisions: a live agent and its recording differ only in who calls `feed`. A fault in a detector or in the
policy is logged and answered with `continue`; an event that belongs elsewhere is the caller's mistake and
raises.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from headway.core.decision import CONTINUE, Action, Decision
from headway.core.detector import Detector, Findings
from headway.core.events import (
    Advised,
    AgentSpoke,
    ContextCompacted,
    Event,
    EventError,
    IterationEnded,
    ToolCalled,
    Used,
    UserSpoke,
)
from headway.core.finding import Finding, checked
from headway.core.iteration import Iteration
from headway.core.ledger import Ledger
from headway.core.session import Session
from headway.core.step import Step
from headway.tools.meaning import Kind, Vocabulary

Policy = Callable[[Ledger, Session], Decision]
"""Reads what is known; gives the one decision."""
Scorer = Callable[[Iteration, Sequence[Iteration], str | None], Iteration]
"""Scores a round, given the rounds before it and the output of the one before."""


class Outcome(msgspec.Struct, frozen=True):
    """What one event led to."""

    findings: tuple[Finding, ...] = ()
    decision: Decision = CONTINUE


_NOTHING = Outcome()


class Engine:
    """One session, its detectors and its policy."""

    def __init__(
        self,
        session: Session,
        detectors: Iterable[Detector],
        policy: Policy,
        vocabulary: Vocabulary,
        scorer: Scorer | None = None,
    ) -> None:
        self.scorer = scorer
        self.session = session
        self.policy = policy
        self.vocabulary = vocabulary
        self.set_detectors(detectors)

    def set_detectors(self, detectors: Iterable[Detector]) -> None:
        """Use these detectors from now on."""
        self.detectors = list(detectors)
        self._look_at_steps = self._detectors_with("on_step")
        self._on_step: dict[tuple[Kind, bool], list[Callable[..., Findings]]] = {}
        self._on_message = [d.on_message for d in self._detectors_with("on_message")]
        self._on_use = [d.on_use for d in self._detectors_with("on_use")]
        self._on_iteration = [d.on_iteration for d in self._detectors_with("on_iteration")]
        self._on_user_turn = self._detectors_with("on_user_turn")
        self._on_change = [d.on_change for d in self._detectors_with("on_change")]

    def feed(self, event: Event) -> Outcome:
        """Take in one event."""
        session = self.session
        self._check_origin(event)
        if event.seq is not None and event.seq <= session.last_seq:
            return Outcome()
        try:
            completed = session.apply(event, self.vocabulary)
            if isinstance(completed, Iteration):
                completed = self._score(completed)
            findings = self._look(event, completed)
            if findings:
                self._record(findings, completed)
            decision = self._decide()
            return Outcome(tuple(findings), decision) if findings or decision is not CONTINUE else _NOTHING
        except Exception:
            _log_fault("%s was not understood; the answer is continue", type(event).__name__)
            return Outcome()

    def _record(self, findings: list[Finding], completed: Step | Iteration | None) -> None:
        now = self.session.clock
        call = completed.call.number if isinstance(completed, Step) else None
        for finding in findings:
            self.session.ledger.record(finding, now, call)

    def _score(self, iteration: Iteration) -> Iteration:
        """Score a round before the detectors see it."""
        session = self.session
        if self.scorer is not None:
            iteration = self.scorer(iteration, session.iterations, session.previous_output)
        session.note_round(iteration)
        return iteration

    def _look(self, event: Event, completed: Step | Iteration | None) -> list[Finding]:
        found: list[Finding] = []
        if isinstance(event, ToolCalled):
            return found
        if isinstance(completed, Step):
            if completed.changed:
                paths = completed.meaning.paths or ((completed.meaning.path,) if completed.meaning.path else ())
                self._ask(found, self._on_change, paths)
            self._ask(found, self._hooks_for(completed.kind, completed.failed), completed)
            return [msgspec.structs.replace(one, call=completed.call.id) for one in found] if found else found
        if isinstance(completed, Iteration):
            self._ask(found, self._on_iteration, completed)
            return [msgspec.structs.replace(one, unit="round") for one in found]
        if isinstance(event, Used):
            self._ask(found, self._on_use, event)
        elif isinstance(event, ContextCompacted):
            self._ask(found, self._on_change, ())
        elif isinstance(event, (UserSpoke, AgentSpoke, Advised)):
            if isinstance(event, UserSpoke):
                self._start_turn()
            self._ask(found, self._on_message, event)
        return [msgspec.structs.replace(one, unit="turn") for one in found] if found else found

    def _ask(self, found: list[Finding], hooks: Iterable[Callable[..., Findings]], subject: object) -> None:
        session = self.session
        for hook in hooks:
            try:
                for finding in hook(subject, session):
                    found.append(checked(finding))
            except Exception:
                _log_fault("%s failed and was skipped", getattr(hook, "__qualname__", hook))

    def _start_turn(self) -> None:
        for detector in self._on_user_turn:
            try:
                detector.on_user_turn()
            except Exception:
                _log_fault("%s.on_user_turn failed and was skipped", detector.id)

    def _decide(self) -> Decision:
        session = self.session
        decision = self.policy(session.ledger, session)
        session.note_way_back(decision)
        if decision is CONTINUE:
            return decision
        if decision.action is Action.BLOCK:
            session.ledger.refused(decision.findings)
        elif decision.action is Action.ROLLBACK:
            session.ledger.mark_rolled_back(decision.findings)
        elif decision.action is Action.NUDGE:
            session.ledger.mark_nudged(decision.findings, session.step_count, session.tool_call_count)
            advice = Advised(text=decision.message)
            session.apply(advice, self.vocabulary)
            self._ask([], self._on_message, advice)
        return decision

    def _check_origin(self, event: Event) -> None:
        """Refuse an event that belongs elsewhere; only one that passes every check names the run."""
        if not isinstance(event, Event):
            raise EventError(f"feed takes a Headway event, not {type(event).__name__}: {event!r:.80}")
        session = self.session
        if event.run == session.run and event.agent == session.agent and not isinstance(event, IterationEnded):
            return
        if isinstance(event, IterationEnded) and (event.based_on or 0) >= max(1, session.iteration_count):
            raise EventError(f"IterationEnded.based_on is {event.based_on}, but no such round has ended yet")
        run = session.run or event.run
        agent = session.agent or ("" if session.event_count else event.agent)
        if (event.run or run, event.agent or agent) != (run, agent):
            raise EventError(
                f"{type(event).__name__} belongs to run {event.run!r}, agent {event.agent!r}, but this monitor "
                f"watches run {run!r}, agent {agent!r}: use one Monitor for each (run, agent)"
            )
        session.run, session.agent = run, agent

    def _hooks_for(self, kind: Kind, failed: bool) -> list[Callable[..., Findings]]:
        """What is asked about such a step; found out once for each kind, because most steps concern few detectors."""
        hooks = self._on_step.get((kind, failed))
        if hooks is None:
            concerned = [d for d in self._look_at_steps if not d.kinds or kind in d.kinds]
            hooks = [d.on_step for d in concerned if failed or not d.only_failures]
            self._on_step[kind, failed] = hooks
        return hooks

    def _detectors_with(self, hook: str) -> list[Detector]:
        return [d for d in self.detectors if hook in d.hooks]


def _log_fault(message: str, *about: object) -> None:
    """Log the exception that is being handled."""
    import logging  # slow to import, and seldom needed

    logging.getLogger("headway").exception(message, *about)
