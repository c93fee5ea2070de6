"""Assesses every round of a loop, and keeps track of the best one.

It is a thin layer over `Monitor`: measured rounds go in, assessed rounds come out.
"""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from headway.config.settings import Settings
from headway.core.decision import Action, Decision
from headway.core.events import IterationEnded
from headway.core.iteration import FileChanges, Iteration, Measurements
from headway.core.notes import RoundsReset
from headway.loop.evidence import results_line
from headway.monitor import Monitor
from headway.policy import STUCK
from headway.reports.rationale import rationale
from headway.reports.words import counted
from headway.scoring.assessment import LoopReport, Recommendation, RoundReport
from headway.scoring.best import Selection, best_so_far, choose, finished, lineage, select
from headway.scoring.round import scored
from headway.seeds.correspondence import Correspondence, Correspondent


class TrackerError(ValueError):
    """The tracker was used in the wrong order; the message says what must come first."""


class Tracker(Correspondence):
    """Assesses the rounds of one loop."""

    def __init__(
        self,
        loop_id: str,
        *,
        settings: Settings | Mapping[str, Any] | None = None,
        human: Correspondent | None = None,
    ) -> None:
        self.loop_id = loop_id
        given = Settings.of(settings)
        policy = msgspec.structs.replace(given.policy, stop_on=(*given.policy.stop_on, *STUCK))
        self.monitor = Monitor(settings=msgspec.structs.replace(given, policy=policy), run=loop_id)
        self.stop_on, self._strict, self._rollback_on = policy.stop_on, policy.strict, policy.rollback_on
        self.rounds: list[RoundReport] = []
        self.selection: Selection | None = None
        self.ending = ""
        self.human = human
        self.start: int | None = None
        """The round whose files the user has changed since. Later rounds are compared with those files."""
        self._before_start = 0
        self._references: dict[int, Iteration] = {}

    def pre_loop(
        self, measured: Measurements, output: str | None = None, *, snapshot: str | None = None, at: float | None = None
    ) -> RoundReport:
        """Capture the baseline, once, before any work."""
        if self.rounds:
            raise TrackerError("the baseline has been captured already")
        return self._assess(IterationEnded(measured=measured, output=output, snapshot=snapshot, at=at))

    def post_iteration(
        self,
        measured: Measurements,
        output: str | None = None,
        *,
        changes: FileChanges | None = None,
        based_on: int | None = None,
        snapshot: str | None = None,
        at: float | None = None,
    ) -> RoundReport:
        """Assess a round: score, deltas, verdict, alerts, best round so far, recommendation."""
        if not self.rounds:
            raise TrackerError("capture the baseline first: pre_loop(measured)")
        event = IterationEnded(
            measured=measured, output=output, changes=changes, based_on=based_on, snapshot=snapshot, at=at
        )
        return self._assess(event)

    def begin_again(self, number: int, measured: Measurements) -> None:
        """Record the measurements of a round's files after the user has changed them, to compare later rounds with.

        Earlier rounds were measured with other files. They keep their numbers, but are no longer compared with
        anything.
        """
        self.start, self._before_start = number, len(self.rounds)
        first = scored(_measuring(self.rounds[0].iteration, measured), (), None)
        again = _measuring(self.rounds[number].iteration, measured)
        self._references = {0: first, number: msgspec.structs.replace(again, quality=first.quality)}
        self.monitor.session.apply(RoundsReset(tuple(self._references.values())))
        quality = first.quality.value if first.quality and number else None
        self.rounds[-1] = msgspec.structs.replace(self.rounds[-1], best_iteration=number or None, best_quality=quality)

    def current(self, number: int) -> Iteration:
        """A round as its files are now, with the user's changes if those were measured."""
        return self._references.get(number) or self.rounds[number].iteration

    def is_of_other_files(self, number: int) -> bool:
        """Check whether a round was measured only before the user changed files."""
        return number < self._before_start and number != self.start

    @property
    def is_at_start(self) -> bool:
        """Check whether no round has ended since the user changed files."""
        return self.start is not None and len(self.rounds) == self._before_start

    def loop_decision(self) -> Recommendation:
        """Continue, stop, rollback or escalate, after the latest round."""
        if not self.rounds:
            raise TrackerError("there is no round to decide about: capture the baseline first")
        return self.rounds[-1].recommendation

    def post_loop(
        self, *, choose_round: int | None = None, because: str = "", done_in: int | None = None
    ) -> LoopReport:
        """Select a round: the best one, the user's choice, or the one that finished the work."""
        if choose_round is not None:
            self.selection = choose(self._iterations(), choose_round, because)
        else:
            self.selection = self.selected(done_in=done_in, because=because)
        return self.report()

    def selected(self, *, done_in: int | None = None, because: str = "") -> Selection:
        """The round that would be selected now: the best one, or the one that finished the work."""
        if done_in is not None:
            return finished(self._iterations(), done_in, because)
        is_edited = self.start is not None
        found = select(self._iterations(), strict=self._strict, taken_back=self._rolled_back(), after_edits=is_edited)
        return found if self.start is None else self._selection_after_edits(found, self.start)

    def _selection_after_edits(self, found: Selection, start: int) -> Selection:
        """A selection after the user changed files: their files, unless a later round is better."""
        rounds, final = self._iterations(), self.rounds[-1].iteration
        if found.selected_iteration == 0 or self.is_at_start:
            found = msgspec.structs.replace(choose(rounds, start, ""), override=None, rationale=())
        name = f"round {start}" if start else "the baseline"
        told = results_line(self.current(start).measured) or "nothing measured that a round is judged by"
        why = (
            f"A person changed files; {name} with these changes: {told}",
            f"Measured before that, with other files, and not compared: {counted(self._before_start - 1, 'round')}",
        )
        if self.is_at_start and final.number != start:
            found = msgspec.structs.replace(found, final_iteration=final.number, final_quality=None, delta=None)
        return msgspec.structs.replace(found, rationale=(*found.rationale, *why), total_iterations=len(self.rounds) - 1)

    def _iterations(self) -> list[Iteration]:
        """The rounds that can be compared with each other."""
        if not self.rounds:
            raise TrackerError("there is no round to select: capture the baseline first")
        return [*self._references.values(), *(one.iteration for one in self.rounds[self._before_start :])]

    def _rolled_back(self) -> set[int]:
        """Rounds that should be rolled back and that no later round is based on."""
        origins = {one.iteration.began_from for one in self.rounds if one.iteration.number}
        rounds = self.rounds[self._before_start :]
        return {one.iteration.number for one in rounds if one.recommendation.rejects} - origins

    def report(self) -> LoopReport:
        """The report of the loop so far."""
        rounds = tuple(self.rounds)
        return LoopReport(loop_id=self.loop_id, rounds=rounds, selection=self.selection, ending=self.ending)

    def _assess(self, event: IterationEnded) -> RoundReport:
        outcome = self.monitor.feed(event)
        session = self.monitor.session
        iteration = session.iterations[-1]
        alerts = tuple(sorted(outcome.findings, key=lambda finding: -finding.severity.rank))
        advice = recommend(iteration, outcome.decision, self._rollback_on)
        if self.start and advice.target_iteration == 0:
            advice = msgspec.structs.replace(advice, target_iteration=self.start)
        there = lineage(session.iterations, iteration.number)
        there = there[:-1] if advice.rejects else there
        best = best_so_far(there, strict=self._strict) or (self.current(self.start) if self.start else None)
        one = RoundReport(
            iteration=iteration,
            previous=session.round_before(iteration),
            baseline=self.current(0) if self.rounds else None,
            alerts=alerts,
            recommendation=advice,
            best_iteration=best.number if best else None,
            best_quality=best.quality.value if best and best.quality else None,
            rationale=rationale(iteration, alerts, advice),
        )
        self.rounds.append(one)
        return one


_GOING_ON = {
    "baseline": "The baseline is captured.",
    "forward": "Forward progress detected.",
    "plateau": "No clear progress, but not for long enough to stop.",
    "regression": "Something got worse, but not enough for a rollback.",
    "stalled": "No clear progress for several rounds.",
}
"""Why a loop continues if the policy has no advice."""


def recommend(iteration: Iteration, decision: Decision, rollback_on: Collection[str] = ()) -> Recommendation:
    """A decision of the policy as a recommendation. Continuing needs a reason too."""
    if decision.action in (Action.ESCALATE, Action.ROLLBACK, Action.STOP):
        return Recommendation(
            action=decision.action,
            reason=decision.reason,
            confidence=decision.confidence,
            message=decision.message,
            target_iteration=decision.back_to if decision.action is Action.ROLLBACK else None,
            rejects=decision.action is Action.ROLLBACK or decision.reason in rollback_on,
        )
    sure = {"baseline": 1.0, "forward": 0.9, "plateau": 0.6, "regression": 0.5, "stalled": 0.6}[iteration.verdict]
    said = decision.message or _GOING_ON[iteration.verdict]
    return Recommendation(action=Action.CONTINUE, reason=iteration.verdict, confidence=sure, message=said)


def _measuring(one: Iteration, measured: Measurements) -> Iteration:
    """A round with other measurements, to start from."""
    return Iteration(
        number=one.number, measured=measured, changes=one.changes, based_on=0, snapshot=one.snapshot, at=one.at
    )
