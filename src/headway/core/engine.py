"""The engine: one event in, findings and one decision out.

Theory of operation
-------------------
`feed` does five things, always in this order:

1. **Once.** An event whose sequence number has been processed already changes nothing.
2. **Remember.** `session.apply(event)` is the only thing that changes the session. A result completes a
   step, an ended round completes an iteration; everything else only counts.
3. **Look.** Each detector's hook for this kind of event is called, and may yield findings. Detectors do
   not know of each other and do not act. What altered the world (`on_change`) is reported before the step that
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
    Ticked,
    Used,
    UserSpoke,
)
from headway.core.finding import Finding, checked
from headway.core.iteration import Iteration
from headway.core.notes import Decided, Found, Scored
from headway.core.session import Session
from headway.core.step import Step
from headway.core.watch import Detectors, StepTraits, Watch, places_of
from headway.tools.meaning import Vocabulary

Policy = Callable[[Session, Event], Decision]
"""Reads what is known; gives the one decision about the latest event."""
Hook = Callable[..., Findings]
"""A method of a detector."""
Scorer = Callable[[Iteration, Sequence[Iteration], str | None], Iteration]
"""Scores a round, given the rounds before it and the output of the one before."""


class Outcome(msgspec.Struct, frozen=True):
    """What one event led to."""

    findings: tuple[Finding, ...] = ()
    decision: Decision = CONTINUE


_NOTHING = Outcome()
_PLAIN = frozenset(Event.__subclasses__()) - {IterationEnded}
"""Events that have nothing to be checked but where they come from."""
_HOOKS: dict[type[Event], str] = {
    AgentSpoke: "on_message", UserSpoke: "on_message", Advised: "on_message",
    Used: "on_use", Ticked: "on_tick", ContextCompacted: "on_change",
}  # fmt: skip
"""What detectors are asked at events that complete neither a step nor a round; the others are only noted."""


class Engine:
    """One session, its detectors and its policy."""

    def __init__(
        self,
        session: Session,
        watches: Sequence[Watch],
        policy: Policy,
        vocabulary: Vocabulary,
        scorer: Scorer | None = None,
    ) -> None:
        self.scorer = scorer
        self.session = session
        self.policy = policy
        self.vocabulary = vocabulary
        self.set_detectors(watches)

    def set_detectors(self, watches: Sequence[Watch]) -> None:
        """Use these detectors from now on."""
        self.watches, self.made = watches, Detectors(watches)
        self._looks = tuple([watch.looks_at for watch in watches])
        self._forget_hooks()

    @property
    def detectors(self) -> list[Detector]:
        """All of them, also those that nothing has happened for yet."""
        return [self.made[place] for place in range(len(self.watches))]

    def _forget_hooks(self) -> None:
        """Reset which detectors are asked about what, because detectors or limits changed."""
        self._limits = self.session.limits
        self._places = places_of(self._looks, self._limits)
        self._hooks: dict[str | StepTraits, list[Hook]] = {}

    def feed(self, event: Event) -> Outcome:
        """Process one event."""
        session = self.session
        if session.limits is not self._limits:
            self._forget_hooks()
        kind = type(event)
        if kind not in _PLAIN or event.run != session.run or event.agent != session.agent:
            self._check_origin(event)
        seq = event.seq
        if seq is not None and seq <= session.last_seq:
            return _NOTHING
        try:
            completed = session.apply(event, self.vocabulary)
            if completed is None:
                hook = _HOOKS.get(kind)
                findings = [] if hook is None else self._look(hook, event)
            elif isinstance(completed, Step):
                findings = self._look_at_step(completed)
            else:
                findings = self._look_at_round(completed)
            if findings:
                self._record(findings, completed)
        except Exception:
            _log_fault("%s was not understood; the answer is continue", kind.__name__)
            return _NOTHING
        decision = self._decide(event, findings)
        return Outcome(tuple(findings), decision) if findings or decision is not CONTINUE else _NOTHING

    def _record(self, findings: list[Finding], completed: Step | Iteration | None) -> None:
        self.session.apply(Found(findings, completed.call.number if isinstance(completed, Step) else None))

    def _score(self, iteration: Iteration) -> Iteration:
        """Score a round before the detectors see it."""
        session = self.session
        if self.scorer is not None:
            iteration = self.scorer(iteration, session.iterations, session.previous_output)
        session.apply(Scored(iteration))
        return iteration

    def _look_at_step(self, step: Step) -> list[Finding]:
        meaning, about = step.call.meaning, {"call": step.call.id}
        found: list[Finding] = []
        if step.changed:
            paths = meaning.paths or ((meaning.path,) if meaning.path else ())
            found = self._ask(self._hooks_for("on_change"), paths, about)
        like_it = meaning.kind, step.failed, step.changed, step.again, step.tests is not None
        return found + self._ask(self._hooks_for(like_it), step, about)

    def _look_at_round(self, iteration: Iteration) -> list[Finding]:
        return self._ask(self._hooks_for("on_iteration"), self._score(iteration), {"unit": "round"})

    def _look(self, hook: str, event: Event) -> list[Finding]:
        if type(event) is UserSpoke and event.starts_turn:
            self._start_turn()
        return self._ask(self._hooks_for(hook), () if hook == "on_change" else event, {"unit": "turn"})

    def _ask(self, hooks: Iterable[Hook], subject: object, about: dict[str, str]) -> list[Finding]:
        """Ask some detectors. `about` is what the engine knows about all that they find: the call, or the unit."""
        found: list[Finding] = []
        session = self.session
        for hook in hooks:
            try:
                for finding in hook(subject, session):
                    found.append(checked(finding, about))
            except Exception:
                _log_fault("%s failed and was skipped", getattr(hook, "__qualname__", hook))
        return found

    def _start_turn(self) -> None:
        for place in self._places.forgetting:
            if self.made.remember(place):
                try:
                    self.made[place].on_user_turn()
                except Exception:
                    _log_fault("%s.on_user_turn failed and was skipped", self.watches[place].id)

    def _decide(self, event: Event, findings: list[Finding]) -> Decision:
        """Ask the policy and note what it decided. If it fails, the answer is continue, and the findings stay."""
        try:
            decision = self.policy(self.session, event)
            if decision is not CONTINUE or type(event) is IterationEnded:
                self._note(decision, findings)
            return decision
        except Exception:
            _log_fault("the policy failed at %s; the answer is continue", type(event).__name__)
            return CONTINUE

    def _note(self, decision: Decision, findings: list[Finding]) -> None:
        """Note a decision in the ledger. What a rule found itself is recorded as if a detector had found it."""
        session = self.session
        new = [finding for finding in decision.findings if finding.key not in session.ledger.entries]
        if new:
            self._record(new, None)
            findings += new
        session.apply(Decided(decision))
        if decision.action is Action.NUDGE:
            advice = Advised(text=decision.message)
            session.apply(advice, self.vocabulary)
            echoes = self._ask(self._hooks_for("on_message"), advice, {"unit": "turn"})
            if echoes:
                self._record(echoes, None)
                findings += echoes

    def _check_origin(self, event: Event) -> None:
        """Refuse an event that belongs elsewhere."""
        if not isinstance(event, Event):
            raise EventError(f"feed takes a Headway event, not {type(event).__name__}: {event!r:.80}")
        session = self.session
        if isinstance(event, IterationEnded) and (event.based_on or 0) >= max(1, session.iteration_count):
            raise EventError(f"IterationEnded.based_on is {event.based_on}, but no such round has ended yet")
        run = session.run or event.run
        agent = session.agent or ("" if session.event_count else event.agent)
        if (event.run or run, event.agent or agent) != (run, agent):
            raise EventError(
                f"{type(event).__name__} belongs to run {event.run!r}, agent {event.agent!r}, but this monitor "
                f"watches run {run!r}, agent {agent!r}: use one Monitor for each (run, agent)"
            )

    def _hooks_for(self, asked: str | StepTraits) -> list[Hook]:
        """The hooks of a name, or about steps like one, of detectors that need no limit, or whose limit is set."""
        hooks = self._hooks.get(asked)
        if hooks is None:
            name, like_it = (asked, None) if isinstance(asked, str) else ("on_step", asked)
            places = self._places.with_hook(name, like_it)
            hooks = self._hooks[asked] = [getattr(self.made[place], name) for place in places]
        return hooks


def _log_fault(message: str, *about: object) -> None:
    """Log the exception that is being handled."""
    import logging  # slow to import, and seldom needed

    logging.getLogger("headway").exception(message, *about)
